"""VISCA: pyvisca and visca_over_ip as masters of our simulated camera, compared with our driver's packets."""

import time
import unittest

from lines import Line, Tap
from programs import Case, Daemon, Rig, drive
from pyvisca import visca as pyvisca
from visca_over_ip import Camera
from visca_over_ip.exceptions import ViscaException

UNITS = 14.4  # per degree, EVI-D100


class SerialCamera(Camera):
    """visca_over_ip with the header of a serial line instead of UDP's; the rest is unmodified."""

    def __init__(self, line):
        self.line, self.sent = line, []

    def _send_command(self, command_hex, query=False):
        packet = b"\x81" + (b"\x09" if query else b"\x01") + bytes.fromhex(command_hex) + b"\xff"
        self.sent.append(packet)
        if self.line is None:
            return bytes(9)
        self.line.write(packet)
        answer = self.packet()
        if answer[1] >> 4 not in (4, 5):
            raise ViscaException(answer)
        return answer[1:-1]

    def packet(self, seconds=1.0):
        """The next packet of the camera."""
        packet, end = b"", time.monotonic() + seconds
        while not packet.endswith(b"\xff"):
            if time.monotonic() > end:
                raise AssertionError(f"no answer in {seconds} s, only {packet.hex(' ')}")
            while not packet.endswith(b"\xff") and (byte := self.byte()):
                packet += byte
        return packet

    def byte(self):
        if not getattr(self, "came", b""):
            self.came = self.line.read(0.05)
        byte, self.came = self.came[:1], self.came[1:]
        return byte


class Written(pyvisca.PTZ):
    """pyvisca without a port: the bytes that it would write."""

    def __init__(self):
        self.bytes = b""
        self._output = self

    def write(self, packet):
        self.bytes = bytes(packet)


class Masters(Case):
    def setUp(self):
        super().setUp()
        self.rig = Rig(self.folder, "rig", "evi-d100")
        self.addCleanup(self.rig.close)

    def completes(self, camera):
        """Waits until the camera has reported that a command is complete. Until then pyvisca would take that report for
        the answer to its next question."""
        said, end = "", time.monotonic() + 5
        while "905" not in said and time.monotonic() < end:
            time.sleep(0.02)
            said += camera.read()
        self.assertRegex(said, "904[12]ff905[12]ff")

    def test_pyvisca(self):
        camera = pyvisca.PTZ(self.rig.path)
        self.addCleanup(camera.close)
        self.assertEqual(camera.get_power(), 1)
        camera.set_zoom(0x2345)
        self.completes(camera)
        self.assertTrue(self.rig.wait(lambda *_: camera.get_zoom() == 0x2345, 5), "the lens does not arrive")
        camera.right_up(0x0C, 0x0A)
        self.assertTrue(self.rig.wait(lambda speed, _: speed > 20, 2), "it does not turn")
        time.sleep(0.4)
        camera.stop()
        self.assertTrue(self.rig.wait(lambda speed, _: speed < 0.5, 1), "it does not stop")
        time.sleep(0.2)
        pan, tilt, _ = self.rig.pose()
        self.assertGreater(pan, 5)
        self.assertGreater(tilt, 3)
        self.assertAlmostEqual(camera.get_pan() / UNITS, pan, delta=0.3)
        self.assertAlmostEqual(camera.get_tilt() / UNITS, tilt, delta=0.3)
        camera.left(0x0C)
        self.assertTrue(self.rig.wait(lambda speed, _: speed > 20, 2))
        self.assertLess(self.rig.pose()[2], 0)
        camera.stop()
        self.assertTrue(self.rig.wait(lambda speed, _: speed < 0.5, 1))
        # Positions: it keeps the other axis, and counts in units.
        time.sleep(0.2)
        camera.set_pan(round(-20 * UNITS), 0x12)
        self.completes(camera)
        self.assertTrue(self.rig.comes_to(-20, tilt, within=0.3), self.rig.pose())
        # On the way to a position it accepts no other motion command; afterwards it does.
        camera.home()
        time.sleep(0.05)
        camera.right_up(1, 1)
        self.assertTrue(self.rig.comes_to(0, 0, within=0.2), self.rig.pose())
        time.sleep(0.3)
        self.assertLess(abs(self.rig.pose()[2]), 0.5)

    def test_visca_over_ip(self):
        line = Line(self.rig.path)
        self.addCleanup(line.close)
        camera = SerialCamera(line)
        # Its positive tilt is down, despite its documentation; the first answer is the acknowledgement.
        camera.pantilt(12, 10)
        self.assertEqual(camera.packet()[1] & 0xF0, 0x50, "then it is complete")
        time.sleep(0.5)
        pan, tilt, rate = self.rig.pose()
        self.assertGreater(rate, 20)
        self.assertGreater(pan, 5)
        self.assertLess(tilt, -3)
        # The manual has no speed 0.
        with self.assertRaises(ViscaException) as refused:
            camera.pantilt(0, 0)
        self.assertEqual(refused.exception.status_code, 2)
        camera._send_command("06 01 01 01 03 03")
        camera.packet()
        self.assertTrue(self.rig.wait(lambda speed, _: speed < 0.5, 1))
        time.sleep(0.1)
        pan, tilt, _ = self.rig.pose()
        there = camera.get_pantilt_position()
        self.assertAlmostEqual(there[0] / UNITS, pan, delta=0.3)
        self.assertAlmostEqual(there[1] / UNITS, tilt, delta=0.3)
        self.assertLess(there[1], 0, "a negative number in nibbles")
        # Relative, absolute, home: acknowledged at once, complete on arrival.
        camera.pantilt(16, 16, 288, 144, relative=True)
        self.assertEqual(camera.packet(3)[1] & 0xF0, 0x50)
        moved = camera.get_pantilt_position()
        self.assertAlmostEqual(moved[0] - there[0], 288, delta=3)
        self.assertAlmostEqual(moved[1] - there[1], 144, delta=3)
        camera.pantilt(16, 16, -432, 216)
        with self.assertRaises(ViscaException) as busy:
            camera.pantilt(1, 1)
        self.assertEqual(busy.exception.status_code, 0x41)
        self.assertEqual(camera.packet(3)[1] & 0xF0, 0x50)
        self.assertTrue(self.rig.comes_to(-30, 15, within=0.3), self.rig.pose())
        camera.pantilt_home()
        self.assertEqual(camera.packet(3)[1] & 0xF0, 0x50)
        self.assertTrue(self.rig.comes_to(0, 0, within=0.2), self.rig.pose())


