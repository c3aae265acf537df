"""FeeTech and Dynamixel: third-party masters on our simulated servos, compared with our driver's frames."""

import json
import math
import subprocess
import unittest

import dynamixel_sdk
import rustypot
import scservo_sdk
from crccheck.crc import Crc16Buypass
from programs import PROGRAM, Case, Rig, drive


class Written:
    """A port of an SDK that keeps the written bytes."""

    def __init__(self):
        self.bytes = b""
        self.is_using = False

    def clearPort(self):
        pass

    def writePort(self, packet):
        self.bytes = bytes(packet)
        return len(packet)


class Servos(Case):
    def rig(self, profile, *options):
        rig = Rig(self.folder, "rig", profile, options)
        self.addCleanup(rig.close)
        return rig

    def new_id(self, profile, baud, open_bus, give):
        """Two new servos become a rig in another program's hands, and our scan finds them."""
        rig = self.rig(profile, "--new")
        self.assertTrue(rig.tell("alone tilt").startswith("ok"))
        bus = open_bus(rig.path, baud, 0.5)
        self.assertTrue(bus.ping(1))
        give(bus)
        self.assertTrue(bus.ping(2))
        self.assertFalse(bus.ping(1))
        self.assertTrue(rig.tell("alone off").startswith("ok"))
        # A servo that is plugged in starts for a moment.
        self.assertTrue(any(bus.ping(1) for _ in range(10)) and bus.ping(2))
        del bus
        scan = subprocess.run(
            [PROGRAM, "servo", "scan", "--port", rig.path, "--baud", str(baud), "--json"], capture_output=True, text=True)
        self.assertEqual(scan.returncode, 0, scan.stderr)
        self.assertEqual(sorted(servo["id"] for servo in json.loads(scan.stdout)["servos"]), [1, 2])


class Feetech(Servos):
    def test_rustypot_is_master_of_our_servos(self):
        rig = self.rig("feetech-sts3215-pair")
        bus = rustypot.Sts3215PyController(rig.path, 1_000_000, 0.5)
        self.assertTrue(bus.ping(1) and bus.ping(2))
        bus.sync_write_torque_enable([1, 2], [True, True])
        bus.sync_write_goal_position([1, 2], [math.radians(30), math.radians(-10)])
        self.assertTrue(rig.comes_to(30, -10, within=0.5), rig.pose())
        there = bus.sync_read_present_position([1, 2])
        self.assertAlmostEqual(math.degrees(there[0]), 30, delta=1)
        self.assertAlmostEqual(math.degrees(there[1]), -10, delta=1)

    def test_rustypot_gives_a_new_servo_another_id(self):
        def give(bus):
            bus.write_lock(1, False)
            bus.write_id(1, 2)
            bus.write_lock(2, True)

        self.new_id("feetech-sts3215-pair", 1_000_000, rustypot.Sts3215PyController, give)

    def test_the_makers_sdk_is_master_of_our_servos(self):
        rig = self.rig("feetech-sts3215-pair")
        port, packets = scservo_sdk.PortHandler(rig.path), scservo_sdk.PacketHandler(0)
        self.assertTrue(port.openPort())
        self.addCleanup(port.closePort)
        self.assertEqual(packets.ping(port, 1), (777, scservo_sdk.COMM_SUCCESS, 0))
        self.assertEqual(packets.write1ByteTxRx(port, 2, 40, 1), (scservo_sdk.COMM_SUCCESS, 0))
        self.assertEqual(packets.write2ByteTxRx(port, 2, 42, 2048 + 228), (scservo_sdk.COMM_SUCCESS, 0))
        self.assertTrue(rig.comes_to(0, 20, within=0.5), rig.pose())
        place, result, error = packets.read2ByteTxRx(port, 2, 56)
        self.assertEqual((result, error), (scservo_sdk.COMM_SUCCESS, 0))
        self.assertAlmostEqual(place, 2276, delta=20)

    def test_our_frames_are_what_the_makers_sdk_writes(self):
        host, device = drive(self, "feetech-sts3215-pair", self.folder)
        packets, seen = scservo_sdk.PacketHandler(0), set()
        for frame in frames(host, filler=True):
            self.assertEqual(frame[:2], b"\xff\xff")
            port = Written()
            packets.txPacket(port, [0, 0, *frame[2:-1], 0])
            self.assertEqual(port.bytes, frame)
            seen.add(frame[4])
        self.assertLessEqual({2, 3, 0x82, 0x83}, seen, "read, write, sync read, sync write")
        self.assertGreater(len(list(frames(device))), 50)


