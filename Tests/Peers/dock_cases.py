"""What any dock that speaks DLP/1 must do, seen from outside. A class with `board()` makes tests of it: see test_arduino.py.

`board()` starts one and returns an object with

    path                      its port
    press(name, is_down)      "button0", "button1", "tracking"
    turn(detents)             the zoom's wheel
    emergency(is_open)        its own emergency input
    supply(millivolts)        the battery
    pulses()                  of both servos, microseconds; None where there is none
    reset()                   as its button does it
    power_cycle()             starts it anew without its memory, but with what it has stored
    pause(), resume(), close()

What a board has no hands for raises unittest.SkipTest.
"""

import random
import struct
import time

from dock_host import *


class DockCases:
    # Degrees, degrees a second, milliseconds; microseconds at 0 and for 90 degrees.
    pan_range, tilt_range, pan_speed, tilt_speed, acceleration = (-85, 85), (-30, 60), 120, 90, 400
    servo = (1500, 1000)
    capabilities = 0x1F2
    model = None
    cuts = 0

    def setUp(self):
        super().setUp()
        self.dock = self.board()
        self.addCleanup(self.dock.close)
        self.host = Host(self.dock.path)
        self.addCleanup(self.host.close)

    def tearDown(self):
        # Only a reset cuts a frame.
        self.assertLessEqual(self.host.bad, self.cuts)
        super().tearDown()

    def pulse(self, degrees):
        return self.servo[0] + degrees * self.servo[1] / 90

    # Greeting

    def test_it_tells_who_it_is(self):
        first = self.host.greet()
        self.assertEqual((first.proto, first.caps, first.model, first.rate), (1, self.capabilities, self.model, 100))
        self.assertNotIn(first.uid, (0, 2 ** 64 - 1))
        self.dock.power_cycle()
        again = self.again()
        self.assertEqual((again.uid, again.model), (first.uid, first.model))
        self.assertNotEqual(again.boot, first.boot)

    def again(self):
        self.host.close()
        self.host = Host(self.dock.path)
        return self.host.greet()

    def test_nothing_moves_before_greeting_and_torque(self):
        self.assertTrue(self.host.motion().flags & F_NOT_GREETED)
        number = self.host.steer(30, 0)
        self.assertEqual(self.host.wait(ACK), bytes([SETPOINT, number, NOT_ARMED]))
        self.assertEqual(self.host.ask(TORQUE, bytes([3, 1])), NOT_ARMED)
        self.host.greet()
        self.host.drive(0.7, 30, 10)
        self.assertEqual(self.host.ask(HOME), NOT_ARMED)
        now = self.host.motion()
        self.assertEqual((now.pan, now.tilt, now.flags & (F_TORQUE | F_NOT_GREETED)), (0, 0, 0))
        self.assertEqual(self.dock.pulses(), (None, None))

    def test_a_version_that_it_does_not_speak(self):
        self.host.arm()
        self.host.drive(0.3, 30, 0)
        self.assertEqual(self.host.ask(HELLO, bytes([2, 9, 56, 0])), VERSION)
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
        found = self.dock.pulses()
        self.assertAlmostEqual(found[0], self.pulse(pan), delta=1)
        self.assertAlmostEqual(found[1], self.pulse(tilt), delta=1)

    def test_places(self):
        self.host.arm()
        self.host.drive(1.2, -12, 20, mode=PLACE)
        pan, tilt = self.host.rest_pose()
        self.assertAlmostEqual(pan, -12, delta=0.05)
        self.assertAlmostEqual(tilt, 20, delta=0.05)

    def test_home_and_what_breaks_it_off(self):
        self.host.arm()
        self.host.drive(1.2, 30, -20, mode=PLACE)
        self.assertEqual(self.host.ask(HOME), OK)
        number = self.host.steer(10, 0)
        self.assertEqual(self.host.wait(ACK, lambda body: body[0] == SETPOINT), bytes([SETPOINT, number, BUSY]))
        for _ in range(30):
            self.host.say(TIME, bytes(4))
            self.host.listen(0.1)
        self.assertLess(max(map(abs, self.host.rest_pose())), 0.05)
        self.assertIn((7, 0), [(event.kind, event.value) for event in self.host.events()])

    def test_the_deadman(self):
        self.host.arm(100)
        for deadman, least, most in ((25, 0.25, 0.4), (0, 0.05, 0.2), (50, 0.5, 0.65)):
            last = self.host.drive(0.6, 30, 0, deadman=deadman)
            self.host.listen(1.2)
            slower = next(one for one in self.host.motions() if one.at > last and one.pan_rate < 29_000)
            with self.subTest(deadman=deadman):
                self.assertGreater(slower.at - last, least - 0.005)
                self.assertLess(slower.at - last, most)
                self.assertTrue(self.host.motion().flags & F_DEADMAN)
                self.assertEqual(self.host.motion().pan_rate, 0)
            self.host.drive(0.3, -60, 0)
            self.assertFalse(self.host.motion().flags & F_DEADMAN)
            self.host.steer(mode=IDLE)

    def test_a_stop(self):
        self.host.arm(100)
        self.host.drive(0.6, 60, 30)
        self.host.steer(mode=IDLE)
        told = time.monotonic()
        while abs(self.host.motion().pan_rate) > 1000:
            self.assertLess(time.monotonic() - told, 0.6, "60 deg/s at 400 deg/s^2 are 0.15 s, and there is the servo's lag")
        self.host.rest_pose()
        self.assertTrue(self.host.motion().flags & F_TORQUE)

    def test_limits(self):
        self.host.arm(100)
        for axis, reach, speed in ((0, self.pan_range, self.pan_speed), (1, self.tilt_range, self.tilt_speed)):
            low, high, fastest, acceleration, _ = self.host.limits(axis)
            self.assertEqual((low, high, fastest, acceleration),
                             (reach[0] * 1000, reach[1] * 1000, speed * 1000, self.acceleration * 1000))
        after = len(self.host.frames)
        self.host.drive(1.8, 900, -900)
        self.host.drive(2.2, -900, 900)
        for one in self.host.motions(after):
            self.assertTrue(self.pan_range[0] * 1000 <= one.pan <= self.pan_range[1] * 1000, one)
            self.assertTrue(self.tilt_range[0] * 1000 <= one.tilt <= self.tilt_range[1] * 1000, one)
            self.assertLessEqual(abs(one.pan_rate), self.pan_speed * 1000)
        pan, tilt = self.host.rest_pose()
        self.assertAlmostEqual(pan, self.pan_range[0], delta=0.1)
        self.assertAlmostEqual(tilt, self.tilt_range[1], delta=0.1)
        told = {(event.kind, event.value) for event in self.host.events(after)}
        self.assertLessEqual({(5, 0x101), (5, 0x000)}, told)

    def test_limits_are_narrowed_and_never_widened(self):
        self.host.arm()
        narrow = lambda axis, *values: self.host.ask(LIMITS, struct.pack("<BiiIII", axis, *values))
        self.assertEqual(narrow(0, -10_000, 10_000, 20_000, 200_000, 9), OK)
        self.assertEqual(self.host.limits(0), (-10_000, 10_000, 20_000, 200_000, 9))
        self.host.drive(1.5, 900, 0)
        self.assertAlmostEqual(self.host.rest_pose()[0], 10, delta=0.1)
        self.assertEqual(narrow(0, 1000, 900, 20_000, 200_000, 9), RANGE)
        self.assertEqual(narrow(0, -10_000, 10_000, 0, 200_000, 9), RANGE)
        self.assertEqual(narrow(7, -10_000, 10_000, 20_000, 200_000, 9), RANGE)
        self.assertEqual(narrow(0, -2 ** 31, 2 ** 31 - 1, 2 ** 32 - 1, 2 ** 32 - 1, 2 ** 32 - 1), OK)
        self.assertEqual(self.host.limits(0)[:3], (self.pan_range[0] * 1000, self.pan_range[1] * 1000, self.pan_speed * 1000))
        # What was narrowed in mid-motion is obeyed.
        self.host.drive(0.42, -110, 0)
        self.assertEqual(narrow(0, -40_000, 40_000, 20_000, 200_000, 9), OK)
        self.host.drive(2.5, -110, 0)
        self.assertAlmostEqual(self.host.rest_pose()[0], -40, delta=0.2)

    # Stops that stay

    def test_the_emergency_stop_is_latched(self):
        self.host.arm(100)
        self.host.drive(0.5, 60, 0)
        self.assertEqual(self.host.ask(ESTOP, bytes([1])), OK)
        pose = self.host.rest_pose()
        after = len(self.host.frames)
        self.host.drive(1.2, 60, 0)
        refusals = [body for _, kind, _, body in self.host.frames[after:] if kind == ACK]
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
        self.assertEqual(self.host.rest_pose(), pose, "it moves by itself behind the clear")
        self.host.drive(0.4, 60, 0)
        self.assertGreater(self.host.rest_pose()[0], pose[0] + 5)

    def test_its_own_emergency_input(self):
        self.host.arm(100)
        self.host.drive(0.5, 60, 0)
        self.dock.emergency(True)
        pressed = time.monotonic()
        while abs(self.host.motion().pan_rate) > 1000:
            self.host.steer(60, 0)
            self.assertLess(time.monotonic() - pressed, 0.6)
        self.assertTrue(self.host.motion().flags & F_STOPPED)
        self.assertEqual(self.host.ask(ESTOP, bytes([2])), STOPPED)
        self.dock.emergency(False)
        self.host.listen(0.5)
        self.assertTrue(self.host.motion().flags & F_STOPPED, "released by itself")
        self.assertEqual(self.host.ask(ESTOP, bytes([2])), OK)
        pose = self.host.rest_pose()
        self.host.drive(0.4, 60, 0)
        self.assertGreater(self.host.rest_pose()[0], pose[0] + 5)

    def test_torque_off_ends_the_pulses(self):
        self.host.arm()
        self.host.drive(0.5, 30, 10)
        self.assertEqual(self.host.ask(TORQUE, bytes([2, 0])), OK)
        self.host.listen(0.1)
        self.assertEqual([one is None for one in self.dock.pulses()], [False, True])
        self.assertEqual(self.host.ask(TORQUE, bytes([1, 0])), OK)
        self.host.listen(0.1)
        self.assertEqual(self.dock.pulses(), (None, None))
        pose = self.host.rest_pose()
        self.assertEqual(self.host.ask(TORQUE, bytes([3, 1])), OK)
        self.host.listen(0.1)
        self.assertEqual(self.host.rest_pose(), pose)
        self.assertAlmostEqual(self.dock.pulses()[0], self.pulse(pose[0]), delta=1)

    # Hands

    def test_buttons_and_wheel(self):
        self.host.greet()
        told = []
        for act, kind, value in (
            (lambda: self.dock.press("button0", True), 1, 0x001), (lambda: self.dock.press("button0", False), 1, 0x000),
            (lambda: self.dock.press("button1", True), 1, 0x101), (lambda: self.dock.press("tracking", True), 10, 1),
            (lambda: self.dock.press("tracking", False), 10, 0), (lambda: self.dock.turn(1), 4, 1), (lambda: self.dock.turn(-1), 4, -1)):
            after = len(self.host.frames)
            act()
            self.host.wait(EVENT, after=after)
            event = self.host.events(after)[0]
            self.assertEqual((event.kind, event.value), (kind, value))
            self.host.say(EVENT_ACK, bytes([event.id]))
            self.host.listen(0.1)
            told.append(event.id)
        self.assertEqual([(one - told[0]) & 0xFF for one in told], list(range(7)))
        after = len(self.host.frames)
        self.host.listen(0.3)
        self.assertEqual(self.host.events(after), [])

    def test_what_is_pressed_at_boot_is_no_event(self):
        self.cuts = 1
        self.dock.press("button0", True)
        self.dock.reset()
        self.host.listen(0.3)
        self.host.greet()
        self.host.listen(0.2)
        self.dock.press("button0", False)
        self.host.listen(0.2)
        self.assertEqual(self.host.events(), [])
        self.dock.press("button0", True)
        self.host.listen(0.2)
        self.assertEqual({(event.kind, event.value) for event in self.host.events()}, {(1, 1)})

    def test_events_are_repeated_and_counted(self):
        self.host.greet()
        self.dock.press("button0", True)
        self.host.listen(0.6)
        seen = self.host.events()
        self.assertEqual(len({event.id for event in seen}), 1)
        self.assertTrue(8 <= len(seen) <= 13, len(seen))
        # Eleven more and nobody confirms: eight are kept, the newest, and the last one tells of the lost.
        for turn in range(11):
            self.dock.press("button0", turn % 2 == 1)
            self.host.listen(0.05)
        after = len(self.host.frames)
        self.host.listen(1.0)
        kept = {event.id: event for event in self.host.events(after)}
        self.assertEqual(sorted((one - seen[0].id) & 0xFF for one in kept), list(range(4, 12)))
        self.assertEqual(sum(event.lost for event in kept.values()), 4)
        for one in kept:
            self.host.say(EVENT_ACK, bytes([one]))
        self.host.listen(0.2)
        after = len(self.host.frames)
        self.host.listen(0.3)
        self.assertEqual(self.host.events(after), [])

    def test_the_battery(self):
        self.dock.supply(7700)
        self.host.greet()
        self.host.listen(1.8)
        power = lambda: struct.unpack_from("<HhBBb", [frame for frame in self.host.frames if frame[1] == POWER][-1][3])
        self.assertAlmostEqual(power()[0], 7700, delta=60)
        self.assertTrue(60 <= power()[2] <= 80 and power()[3] == 1, power())
        self.dock.supply(6600)
        self.host.listen(4)
        self.assertEqual(power()[3], 4, power())
        self.assertTrue(self.host.motion().flags & F_LOW)
        self.dock.supply(0)
        self.host.listen(4)
        self.assertEqual(power()[2:4], (255, 6), power())

    # Time, the line, and what goes wrong

    def test_its_clock_and_stale_setpoints(self):
        self.host.arm(100)
        offset = 0
        for _ in range(8):
            mine = time.monotonic_ns() // 1000 & 0xFFFFFFFF
            self.host.say(TIME, struct.pack("<I", mine))
            echo, theirs = struct.unpack_from("<II", self.host.wait(TIME_ACK))
            self.assertEqual(echo, mine)
            offset = theirs - (mine + time.monotonic_ns() // 1000) // 2
        self.assertTrue(self.host.motion().flags & F_TIME)
        now = lambda: time.monotonic_ns() // 1000 + offset
        for age, moves in ((0, True), (400_000, False), (150_000, True), (-1_500_000, False)):
            with self.subTest(age=age):
                before = self.host.rest_pose()[0]
                for _ in range(15):
                    self.host.steer(20, 0, sent=now() - age)
                    self.host.listen(0.02)
                self.assertEqual(self.host.rest_pose()[0] > before + 2, moves)

    def test_garbage_and_half_frames(self):
        self.host.arm()
        noise = random.Random(7)
        for _ in range(40):
            run = bytes(noise.randrange(256) for _ in range(noise.randrange(1, 90)))
            self.host.line.write(run)
            self.host.listen(0.01)
        good = encoded(SETPOINT, 1, struct.pack("<BBiiii", 1, 25, 0, 0, 50_000, 0))
        for cut in range(1, len(good) - 1):
            self.host.line.write(good[:cut] + b"\0")
            self.host.listen(0.005)
        wrong = bytearray(good)
        wrong[3] ^= 0x40
        self.host.line.write(wrong)
        self.assertEqual(self.host.rest_pose(), (0, 0))
        # Byte by byte it is one.
        for byte in good:
            self.host.line.write(bytes([byte]))
            self.host.listen(0.003)
        self.host.listen(0.3)
        self.assertGreater(self.host.rest_pose()[0], 5)

    def test_bodies_that_are_short_long_or_out_of_range(self):
        self.host.greet()
        for kind, body, code in (
            (HELLO, b"\1", BAD_LENGTH), (SETPOINT, b"\1\x19", BAD_LENGTH), (SETPOINT, b"\x09" + bytes(17), RANGE),
            (LIMITS, b"\0" + bytes(10), BAD_LENGTH), (PARAM, struct.pack("<BBi", 1, 1, 0), RANGE),
            (PARAM, struct.pack("<BBi", 0, 9, 0), RANGE),
            (PARAM, struct.pack("<BBi", 2, 1, 5), RANGE), (TORQUE, b"\3", BAD_LENGTH), (REBOOT, bytes(4), RANGE), (ESTOP, b"", BAD_LENGTH),
            (GET_LIMITS, b"\5", RANGE), (EVENT_ACK, b"", BAD_LENGTH), (TIME, b"\0", BAD_LENGTH)):
            with self.subTest(kind=kind, body=body):
                self.assertEqual(self.host.ask(kind, body), code)
        # Bodies grow at their ends, and types that are not known are left alone.
        self.host.say(0x7E, bytes(20))
        self.assertEqual(self.host.ask(TORQUE, bytes([3, 1]) + bytes(54)), OK)
        self.host.listen(0.2)
        self.assertFalse([body for _, kind, _, body in self.host.frames if kind == ACK and body[0] == 0x7E])

    def test_parameters_trims_and_what_save_keeps(self):
        self.host.arm()
        self.host.drive(1.0, 10, 0, mode=PLACE)
        before = self.dock.pulses()
        self.assertEqual(self.host.param(2, 1500), 1500)
        self.host.listen(0.2)
        self.assertAlmostEqual(self.host.rest_pose()[0], 11.5, delta=0.05)
        self.assertAlmostEqual(self.dock.pulses()[0], before[0], delta=1)
        self.assertEqual(self.host.param(4, 600), 600)
        self.assertEqual(self.host.param(1, 25), 25)
        self.assertEqual(self.host.ask(LIMITS, struct.pack("<BiiIII", 1, -5_000, 5_000, 20_000, 200_000, 9)), OK)
        self.assertEqual(self.host.ask(SAVE), OK)
        self.host.listen(0.8)
        self.dock.power_cycle()
        self.again()
        self.assertEqual([self.host.param(key) for key in (1, 2, 3, 4)], [25, 1500, 0, 600])
        self.assertEqual(self.host.limits(1)[:2], (-5_000, 5_000))
        # SAVE cannot widen what is compiled in.
        self.assertEqual(self.host.limits(0)[:2], (self.pan_range[0] * 1000, self.pan_range[1] * 1000))

    def test_a_reboot_in_mid_motion(self):
        self.cuts = 2
        for how in ("asked", "button"):
            with self.subTest(how=how):
                hello = self.host.arm()
                self.host.drive(0.5, 40, 0)
                after = len(self.host.frames)
                if how == "asked":
                    self.assertEqual(self.host.ask(REBOOT, b"BOOT"), OK)
                else:
                    self.dock.reset()
                anew = self.host.hello(self.host.wait(HELLO_ACK, after=after, seconds=4))
                self.assertEqual(anew.uid, hello.uid)
                self.assertEqual(anew.boot, hello.boot + 1 & 0xFFFF)
                after = len(self.host.frames)
                self.host.drive(0.5, 40, 0)
                for one in self.host.motions(after):
                    self.assertEqual((one.pan_rate, one.flags & (F_TORQUE | F_NOT_GREETED)), (0, F_NOT_GREETED))
                self.assertEqual(self.dock.pulses(), (None, None))

    def test_a_board_that_was_held_up(self):
        self.host.arm()
        self.host.drive(0.4, 40, 0)
        before = self.host.motions()[-1].pan
        self.dock.pause()
        for _ in range(50):
            self.host.steer(40, 0)
            time.sleep(0.02)
        self.dock.resume()
        # What had waited is worked off as fast as the line has it, and then its deadman counts.
        self.host.listen(1.0)
        pose = self.host.rest_pose()
        self.assertTrue(self.host.motion().flags & F_DEADMAN)
        self.assertLess(pose[0] * 1000 - before, 40_000 * 0.6)
