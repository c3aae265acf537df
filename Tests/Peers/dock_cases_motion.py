"""What any dock must do: handshake, motion, limits."""

import struct
import time

from dlp import *
from dock_bench import DockBench


class MotionCases(DockBench):
    # Handshake

    def test_it_tells_who_it_is(self):
        first = self.host.greet()
        self.assertEqual((first.proto, first.caps, first.model, first.rate), (1, self.capabilities, self.model, 100))
        self.assertNotIn(first.uid, (0, 2 ** 64 - 1))
        again = self.power_cycle()
        self.assertEqual((again.uid, again.model), (first.uid, first.model))
        if self.can_save:
            self.assertNotEqual(again.boot, first.boot)

    def test_nothing_moves_before_greeting_and_torque(self):
        self.assertTrue(self.host.motion().flags & F_NOT_GREETED)
        number = self.host.steer(30, 0)
        self.assertEqual(self.host.wait(ACK), bytes([SETPOINT, number, NOT_ARMED]))
        self.assertEqual(self.host.ask(TORQUE, bytes([3, 1])), NOT_ARMED)
        self.host.drive(0.2, 30, 10)
        self.host.drive(0.2, 20, 10, mode=PLACE)
        now = self.host.motion()
        self.assertEqual((now.pan, now.tilt, now.flags & F_MOVING), (0, 0, 0))
        self.host.greet()
        self.host.drive(0.5, 30, 10)
        self.host.drive(0.2, 20, 10, mode=PLACE)
        self.assertEqual(self.host.ask(HOME), NOT_ARMED)
        now = self.host.motion()
        self.assertEqual((now.pan, now.tilt, now.flags & (F_TORQUE | F_NOT_GREETED)), (0, 0, 0))
        self.assert_pulsing(False, False)

    def test_a_version_that_it_does_not_speak(self):
        self.host.motion()  # before it reports anything it receives nothing
        for is_armed in (False, True):
            with self.subTest(is_armed=is_armed):
                if is_armed:
                    self.host.arm()
                    self.host.drive(0.3, 30, 0)
                self.assertEqual(self.host.ask(HELLO, bytes([2, 9, LONGEST, 0])), VERSION)
                self.assertEqual(self.host.ask(TORQUE, bytes([3, 1])), VERSION)
                pose = self.host.rest_pose()
                self.host.drive(0.3, 30, 0)
                self.assertEqual(self.host.rest_pose(), pose)
        self.host.greet()
        self.host.drive(0.3, 30, 0)
        self.assertGreater(self.host.rest_pose()[0], pose[0] + 3)

    # Motion

    def test_it_turns_as_it_is_told_and_its_pulses_with_it(self):
        self.host.arm(100)
        after = len(self.host.frames)
        number = 0
        for _ in range(60):
            number = self.host.steer(40, -15)
            self.host.listen(0.02)
        fast = self.host.motions(after)[-1]
        self.assertAlmostEqual(fast.pan_rate, 40_000, delta=200)
        self.assertAlmostEqual(fast.tilt_rate, -15_000, delta=200)
        self.assertLess((number - fast.last) & 0xFF, 4)
        self.assertTrue(fast.flags & F_MOVING and fast.flags & F_TORQUE)
        rates = self.host.motions(after)
        for before, later in zip(rates, rates[1:]):
            passed = ((later.time - before.time) & 0xFFFFFFFF) / 1e6
            self.assertLessEqual(abs(later.pan_rate - before.pan_rate) / 1000, self.acceleration * (passed + 0.006))
        self.host.steer(mode=IDLE)
        pan, tilt = self.host.rest_pose()
        self.assertGreater(pan, 35)
        self.host.listen(0.05)
        self.assert_pulses(pan, tilt)

    def test_places(self):
        self.host.arm()
        self.host.drive(1.2, -12, 20, mode=PLACE)
        pan, tilt = self.host.rest_pose()
        self.assertAlmostEqual(pan, -12, delta=0.05)
        self.assertAlmostEqual(tilt, 20, delta=0.05)

    def homings(self):
        """Returns how each homing ended, once one has. On a busy machine the emulator takes many times as long."""
        ends = []
        for _ in range(400):
            self.host.say(TIME, bytes(4))
            self.host.listen(0.1)
            # The dock repeats an event until it is acknowledged.
            ends = list({event.id: event.value for event in self.host.events() if event.kind == HOMED}.values())
            if ends:
                break
        return ends

    def test_home_and_what_breaks_it_off(self):
        self.host.arm()
        self.host.drive(1.2, 30, -20, mode=PLACE)
        self.assertEqual(self.host.ask(HOME), OK)
        number = self.host.steer(10, 0)
        self.assertEqual(self.host.wait(ACK, lambda body: body[0] == SETPOINT), bytes([SETPOINT, number, BUSY]))
        self.assertEqual(self.homings(), [0])
        self.assertLess(max(map(abs, self.host.rest_pose())), 0.05)

    def test_homing_ends_where_the_limits_have_come_to(self):
        self.host.arm()
        self.host.drive(1.2, 40, 30, mode=PLACE)
        self.assertEqual(self.host.ask(HOME), OK)
        # 0 is outside, for one axis because of its limits, and for the other because of them and of its trim.
        self.assertEqual(self.host.ask(LIMITS, struct.pack("<BiiIII", 0, 25_000, 60_000, 120_000, 400_000, 9)), OK)
        self.assertEqual(self.host.ask(LIMITS, struct.pack("<BiiIII", 1, -30_000, -22_000, 90_000, 400_000, 9)), OK)
        self.assertEqual(self.host.param(TILT_TRIM, 5_000), 5_000)
        self.assertEqual(set(self.homings()), {0})
        pan, tilt = self.host.rest_pose()
        self.assertAlmostEqual(pan, 25, delta=0.05)
        self.assertAlmostEqual(tilt, -22, delta=0.05)

    def test_a_stop(self):
        self.host.arm(100)
        self.host.drive(0.6, 60, 30)
        self.host.steer(mode=IDLE)
        told = time.monotonic()
        while abs(self.host.motion().pan_rate) > 1000:
            self.assertLess(time.monotonic() - told, 0.6, "60 deg/s at 400 deg/s^2 takes 0.15 s, plus the servo's lag")
        self.host.rest_pose()
        self.assertTrue(self.host.motion().flags & F_TORQUE)

    # Limits

    def test_limits(self):
        self.host.arm(100)
        for axis, reach, speed in ((0, self.pan_range, self.pan_speed), (1, self.tilt_range, self.tilt_speed)):
            low, high, fastest, acceleration, _ = self.host.limits(axis)
            self.assertEqual((low, high, fastest, acceleration),
                             (reach[0] * 1000, reach[1] * 1000, speed * 1000, self.acceleration * 1000))
        # Limits wider than the compiled ones change nothing.
        for axis in (0, 1):
            wide = struct.pack("<BiiIII", axis, -200_000, 200_000, 900_000, 2_000_000, 12_000_000)
            self.assertEqual(self.host.ask(LIMITS, wide), OK)
        after = len(self.host.frames)
        self.host.drive(1.8, 900, -900)
        self.assertEqual(self.host.motion().flags & F_ENDS, F_PAN_HIGH | F_TILT_LOW)
        self.host.drive(2.2, -900, 900)
        self.assertEqual(self.host.motion().flags & F_ENDS, F_PAN_LOW | F_TILT_HIGH)
        motions = self.host.motions(after)
        for one in motions:
            for place, (low, high) in ((one.pan, self.pan_range), (one.tilt, self.tilt_range)):
                # Two thousandths of a degree for rounding.
                self.assertTrue(low * 1000 - 2 <= place <= high * 1000 + 2, one)
        for fastest, speed in ((max(abs(one.pan_rate) for one in motions), self.pan_speed * 1000),
                               (max(abs(one.tilt_rate) for one in motions), self.tilt_speed * 1000)):
            self.assertTrue(0.8 * speed < fastest <= speed, fastest)
        pan, tilt = self.host.rest_pose()
        self.assertAlmostEqual(pan, self.pan_range[0], delta=0.1)
        self.assertAlmostEqual(tilt, self.tilt_range[1], delta=0.1)
        told = {(event.kind, event.value) for event in self.host.events(after)}
        self.assertLessEqual({(LIMIT, 0x101), (LIMIT, 0x000)}, told)

    def test_limits_are_narrowed_and_never_widened(self):
        self.host.arm()
        narrow = lambda axis, *values: self.host.ask(LIMITS, struct.pack("<BiiIII", axis, *values))
        self.assertEqual(narrow(0, -10_000, 10_000, 20_000, 200_000, 9), OK)
        self.assertEqual(self.host.limits(0), (-10_000, 10_000, 20_000, 200_000, 9))
        after = len(self.host.frames)
        self.host.drive(1.2, 900, 0)
        self.assertAlmostEqual(self.host.rest_pose()[0], 10, delta=0.1)
        self.assertLessEqual(max(one.pan_rate for one in self.host.motions(after)), 20_000)
        self.assertEqual(narrow(0, 1000, 900, 20_000, 200_000, 9), RANGE)
        self.assertEqual(narrow(0, -10_000, 10_000, 0, 200_000, 9), RANGE)
        self.assertEqual(narrow(7, -10_000, 10_000, 20_000, 200_000, 9), RANGE)
        self.assertEqual(narrow(0, -2 ** 31, 2 ** 31 - 1, 2 ** 32 - 1, 2 ** 32 - 1, 2 ** 32 - 1), OK)
        self.assertEqual(self.host.limits(0)[:3], (self.pan_range[0] * 1000, self.pan_range[1] * 1000, self.pan_speed * 1000))
        # Limits narrowed during a motion are obeyed.
        self.host.drive(0.42, -110, 0)
        self.assertEqual(narrow(0, -40_000, 40_000, 20_000, 200_000, 9), OK)
        self.host.drive(1.0, -110, 0)
        after = len(self.host.frames)
        self.host.drive(1.5, -110, 0)
        self.assertLessEqual(max(abs(one.pan_rate) for one in self.host.motions(after)), 20_000)
        self.assertAlmostEqual(self.host.rest_pose()[0], -40, delta=0.2)
