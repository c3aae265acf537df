"""MAVLink: pymavlink as the master of our simulated gimbal, compared with our driver's frames, and as a gimbal for our daemon."""

import math
import time
import unittest

from lines import Line
from programs import ROOT, Case, Daemon, Rig, drive
from pymavlink.dialects.v20 import common as mav

COMPUTER, GIMBAL = mav.MAV_COMP_ID_ONBOARD_COMPUTER, mav.MAV_COMP_ID_GIMBAL
LEVEL = mav.GIMBAL_MANAGER_FLAGS_ROLL_LOCK | mav.GIMBAL_MANAGER_FLAGS_PITCH_LOCK
YAW_IN_VEHICLE = mav.GIMBAL_MANAGER_FLAGS_YAW_IN_VEHICLE_FRAME


class Party:
    """pymavlink on a line: the received messages, in order, and a sender."""

    def __init__(self, line, component):
        self.line = line
        self.mav = mav.MAVLink(line, srcSystem=1, srcComponent=component)
        self.mav.robust_parsing = True
        self.heard, self.passed = [], 0

    def listen(self, seconds):
        """Reads until then, or returns at once if something is there already."""
        came = self.mav.parse_buffer(self.line.read(seconds)) or []
        self.heard += came
        return came

    def wait(self, kind, holds=lambda message: True, seconds=3):
        """The first such message after the last one that was waited for."""
        end = time.monotonic() + seconds
        while True:
            while self.passed < len(self.heard):
                message = self.heard[self.passed]
                self.passed += 1
                if message.get_type() == kind and holds(message):
                    return message
            if time.monotonic() > end:
                raise AssertionError(f"no {kind} in {seconds} s; received {[str(message) for message in self.heard[-5:]]}")
            self.listen(0.05)

    def command(self, number, *parameters):
        """The result of a COMMAND_LONG."""
        self.mav.command_long_send(1, GIMBAL, number, 0, *parameters, *[0] * (7 - len(parameters)))
        return self.wait("COMMAND_ACK", lambda message: message.command == number).result


def looks_to(q):
    """Pan and tilt (deg) of a forward view, rotated by a quaternion: x forward, y right, z down."""
    w, x, y, z = q
    forward = (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))
    return math.degrees(math.atan2(forward[1], forward[0])), math.degrees(math.asin(max(-1, min(1, -forward[2]))))


