"""DLP/1: the frames of our daemon and of our dock, decoded and encoded with third-party COBS and CRC (dlp.py)."""

import struct
import unittest

from dlp import *
from dock_host import Host
from lines import Line
from programs import Case, Rig, drive

# The types that a host and a dock may use, and the shortest body of each.
HOST = {
    HELLO: 4, TIME: 4, GET_LIMITS: 1, SETPOINT: 18, LIMITS: 21, EVENT_ACK: 1, PARAM: 6, TORQUE: 2, HOME: 0, SAVE: 0, REBOOT: 4,
    ESTOP: 1,
}
DOCK = {MOTION: 24, POWER: 7, EVENT: 8, 0x83: 1, ACK: 3, HELLO_ACK: 38, TIME_ACK: 8, LIMITS_ARE: 21, PARAM_IS: 5}


class Frames(Case):
    def test_both_ways(self):
        host, device = drive(self, "dlp-dock", self.folder)
        for stream, known in ((host, HOST), (device, DOCK)):
            for frame in frames(stream):
                self.assertIn(frame.kind, known)
                self.assertGreaterEqual(len(frame.body), known[frame.kind], f"type {frame.kind:02x}")
                self.assertLessEqual(len(frame.body), LONGEST)
        said = list(frames(host))
        self.assertLessEqual({HELLO, TIME, SETPOINT, PARAM, TORQUE}, {frame.kind for frame in said})
        self.assertEqual(next(frame.body for frame in said if frame.kind == HELLO)[:3], bytes([1, 1, LONGEST]))
        goals = [setpoint_of(frame.body) for frame in said if frame.kind == SETPOINT]
        self.assertTrue(any(goal.pan_rate > 10_000 and goal.tilt_rate > 3_000 for goal in goals), "orient 20 10: right and up")
        self.assertTrue(any(-15_500 < goal.pan_rate < -3_000 and abs(goal.tilt_rate) < 500 for goal in goals), "velocity -15 0")
        # None is late, and the last one is a stop.
        self.assertTrue(all(5 <= goal.deadman <= 100 for goal in goals))
        self.assertEqual((said[-1].kind, goals[-1].mode), (SETPOINT, IDLE))
        reports = [motion_of(frame.body) for frame in frames(device) if frame.kind == MOTION]
        self.assertGreater(max(report.pan for report in reports), 18_000)
        self.assertGreater(max(report.tilt for report in reports), 8_500)
        for before, after in zip(reports, reports[1:]):
            elapsed = (after.time - before.time) & 0xFFFFFFFF
            self.assertGreater(elapsed, 0)
            # The sign of its rate agrees with its positions. Two reports in quick succession differ only by noise.
            speed = (after.pan - before.pan) / elapsed * 1e6
            if elapsed > 15_000 and abs(speed) > 15_000:
                self.assertGreater(speed * (before.pan_rate + after.pan_rate), 0)


class Master(Case):
    def test_a_dock_is_greeted_and_turned(self):
        rig = Rig(self.folder, "rig")
        self.addCleanup(rig.close)
        host = Host(Line(rig.path))
        self.addCleanup(host.close)
        host.steer(30, 0)
        host.listen(0.2)
        self.assertEqual(rig.pose()[:2], (0, 0), "it moves before the handshake")

        hello = host.greet()
        self.assertEqual(hello.proto, 1)
        self.assertIn("simulated", hello.model)
        after = len(host.frames)
        host.say(TIME, struct.pack("<I", 123_456))
        self.assertEqual(struct.unpack_from("<I", host.wait(TIME_ACK, after=after))[0], 123_456)
        self.assertEqual(host.ask(TORQUE, bytes([3, 1])), OK)
        self.assertEqual(host.param(RATE, 50), 50)

        for _ in range(25):
            number = host.steer(30, -10)
            host.listen(0.02)
        moved = host.motion()
        self.assertGreater(moved.pan, 5_000)
        self.assertLess(moved.tilt, -1_500)
        self.assertAlmostEqual(moved.pan_rate, 30_000, delta=4_000)
        self.assertAlmostEqual(moved.tilt_rate, -10_000, delta=2_000)
        self.assertEqual((moved.flags & F_TORQUE, moved.fault), (F_TORQUE, 0))
        self.assertLess((number - moved.last) & 0xFF, 8)
        # Nothing more is sent: its deadman stops it, and it reports that.
        self.assertTrue(rig.wait(lambda speed, _: speed < 0.5, 1), "it keeps turning without set-points")
        self.assertTrue(host.motion(lambda now: now.flags & F_DEADMAN))
        # To a position, in milli-degrees.
        host.drive(1.6, -12, 20, mode=PLACE)
        pan, tilt, _ = rig.pose()
        self.assertAlmostEqual(pan, -12, delta=0.3)
        self.assertAlmostEqual(tilt, 20, delta=0.3)
        # A frame with one wrong bit is dropped and counted.
        wrong = bytearray(encoded(SETPOINT, host.sequence, setpoint(pan_rate=30_000)))
        wrong[3] ^= 0x40
        host.line.write(wrong)
        host.listen(0.2)
        self.assertIn("1 invalid", rig.tell("status"))
        self.assertAlmostEqual(rig.pose()[0], -12, delta=0.3)
        # Latched, until it is cleared.
        self.assertEqual(host.ask(ESTOP, bytes([1])), OK)
        after = len(host.frames)
        host.steer(30, 0)
        self.assertEqual(host.wait(ACK, lambda body: body[0] == SETPOINT, after=after)[2], STOPPED)
        self.assertEqual(host.bad, 0)


if __name__ == "__main__":
    unittest.main()