class OurDriver(Case):
    def test_its_packets_are_what_they_would_write(self):
        host, device = drive(self, "evi-d100", self.folder)
        sony, theirs = Written(), SerialCamera(None)
        seen = set()
        theirs.get_pantilt_position()
        inquiry = theirs.sent[-1]
        for packet in packets(host):
            if packet == b"\xff":
                continue  # before a stop: ends whatever precedes it
            if packet[:4] == b"\x81\x01\x06\x01":
                speeds, ways = packet[4:6], packet[6:8]
                seen.add("stop" if ways == b"\x03\x03" else "drive")
                # For an axis that stands still pyvisca sends speed 15, visca_over_ip 00, and we the slowest.
                drives = {
                    (2, 1): sony.right_up, (2, 2): sony.right_down, (1, 1): sony.left_up, (1, 2): sony.left_down,
                    (3, 3): lambda *_: sony.stop(), (2, 3): lambda pan, _: sony.right(pan),
                    (1, 3): lambda pan, _: sony.left(pan), (3, 1): lambda _, tilt: sony.up(tilt),
                    (3, 2): lambda _, tilt: sony.down(tilt),
                }
                drives[tuple(ways)](*speeds)
                sense = {1: -1, 2: 1, 3: 0}
                theirs.pantilt(*[speed * sense[way] for speed, way in zip(speeds, ways)])
                for other in (sony.bytes, theirs.sent[-1]):
                    same = bytearray(other)
                    for axis in (0, 1):
                        if ways[axis] == 3:
                            self.assertEqual(speeds[axis], 1)
                            same[4 + axis] = 1
                    self.assertEqual(bytes(same), packet)
            elif packet[:2] == b"\x81\x09" and packet[2] == 6:
                self.assertEqual(packet, inquiry)
                seen.add("inquiry")
            elif packet[:2] == b"\x88\x01":
                sony.cancel()  # its name for it; to one camera, while we address all
                self.assertEqual(b"\x88" + sony.bytes[1:], packet)
                seen.add("clear")
            elif packet == bytes.fromhex("81090447ff"):
                seen.add("lens")
            else:
                self.assertIn(
                    packet, [bytes.fromhex(known) for known in ("883001ff", "81090002ff", "81090400ff", "8121ff", "8122ff")])
        self.assertEqual(seen, {"drive", "stop", "inquiry", "clear", "lens"})
        self.assertEqual(host[-9:], bytes.fromhex("81 01 06 01 01 01 03 03 ff"), "the last message is a stop")
        self.assertTrue(all(3 <= len(packet) <= 16 for packet in packets(device)))


    def test_zoom(self):
        rig = Rig(self.folder, "rig", "evi-d100")
        self.addCleanup(rig.close)
        tap = Tap(Line(rig.path))
        daemon = Daemon(tap.path, "evi-d100", self.folder)
        try:
            daemon.ready()
            for _ in range(3):
                daemon.type("zoom in")
                time.sleep(0.3)
        finally:
            daemon.close()
            tap.close()
        ours = [packet for packet in packets(tap.host) if packet[:4] == b"\x81\x01\x04\x47"]
        self.assertEqual(len(ours), 3)
        sony, theirs, before = Written(), SerialCamera(None), 0
        for packet in ours:
            place = int("".join(f"{nibble:x}" for nibble in packet[4:8]), 16)
            self.assertTrue(before < place <= 0x4000, "inward")
            before = place
            sony.set_zoom(place)
            theirs.zoom_to(place / 0x4000)
            self.assertEqual((sony.bytes, theirs.sent[-1]), (packet, packet))


def packets(stream):
    """Packets, which end with FF."""
    return [packet + b"\xff" for packet in bytes(stream).split(b"\xff")[:-1]]


if __name__ == "__main__":
    unittest.main()