class OurGimbal(Case):
    """The ground station is pymavlink."""

    def setUp(self):
        super().setUp()
        self.rig = Rig(self.folder, "rig", "storm32-mavlink")
        self.addCleanup(self.rig.close)
        line = Line(self.rig.path)
        self.addCleanup(line.close)
        self.station = Party(line, COMPUTER)

    def beat(self):
        self.station.mav.heartbeat_send(mav.MAV_TYPE_ONBOARD_CONTROLLER, mav.MAV_AUTOPILOT_INVALID, 0, 0, mav.MAV_STATE_ACTIVE)

    def stream(self, seconds, **values):
        """Sends GIMBAL_MANAGER_SET_PITCHYAW at 20 Hz. Returns the attitude reports received meanwhile."""
        given = {name: values.get(name, math.nan) for name in ("pitch", "yaw", "pitch_rate", "yaw_rate")}
        end, reports = time.monotonic() + seconds, []
        while time.monotonic() < end:
            self.station.mav.gimbal_manager_set_pitchyaw_send(1, GIMBAL, LEVEL | YAW_IN_VEHICLE, GIMBAL, **given)
            reports += [m for m in self.station.listen(0.05) if m.get_type() == "GIMBAL_DEVICE_ATTITUDE_STATUS"]
            time.sleep(0.02)
        return reports

    def test_it_is_greeted_taken_and_turned(self):
        station = self.station
        self.beat()
        beat = station.wait("HEARTBEAT")
        self.assertEqual((beat.type, beat.autopilot), (mav.MAV_TYPE_GIMBAL, mav.MAV_AUTOPILOT_INVALID))
        self.assertEqual((beat.get_srcSystem(), beat.get_srcComponent()), (1, GIMBAL))
        self.assertEqual(station.command(mav.MAV_CMD_REQUEST_MESSAGE, 283), mav.MAV_RESULT_ACCEPTED)
        device = station.wait("GIMBAL_DEVICE_INFORMATION")
        self.assertEqual((device.vendor_name, device.model_name), ("Acme", "Gimbal 3"))
        self.assertAlmostEqual(math.degrees(device.yaw_max), 150, places=3)
        self.assertAlmostEqual(math.degrees(device.pitch_min), -60, places=3)
        self.assertEqual(station.command(mav.MAV_CMD_REQUEST_MESSAGE, 280), mav.MAV_RESULT_ACCEPTED)
        manager = station.wait("GIMBAL_MANAGER_INFORMATION")
        self.assertEqual(manager.gimbal_device_id, GIMBAL)
        self.assertTrue(manager.cap_flags & mav.GIMBAL_MANAGER_CAP_FLAGS_HAS_YAW_AXIS)
        self.assertAlmostEqual(math.degrees(manager.pitch_max), 30, places=3)
        # It rejects an unknown request.
        self.assertEqual(station.command(mav.MAV_CMD_REQUEST_MESSAGE, 24), mav.MAV_RESULT_UNSUPPORTED)

        # Without control nothing moves.
        self.stream(0.4, pitch=0.2, yaw=0.4)
        self.assertEqual(self.rig.pose()[:2], (0, 0))
        self.assertEqual(
            station.command(mav.MAV_CMD_DO_GIMBAL_MANAGER_CONFIGURE, 1, COMPUTER, -1, -1, 0, 0, GIMBAL),
            mav.MAV_RESULT_ACCEPTED)
        status = station.wait("GIMBAL_MANAGER_STATUS", lambda m: m.primary_control_compid != 0)
        self.assertEqual((status.primary_control_sysid, status.primary_control_compid), (1, COMPUTER))
        self.assertEqual(
            station.command(mav.MAV_CMD_SET_MESSAGE_INTERVAL, 285, 20_000), mav.MAV_RESULT_ACCEPTED)

        reports = self.stream(1.5, pitch=math.radians(12), yaw=math.radians(35))
        self.assertGreater(len(reports), 20, "50 a second were requested")
        pan, tilt, _ = self.rig.pose()
        self.assertAlmostEqual(pan, 35, delta=0.5)
        self.assertAlmostEqual(tilt, 12, delta=0.5)
        there = looks_to(reports[-1].q)
        self.assertAlmostEqual(there[0], pan, delta=0.5)
        self.assertAlmostEqual(there[1], tilt, delta=0.5)
        self.assertEqual(reports[-1].failure_flags, 0)

        # Rates: left and down; zero rates are a stop.
        reports = self.stream(0.8, pitch_rate=math.radians(-10), yaw_rate=math.radians(-20))
        self.assertAlmostEqual(math.degrees(reports[-1].angular_velocity_y), -10, delta=2)
        self.assertLess(looks_to(reports[-1].q)[0], 30)
        self.stream(0.5, pitch_rate=0, yaw_rate=0)
        self.assertLess(abs(self.rig.pose()[2]), 0.5)
        self.assertFalse([m for m in station.heard if m.get_type() == "BAD_DATA"])
        # After release it has no owner, and obeys no component.
        self.assertEqual(station.command(mav.MAV_CMD_DO_GIMBAL_MANAGER_CONFIGURE, -3, -3, -3, -3, 0, 0, GIMBAL), 0)
        before = self.rig.pose()[0]
        self.stream(0.4, pitch=0, yaw=1.2)
        self.assertAlmostEqual(self.rig.pose()[0], before, delta=0.2)