def frames(stream, filler=False):
    """Complete packets of FeeTech's bus in a stream. Bytes between them are the stop's filler, or an error."""
    at = 0
    while at + 4 <= len(stream):
        length = stream[at + 3] + 4
        if stream[at:at + 2] == b"\xff\xff" and stream[at + 2] != 0xFF and at + length <= len(stream):
            body = stream[at + 2:at + length]
            if sum(body) & 0xFF == 0xFF:
                yield bytes(stream[at:at + length])
                at += length
                continue
        if not filler:
            raise AssertionError(f"no packet at {at}: {stream[at:at + 16].hex(' ')}")
        at += 1


class Dynamixel(Servos):
    def test_rustypot_is_master_of_our_servos(self):
        rig = self.rig("dynamixel-xl330-pair")
        bus = rustypot.Xl330PyController(rig.path, 57_600, 0.5)
        self.assertTrue(bus.ping(1) and bus.ping(2))
        bus.sync_write_torque_enable([1, 2], [True, True])
        bus.sync_write_goal_position([1, 2], [math.radians(-25), math.radians(15)])
        self.assertTrue(rig.comes_to(-25, 15, within=0.5), rig.pose())
        there = bus.sync_read_present_position([1, 2])
        self.assertAlmostEqual(math.degrees(there[0]), -25, delta=1)
        self.assertAlmostEqual(math.degrees(there[1]), 15, delta=1)

    def test_rustypot_gives_a_new_servo_another_id(self):
        self.new_id(
            "dynamixel-xl330-pair", 57_600, rustypot.Xl330PyController, lambda bus: bus.write_id(1, 2))

    def test_the_makers_sdk_is_master_of_our_servos(self):
        rig = self.rig("dynamixel-xl330-pair")
        port, packets = dynamixel_sdk.PortHandler(rig.path), dynamixel_sdk.PacketHandler(2.0)
        # Like real servos, ours do not understand another speed than theirs. The SDK's own is 1,000,000.
        self.assertTrue(port.setBaudRate(57_600))
        self.addCleanup(port.closePort)
        self.assertEqual(packets.ping(port, 1), (1200, dynamixel_sdk.COMM_SUCCESS, 0))
        self.assertEqual(packets.write1ByteTxRx(port, 1, 64, 1), (dynamixel_sdk.COMM_SUCCESS, 0))
        self.assertEqual(packets.write4ByteTxRx(port, 1, 116, 2048 - 114), (dynamixel_sdk.COMM_SUCCESS, 0))
        self.assertTrue(rig.comes_to(-10, 0, within=0.5), rig.pose())
        reader = dynamixel_sdk.GroupSyncRead(port, packets, 132, 4)
        self.assertTrue(reader.addParam(1) and reader.addParam(2))
        self.assertEqual(reader.txRxPacket(), dynamixel_sdk.COMM_SUCCESS)
        self.assertAlmostEqual(reader.getData(1, 132, 4), 1934, delta=20)
        self.assertAlmostEqual(reader.getData(2, 132, 4), 2048, delta=12)

    def test_our_frames_are_what_the_makers_sdk_writes(self):
        host, device = drive(self, "dynamixel-xl330-pair", self.folder)
        packets, seen = dynamixel_sdk.PacketHandler(2.0), set()
        for frame in packets2(host):
            # Its own CRC, and one of a general library.
            self.assertEqual(Crc16Buypass.calc(frame[:-2]), frame[-2] + 256 * frame[-1])
            if b"\xff\xff\xfd" not in frame[7:]:  # the SDK for Python writes no stuffing
                port = Written()
                packets.txPacket(port, [0, 0, 0, 0, *frame[4:-2], 0, 0])
                self.assertEqual(port.bytes, frame)
            seen.add(frame[7])
        self.assertLessEqual({2, 3, 0x82, 0x83}, seen, "read, write, sync read, sync write")
        self.assertGreater(len(list(packets2(device))), 50)


def packets2(stream):
    """Complete packets of protocol 2.0, with filler between them."""
    at = 0
    while (at := stream.find(b"\xff\xff\xfd\x00", at)) >= 0 and at + 7 <= len(stream):
        length = stream[at + 5] + 256 * stream[at + 6] + 7
        frame = stream[at:at + length]
        if len(frame) == length and Crc16Buypass.calc(frame[:-2]) == frame[-2] + 256 * frame[-1]:
            yield bytes(frame)
            at += length
        else:
            at += 1


if __name__ == "__main__":
    unittest.main()
