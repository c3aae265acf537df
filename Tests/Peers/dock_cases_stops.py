"""What any dock must do: stops, deadman and latches, and torque."""

import struct

from dlp import *
from dock_bench import DockBench


class StopCases(DockBench):
    def test_the_deadman(self):
        self.host.arm(100)
        way = 1
        for deadman, least, most in ((25, 0.25, 0.4), (10, 0.1, 0.25), (0, 0.05, 0.2), (50, 0.5, 0.65)):
            with self.subTest(deadman=deadman):
                after = len(self.host.frames)
                last = self.host.drive(0.35, 30 * way, 0, deadman=deadman)
                stood = self.host.motion(lambda now: now.flags & F_DEADMAN and now.pan_rate == 0)
                motions = [one for one in self.host.motions(after) if one.at > last]
                # From the last set-point to the report of it, which the dock sends every 10 ms.
                told = next(one for one in motions if one.flags & F_DEADMAN)
                slower = next(one for one in motions if abs(one.pan_rate) < 29_000)
                self.assertTrue(least - 0.01 <= told.at - last <= most, told.at - last)
                self.assertTrue(least - 0.01 <= slower.at - last <= most, slower.at - last)
                self.host.listen(0.2)
                now = self.host.motion()
                self.assertEqual((now.pan, now.pan_rate, now.flags & F_DEADMAN), (stood.pan, 0, F_DEADMAN))
                # The next set-point clears it.
                self.host.drive(0.15, -30 * way, 0)
                self.assertFalse(self.host.motion().flags & F_DEADMAN)
                self.host.steer(mode=IDLE)
                way = -way

    def test_limits_that_are_gentle_do_not_soften_the_deadman(self):
        self.host.arm(100)
        wide = self.host.limits(0)
        # One degree per second squared: from 15 degrees per second a stop takes 15 seconds.
        gentle = wide[:3] + (1000, wide[4])
        narrow = lambda limits: self.assertEqual(self.host.ask(LIMITS, struct.pack("<BiiIII", 0, *limits)), OK)
        stands = lambda: self.host.motion(lambda now: abs(now.pan_rate) < 1000)
        self.host.drive(1.2, -60, 0, mode=PLACE)
        self.host.drive(0.3, 15, 0)
        narrow(gentle)
        self.host.steer(mode=IDLE)
        self.host.listen(0.6)
        self.assertGreater(self.host.motion().pan_rate, 10_000, "a requested stop is as gentle as requested")
        narrow(wide)
        stands()
        self.host.drive(0.3, 15, 0)
        narrow(gentle)
        last = self.host.drive(0.2, 15, 0)
        before = self.host.motions()[-1]
        self.assertGreater(before.pan_rate, 14_000)
        # The deadman, 15 deg/s at 400 deg/s^2, and the servo's lag until it is reported.
        self.assertLess(stands().at - last, 0.7)
        self.assertTrue(self.host.motion().flags & F_DEADMAN)
        self.assertLess(self.host.rest_pose()[0] - before.pan / 1000, 15 * 0.5)
        # The same applies to homing, which the host's silence ends.
        narrow(wide)
        self.assertEqual(self.host.ask(HOME), OK)
        self.host.listen(0.5)
        narrow(gentle)
        last = self.host.frames[-1].at
        self.host.listen(1.2)
        self.assertGreater(self.host.motion().pan_rate, 4_000)
        self.assertLess(stands().at - last, 2.0)
        self.assertTrue(self.host.motion().flags & F_DEADMAN)

    def test_the_emergency_stop_is_latched(self):
        self.host.arm(100)
        self.host.drive(0.5, 60, 0)
        self.assertEqual(self.host.ask(ESTOP, bytes([1])), OK)
        pose = self.host.rest_pose()
        after = len(self.host.frames)
        self.host.drive(1.2, 60, 0)
        # Reported at once and at most twice a second.
        refusals = [frame.body for frame in self.host.frames[after:] if frame.kind == ACK]
        self.assertTrue(2 <= len(refusals) <= 3, refusals)
        self.assertTrue(all(body[0] == SETPOINT and body[2] == STOPPED for body in refusals))
        self.assertEqual(self.host.ask(HOME), STOPPED)
        self.host.greet()
        self.assertEqual(self.host.ask(TORQUE, bytes([3, 1])), STOPPED)
        self.assertTrue(self.host.motion().flags & F_STOPPED)
        self.assertEqual(self.host.rest_pose(), pose)
        self.assertEqual(self.host.ask(ESTOP, bytes([9])), RANGE)
        self.assertEqual(self.host.ask(ESTOP, bytes([2])), OK)
        self.host.listen(0.3)
        self.assertEqual(self.host.rest_pose(), pose, "it moves by itself after the clear")
        self.host.drive(0.4, 60, 0)
        self.assertGreater(self.host.rest_pose()[0], pose[0] + 5)

    def test_torque_off_ends_the_pulses(self):
        self.host.arm()
        self.host.drive(0.5, 30, 10)
        self.assertEqual(self.host.ask(TORQUE, bytes([2, 0])), OK)
        self.host.listen(0.1)
        self.assert_pulsing(True, False)
        self.assertEqual(self.host.ask(TORQUE, bytes([1, 0])), OK)
        self.host.listen(0.1)
        self.assert_pulsing(False, False)
        pose = self.host.rest_pose()
        self.assertFalse(self.host.motion().flags & F_TORQUE)
        self.assertEqual(self.host.ask(TORQUE, bytes([3, 1])), OK)
        self.host.listen(0.1)
        self.assertEqual(self.host.rest_pose(), pose)
        self.assertTrue(self.host.motion().flags & F_TORQUE)
        self.assert_pulses(*pose)