class OurDriver(Case):
    """Our driver's messages, decoded by pymavlink."""

    def test_its_frames(self):
        host, device = drive(self, "storm32-mavlink", self.folder)
        self.assertFalse(set(kinds(parsed(self, device))) - {
            "HEARTBEAT", "COMMAND_ACK", "GIMBAL_DEVICE_INFORMATION", "GIMBAL_DEVICE_ATTITUDE_STATUS",
            "GIMBAL_MANAGER_STATUS"})
        messages = parsed(self, host)
        self.assertLessEqual({"HEARTBEAT", "COMMAND_LONG", "GIMBAL_MANAGER_SET_PITCHYAW"}, set(kinds(messages)))
        for before, after in zip(messages, messages[1:]):
            # The guard's copy of a stop was encoded earlier than it is sent.
            if not is_stop(after):
                step = (after.get_seq() - before.get_seq()) % 256
                self.assertTrue(0 < step < 128 or is_stop(before), f"{before.get_seq()} -> {after.get_seq()}")
        for message in messages:
            self.assertEqual((message.get_srcSystem(), message.get_srcComponent()), (1, COMPUTER))
        beat = next(m for m in messages if m.get_type() == "HEARTBEAT")
        self.assertEqual((beat.type, beat.mavlink_version), (mav.MAV_TYPE_ONBOARD_CONTROLLER, 3))
        asked = [(m.command, m.param1) for m in messages if m.get_type() == "COMMAND_LONG"]
        for wanted in (
            (mav.MAV_CMD_REQUEST_MESSAGE, 283), (mav.MAV_CMD_DO_GIMBAL_MANAGER_CONFIGURE, 1),
            (mav.MAV_CMD_SET_MESSAGE_INTERVAL, 285)):
            self.assertIn(wanted, asked)
        goals = [m for m in messages if m.get_type() == "GIMBAL_MANAGER_SET_PITCHYAW"]
        for goal in goals:
            self.assertEqual((goal.target_system, goal.target_component, goal.gimbal_device_id), (1, GIMBAL, GIMBAL))
            self.assertEqual(goal.flags, LEVEL | YAW_IN_VEHICLE)
        places = [(math.degrees(g.yaw), math.degrees(g.pitch)) for g in goals if not math.isnan(g.yaw)]
        # "orient 20 10", then "velocity -15 0", then "stop".
        self.assertAlmostEqual(max(p[0] for p in places), 20, delta=1.5)
        self.assertAlmostEqual(max(p[1] for p in places), 10, delta=1.5)
        self.assertLess(places[-1][0], 20)
        # The last messages are a stop, with rates of zero and no angles.
        self.assertTrue(is_stop(goals[-1]))
        self.assertIs(messages[-1], goals[-1])


def kinds(messages):
    return [message.get_type() for message in messages]


def is_stop(message):
    return message.get_type() == "GIMBAL_MANAGER_SET_PITCHYAW" and message.pitch_rate == 0 and message.yaw_rate == 0


def parsed(test, stream):
    """All messages of a stream; between them only the zeros that precede a stop."""
    reader = mav.MAVLink(None)
    reader.robust_parsing = True
    messages = []
    for message in reader.parse_buffer(stream):
        if message.get_type() == "BAD_DATA":
            test.assertEqual(bytes(message.data).strip(b"\0"), b"", "bytes that are not a message")
        else:
            messages.append(message)
    return messages


