"""What any dock must do: its clock, input on a bad line, parameters, and failures."""

import random
import struct
import time

from dlp import *
from dock_bench import DockBench


class LineCases(DockBench):
    def test_its_clock_and_stale_setpoints(self):
        self.host.arm(100)
        for age, moves in ((0, True), (400_000, False), (150_000, True), (-1_500_000, False)):
            with self.subTest(age=age):
                before = self.host.rest_pose()[0]
                ahead = self.ahead()
                self.assertTrue(self.host.motion().flags & F_TIME)
                for _ in range(15):
                    number = self.host.steer(20, 0, sent=self.now() + ahead - age)
                    self.host.listen(0.02)
                self.assertEqual(self.host.rest_pose()[0] > before + 2, moves)
                self.assertEqual(self.host.motion().last == number, moves)

    @staticmethod
    def now():
        return time.monotonic_ns() // 1000

    def ahead(self):
        """How far its clock is ahead of ours, microseconds: the quickest of several requests is the most precise."""
        trips = []
        for _ in range(5):
            after, mine = len(self.host.frames), self.now()
            self.host.say(TIME, struct.pack("<I", mine & 0xFFFFFFFF))
            echo, theirs = struct.unpack_from("<II", self.host.wait(TIME_ACK, after=after))
            self.assertEqual(echo, mine & 0xFFFFFFFF)
            took = self.now() - mine
            trips.append((took, theirs - mine - took // 2))
        return min(trips)[1]

    def test_garbage_and_half_frames(self):
        self.host.arm()
        noise = random.Random(7)
        good = encoded(SETPOINT, 1, setpoint(pan_rate=50_000))
        for _ in range(50):
            self.host.line.write(noise.choice((
                noise.randbytes(noise.randrange(1, 90)), noise.randbytes(300), b"\xff" * 400, b"\0" * 9,
                bytes(noise.choice(good) for _ in good), good[:noise.randrange(1, len(good))] + b"\0")))
            self.host.listen(0.01)
        for cut in range(1, len(good) - 1):
            self.host.line.write(good[:cut] + b"\0")
            self.host.listen(0.005)
        wrong = bytearray(good)
        wrong[3] ^= 0x40
        self.host.line.write(wrong)
        self.assertEqual(self.host.rest_pose(), (0, 0))
        after = len(self.host.frames)
        self.host.say(TIME, struct.pack("<I", 5))
        self.assertEqual(struct.unpack_from("<I", self.host.wait(TIME_ACK, after=after))[0], 5)
        # Sent byte by byte it is still one frame.
        for byte in good:
            self.host.line.write(bytes([byte]))
            self.host.listen(0.003)
        self.host.listen(0.3)
        self.assertGreater(self.host.rest_pose()[0], 5)

    def test_bodies_that_are_short_long_or_out_of_range(self):
        self.host.greet()
        for kind, body, code in (
            (HELLO, b"\1", BAD_LENGTH), (SETPOINT, b"\1\x19", BAD_LENGTH), (SETPOINT, b"\x09" + bytes(17), RANGE),
            (LIMITS, b"\0" + bytes(10), BAD_LENGTH), (PARAM, struct.pack("<BBi", 1, RATE, 0), RANGE),
            (PARAM, struct.pack("<BBi", 0, 9, 0), RANGE), (PARAM, struct.pack("<BBi", 2, RATE, 5), RANGE),
            (TORQUE, b"\3", BAD_LENGTH), (REBOOT, bytes(4), RANGE), (ESTOP, b"", BAD_LENGTH), (ESTOP, b"\7", RANGE),
            (GET_LIMITS, b"\5", RANGE), (EVENT_ACK, b"", BAD_LENGTH), (TIME, b"\0", BAD_LENGTH)):
            with self.subTest(kind=kind, body=body):
                self.assertEqual(self.host.ask(kind, body), code)
        # Bodies grow at their ends, and unknown types are ignored.
        self.host.say(0x7E, bytes(20))
        self.assertEqual(self.host.ask(TORQUE, bytes([3, 1]) + bytes(54)), OK)
        self.host.listen(0.2)
        self.assertFalse([frame for frame in self.host.frames if frame.kind == ACK and frame.body[0] == 0x7E])
        self.host.drive(0.3, 60, 0)
        self.assertGreater(self.host.rest_pose()[0], 5)

    # Parameters

    def test_parameters_and_trims(self):
        self.host.arm()
        self.host.drive(1.0, 10, 0, mode=PLACE)
        before = self.host.rest_pose()
        self.assert_pulses(*before)
        self.assertEqual(self.host.param(PAN_TRIM, 1500), 1500)
        self.host.listen(0.2)
        # A trim moves the reading, not the servo.
        self.assertAlmostEqual(self.host.rest_pose()[0], 11.5, delta=0.05)
        self.assert_pulses(*before)
        self.assertEqual(self.host.param(IDLE_RELAX, 600), 600)
        self.assertEqual(self.host.param(RATE, 25), 25)
        self.assertEqual([self.host.param(key) for key in (RATE, PAN_TRIM, TILT_TRIM, IDLE_RELAX)], [25, 1500, 0, 600])

    def test_a_trim_takes_no_motor_beyond_what_is_compiled_in(self):
        self.host.arm(100)
        ends = [self.host.limits(axis)[:2] for axis in (0, 1)]
        for trim in (10_000, -10_000):
            with self.subTest(trim=trim):
                self.assertEqual([self.host.param(key, trim) for key in (PAN_TRIM, TILT_TRIM)], [trim, trim])
                after = len(self.host.frames)
                # The limits apply to the reading: what would take the motor too far is cut off, and nothing is added.
                for axis, (low, high) in enumerate(ends):
                    self.assertEqual(self.host.limits(axis)[:2], (max(low, low + trim), min(high, high + trim)))
                way = -200 if trim > 0 else 200
                self.drive_to_an_end(way)
                for one in self.host.motions(after):
                    for place, (low, high) in zip((one.pan, one.tilt), ends):
                        self.assertTrue(low - 2 <= place - trim <= high + 2, one)
                pose = self.host.rest_pose()
                for place, end in zip(pose, (end[trim < 0] for end in ends)):
                    self.assertAlmostEqual(place, (end + trim) / 1000, delta=0.05)
                self.assert_pulses(*(place - trim / 1000 for place in pose))

    def drive_to_an_end(self, place):
        """Drives until it has stood still for twenty reports in a row; on a busy machine a dock takes longer."""
        for _ in range(20):
            after = len(self.host.frames)
            self.host.drive(0.8, place, place, mode=PLACE)
            reports = self.host.motions(after)
            if len(reports) >= 20 and not any(one.pan_rate or one.tilt_rate for one in reports):
                return
        self.fail(f"it does not come to rest: {reports[-1:]}")

    def test_a_trim_and_limits_that_leave_no_range(self):
        self.host.arm()
        self.host.drive(0.6, 10, 0, mode=PLACE)
        pose = self.host.rest_pose()
        low, high = (end * 1000 for end in self.pan_range)
        change = lambda trim: self.host.ask(PARAM, struct.pack("<BBi", 1, PAN_TRIM, trim))
        narrow = lambda *ends: self.host.ask(LIMITS, struct.pack("<BiiIII", 0, *ends, 20_000, 200_000, 9))
        for near, far, trim in ((high - 5_000, high, -10_000), (low, low + 5_000, 10_000)):
            with self.subTest(trim=trim):
                self.assertEqual(narrow(near, far), OK)
                limits = self.host.limits(0)
                self.assertEqual(change(trim), RANGE)
                self.assertEqual((self.host.param(PAN_TRIM), self.host.limits(0)), (0, limits))
                self.assertEqual(narrow(low, high), OK)
                self.assertEqual(self.host.param(PAN_TRIM, trim), trim)
                limits = self.host.limits(0)
                self.assertEqual(narrow(near, far), RANGE)
                self.assertEqual((self.host.param(PAN_TRIM), self.host.limits(0)), (trim, limits))
                self.assertEqual(self.host.param(PAN_TRIM, 0), 0)
                self.assertEqual(self.host.limits(0)[:2], (low, high))
                self.assertEqual(self.host.rest_pose(), pose)
        self.assert_pulses(*pose)

    def test_what_save_keeps(self):
        self.host.arm()
        if not self.can_save:
            return self.assertEqual(self.host.ask(SAVE), NO_MEMORY)
        for key, value in ((RATE, 25), (PAN_TRIM, 1500), (IDLE_RELAX, 600)):
            self.assertEqual(self.host.param(key, value), value)
        self.assertEqual(self.host.ask(LIMITS, struct.pack("<BiiIII", 1, -5_000, 5_000, 20_000, 200_000, 9)), OK)
        self.assertEqual(self.host.ask(LIMITS, struct.pack("<BiiIII", 0, -200_000, 200_000, 900_000, 2_000_000, 9)), OK)
        self.assertEqual(self.host.ask(SAVE), OK)
        self.host.listen(0.8)
        self.power_cycle()
        self.assertEqual([self.host.param(key) for key in (RATE, PAN_TRIM, TILT_TRIM, IDLE_RELAX)], [25, 1500, 0, 600])
        self.assertEqual(self.host.limits(1)[:2], (-5_000, 5_000))
        # SAVE cannot widen the compiled limits; it stores the limits without what the current trim cuts off.
        low, high = (end * 1000 for end in self.pan_range)
        self.assertEqual(self.host.limits(0)[:2], (low + 1500, high))
        self.assertEqual(self.host.param(PAN_TRIM, 0), 0)
        self.assertEqual(self.host.limits(0)[:2], (low, high))

    # Failures

    def test_a_reboot_in_mid_motion(self):
        self.cuts = 2
        for how in ("asked", "button"):
            with self.subTest(how=how):
                hello = self.host.arm()
                self.host.drive(0.5, 40, 0)
                before, after = self.host.motions()[-1], len(self.host.frames)
                if how == "asked":
                    self.assertEqual(self.host.ask(REBOOT, struct.pack("<I", 1)), RANGE)
                    self.assertEqual(self.host.ask(REBOOT, b"BOOT"), OK)
                else:
                    self.dock.reset()
                anew = hello_of(self.host.wait(HELLO_ACK, after=after, seconds=4))
                self.assertEqual(anew.uid, hello.uid)
                self.assertEqual(anew.boot, hello.boot + 1 & 0xFFFF)
                after = len(self.host.frames)
                now = self.host.motion()
                self.assertLess(now.time, 2_000_000)
                # It remembers where its servos were commanded, so that their next pulse is no jump.
                self.assertGreaterEqual(now.pan, before.pan)
                self.host.drive(0.5, 40, 0)
                for one in self.host.motions(after):
                    self.assertEqual((one.pan, one.pan_rate, one.flags & (F_TORQUE | F_MOVING | F_NOT_GREETED)),
                                     (now.pan, 0, F_NOT_GREETED))
                self.assert_pulsing(False, False)

    def test_a_board_that_was_held_up(self):
        self.host.arm()
        self.host.drive(0.4, 40, 0)
        before = self.host.motions()[-1].pan
        after = len(self.host.frames)
        self.dock.pause()
        for _ in range(50):
            self.host.steer(40, 0)
            time.sleep(0.02)
        self.dock.resume()
        if self.has_watchdog:
            self.cuts = 1
            self.host.wait(HELLO_ACK, after=after)
            self.host.drive(0.2, 40, 0)
            return self.assertFalse(self.host.motion().flags & (F_MOVING | F_TORQUE))
        # The backlog is processed as fast as the line delivers it, and then its deadman counts.
        self.host.listen(1.0)
        pose = self.host.rest_pose()
        self.assertTrue(self.host.motion().flags & F_DEADMAN)
        self.assertLess(pose[0] * 1000 - before, 40_000 * 0.6)
        self.assertEqual(self.host.ask(TORQUE, bytes([3, 1])), OK)