class TheirGimbal(Case):
    """The gimbal is pymavlink's: its encoder, its parser."""

    PROFILE = (ROOT / "profiles/storm32-mavlink.toml").read_text()

    def test_the_daemon_steers_it(self):
        profile = f"{self.folder}/gimbal.toml"
        with open(profile, "w") as file:
            file.write(self.PROFILE + "battery = 1\n")
        line = Line()
        self.addCleanup(line.close)
        gimbal = Party(line, GIMBAL)
        daemon = Daemon(line.path, profile, self.folder)
        self.addCleanup(daemon.close)
        self.begin, self.yaw, self.pitch, self.owner = time.monotonic(), 0.0, 0.0, (0, 0)
        self.interval, self.next, self.next_beat, self.goals = 0.2, 0.0, 0.0, []

        self.play_until(gimbal, lambda: any("dock ready" in told for told in daemon.told.lines), 5)
        self.assertIn("dock ready: Their Own 8877665544332211, firmware 4.5.6", daemon.told.lines[0])
        self.assertEqual(self.owner, (1, COMPUTER))
        daemon.type("orient 25 -15 in 1")
        self.play_until(gimbal, lambda: self.is_at(25, -15), 4)
        self.play(gimbal, 0.3)
        # The daemon computes its pose from their quaternions.
        pan, tilt = daemon.pose()
        self.assertAlmostEqual(pan, 25, delta=1)
        self.assertAlmostEqual(tilt, -15, delta=1)
        battery = daemon.ask("status")["battery"]["batteries"]
        self.assertEqual([round(one["level"] or 0, 2) for one in battery], [0.8])
        daemon.type("velocity -20 10 for 0.5")
        self.play_until(gimbal, lambda: self.yaw < math.radians(18), 3)
        self.assertGreater(self.pitch, math.radians(-14))
        daemon.type("stop")
        self.play(gimbal, 0.4)
        yaw = self.yaw
        self.play(gimbal, 0.3)
        self.assertEqual(self.yaw, yaw, "it turns after a stop")
        self.assertFalse([m for m in gimbal.heard if m.get_type() == "BAD_DATA" and bytes(m.data).strip(b"\0")])

    def is_at(self, pan, tilt):
        return abs(math.degrees(self.yaw) - pan) < 0.5 and abs(math.degrees(self.pitch) - tilt) < 0.5

    def play_until(self, gimbal, holds, seconds):
        """Runs the gimbal until the condition holds; fails otherwise."""
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise AssertionError(f"not in {seconds} s: yaw {self.yaw}, pitch {self.pitch}, owner {self.owner}")
            self.play(gimbal, 0.02)

    def play(self, gimbal, seconds):
        """Runs the gimbal for this time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for message in gimbal.listen(0.01):
                self.obey(gimbal.mav, message)
            now = time.monotonic()
            if now >= self.next_beat:
                self.next_beat = now + 1
                gimbal.mav.heartbeat_send(mav.MAV_TYPE_GIMBAL, mav.MAV_AUTOPILOT_INVALID, 0, 0, mav.MAV_STATE_ACTIVE)
                gimbal.mav.battery_status_send(
                    0, mav.MAV_BATTERY_FUNCTION_ALL, mav.MAV_BATTERY_TYPE_LIPO, 2500, [7400] + [65535] * 9, 150, -1, -1, 80)
                gimbal.mav.gimbal_manager_status_send(self.since(), 0, GIMBAL, *self.owner, 0, 0)
            if now >= self.next:
                self.next = now + self.interval
                cy, sy = math.cos(self.yaw / 2), math.sin(self.yaw / 2)
                cp, sp = math.cos(self.pitch / 2), math.sin(self.pitch / 2)
                gimbal.mav.gimbal_device_attitude_status_send(
                    0, 0, self.since(), LEVEL | YAW_IN_VEHICLE, [cy * cp, -sy * sp, cy * sp, sy * cp], 0, 0, 0, 0)

    def since(self):
        return int((time.monotonic() - self.begin) * 1000) + 5000

    def obey(self, voice, message):
        kind = message.get_type()
        if kind == "COMMAND_LONG":
            voice.command_ack_send(message.command, mav.MAV_RESULT_ACCEPTED)
            if message.command == mav.MAV_CMD_REQUEST_MESSAGE and message.param1 == 283:
                voice.gimbal_device_information_send(
                    self.since(), b"Their", b"Own", b"", 4 | 5 << 8 | 6 << 16, 0, 0x8877665544332211, 0, 0, -0.5, 0.5, -1, 0.5,
                    -2.5, 2.5)
            elif message.command == mav.MAV_CMD_SET_MESSAGE_INTERVAL:
                self.interval = message.param2 / 1e6
            elif message.command == mav.MAV_CMD_DO_GIMBAL_MANAGER_CONFIGURE:
                self.owner = (int(message.param1), int(message.param2))
                voice.gimbal_manager_status_send(self.since(), 0, GIMBAL, *self.owner, 0, 0)
        elif kind == "GIMBAL_MANAGER_SET_PITCHYAW" and not math.isnan(message.yaw):
            # It is there at once: the signs count here.
            self.yaw, self.pitch = message.yaw, message.pitch


if __name__ == "__main__":
    unittest.main()
