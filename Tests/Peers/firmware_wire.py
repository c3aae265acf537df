"""What the firmware of any board must do, seen from its line; test_firmware.py runs it against the boards."""

import random
import signal
import struct
import time

import emulators
from emulators import encoded
from firmware_cases import *  # noqa: F403


class Wire(Board):
    # The wire

    def test_golden_vectors(self):
        self.start()
        vectors = [line.split(" ", 2) for line in VECTORS.read_text().splitlines() if line.startswith("host")]
        vectors = {name: bytes.fromhex(digits) for _, name, digits in vectors}
        self.host.write(b"\0" + vectors["hello"])
        who = self.host.wait(WHO)
        self.assertEqual(who[0], 1)
        self.assertIn(self.board.encode()[:9], who[18:34])
        # Not armed: refused, and nothing turns.
        self.host.write(vectors["setpoint"])
        self.assertEqual(self.host.wait(RESULT), bytes([SETPOINT, 7, 11]))
        self.host.write(vectors["estop"])
        self.assertEqual(self.host.wait(RESULT), bytes([EMERGENCY, 8, 0]))
        self.assertTrue(self.motion(lambda motion: motion.flags & LATCHED).flags & LATCHED)
        # All that the image has said so far, stuffed once more by another's code.
        self.emulator.line.settimeout(0.2)
        heard, sequences = self.emulator.line.recv(4096), []
        for run in heard.split(b"\0")[1:-1]:
            kind, sequence, body = emulators.decoded(run)
            sequences.append(sequence)
            self.assertEqual(run + b"\0", encoded(kind, sequence, body))
        self.assertEqual(self.host.bad, 0)
        self.assertTrue(all((b - a) & 0xFF == 1 for a, b in zip(sequences, sequences[1:])), sequences)

    def test_it_greets_and_does_not_move_before_it_is_armed(self):
        self.start()
        self.assertEqual(self.boot[0], 1)
        self.assertTrue(self.motion().flags & NOT_GREETED)
        for arguments in ((1, 0, 0, 30_000), (2, 20_000, 10_000)):
            last, _ = self.drive(0.2, *arguments)
            self.assertEqual((last.pan, last.tilt, last.flags & MOVING), (0, 0, 0))
        self.command(TORQUE, bytes([3, 1]), 11)
        self.greet()
        self.assertEqual(self.drive(0.2, 2, 20_000)[0].pan, 0)

    def test_no_common_version_is_refused(self):
        self.start()
        self.command(HELLO, bytes([2, 9, 56, 0]), 4)
        self.command(TORQUE, bytes([3, 1]), 4)
        self.assertEqual(self.drive(0.2, 2, 20_000)[0].pan, 0)
        self.arm()
        self.assertGreater(self.drive(0.4, 2, 20_000)[0].pan, 500)

    def test_limits_hold_whatever_is_asked(self):
        self.start()
        self.arm()
        # Wider than what is compiled in changes nothing, narrower does; nothing at all is refused.
        self.command(LIMITS, struct.pack("<BiiIII", 0, -200_000, 200_000, 900_000, 2_000_000, 12_000_000))
        fastest, end = 0, time.monotonic() + 1.6
        while time.monotonic() < end:
            last, _ = self.drive(0.1, 1, 0, 0, 900_000, 900_000)
            fastest = max(fastest, last.pan_rate)
            self.assertLessEqual(last.tilt_rate, 90_000)
        self.assertAlmostEqual(last.pan, 85_000, delta=2)
        self.assertAlmostEqual(last.tilt, 60_000, delta=2)
        self.assertEqual(last.flags & 0b101000, 0b101000)
        self.assertTrue(100_000 < fastest <= 120_000, fastest)
        self.command(LIMITS, struct.pack("<BiiIII", 0, -10_000, 10_000, 30_000, 100_000, 12_000_000))
        last, _ = self.drive(0.3, 2, -80_000)
        self.assertLessEqual(abs(last.pan_rate), 30_000)
        self.command(LIMITS, struct.pack("<BiiIII", 0, 20_000, 10_000, 30_000, 100_000, 12_000_000), 3)

    def test_deadman_on_the_wire(self):
        self.start()
        self.arm()
        for ticks, least, most in ((25, 0.240, 0.400), (10, 0.090, 0.250), (0, 0.040, 0.200)):
            _, silent = self.drive(0.3, 1, 0, 0, 20_000, deadman=ticks)
            at, _ = self.host.moment(MOTION, lambda body: Motion(body).flags & SILENCE)
            # From the last set-point to the report that says so, which the dock sends every 10 ms.
            self.assertTrue(least <= at - silent <= most, f"deadman {ticks}: {at - silent:.3f} s")
            stood = self.motion(lambda motion: motion.pan_rate == 0)
            self.host.listen(0.2)
            self.assertEqual(self.motion().pan, stood.pan)
        self.assertFalse(self.drive(0.1, 1, 0, 0, -20_000)[0].flags & SILENCE, "the next set-point clears it")

    def test_emergency_stop_latches(self):
        self.start()
        self.arm()
        self.drive(0.4, 1, 0, 0, 60_000)
        self.command(EMERGENCY, bytes([1]))
        stood = self.motion(lambda motion: motion.flags & LATCHED and motion.pan_rate == 0)
        refused, end = 0, time.monotonic() + 1.1
        while time.monotonic() < end:
            self.host.say(SETPOINT, setpoint(1, 0, 0, 60_000))
            refused += sum(kind == RESULT and body[0] == SETPOINT and body[2] == 7 for _, kind, body in self.host.listen(0.02))
        self.assertTrue(1 <= refused <= 3, f"told {refused} times in 1.1 s, twice a second is the most")
        self.assertEqual(self.motion().pan, stood.pan)
        self.command(TORQUE, bytes([3, 1]), 7)
        self.command(EMERGENCY, bytes([2]))
        self.assertGreater(self.drive(0.3, 1, 0, 0, 60_000)[0].pan, stood.pan + 1000)

    def test_old_setpoints_move_nothing(self):
        self.start()
        self.arm()
        self.host.say(CLOCK, struct.pack("<I", 77))
        asked, clock = time.monotonic(), struct.unpack("<II", self.host.wait(TIME))
        self.assertEqual(clock[0], 77)

        def now():
            return clock[1] + int((time.monotonic() - asked) * 1e6)

        for _ in range(10):
            number = self.host.say(SETPOINT, setpoint(1, 0, 0, 60_000, sent=now() - 600_000))
            self.host.listen(0.02)
        last = self.motion()
        self.assertEqual((last.pan, last.flags & MOVING), (0, 0))
        self.assertNotEqual(last.last, number)
        for _ in range(10):
            number = self.host.say(SETPOINT, setpoint(1, 0, 0, 60_000, sent=now()))
            self.host.listen(0.02)
        self.assertGreater(self.motion(lambda motion: motion.last == number).pan, 500)

    def test_garbage_and_half_frames(self):
        self.start()
        self.arm()
        dice = random.Random(10)
        whole = encoded(SETPOINT, 1, setpoint(1, 0, 0, 60_000))
        for _ in range(60):
            self.host.write(dice.choice((
                dice.randbytes(dice.randrange(1, 300)), whole[:dice.randrange(1, len(whole))] + b"\0", b"\xff" * 400,
                bytes(dice.choice(whole) for _ in whole), b"\0" * 9)))
            self.host.listen(0.004)
        self.host.write(b"\0")
        last = self.motion()
        self.assertEqual((last.pan, last.flags & MOVING), (0, 0))
        self.host.say(CLOCK, struct.pack("<I", 5))
        self.assertEqual(struct.unpack_from("<I", self.host.wait(TIME, lambda body: body[:4] == b"\5\0\0\0"))[0], 5)
        # A body that is too short, a value that is none, a type that nobody knows.
        for kind, body, code in ((SETPOINT, b"\1", 2), (SETPOINT, setpoint(9), 3), (EMERGENCY, b"\7", 3)):
            self.command(kind, body, code)
        self.host.say(0x7E, b"later")
        self.assertGreater(self.drive(0.3, 1, 0, 0, 60_000)[0].pan, 1000)

    def test_reboot_in_mid_motion(self):
        self.start()
        before = self.arm()
        last, _ = self.drive(0.5, 1, 0, 0, 40_000)
        self.command(REBOOT, struct.pack("<I", 1), 3)
        self.command(REBOOT, struct.pack("<I", 0x544F4F42))
        after = self.host.wait(WHO)
        self.assertEqual(struct.unpack_from("<H", after, 36)[0], struct.unpack_from("<H", before, 36)[0] + 1)
        now = self.motion()
        self.assertEqual((now.pan_rate, now.flags & (MOVING | 1), now.flags & NOT_GREETED), (0, 0, NOT_GREETED))
        # It knows where its servos were told to be, so the next pulse is no jump.
        self.assertGreaterEqual(now.pan, last.pan)
        self.assertLess(now.at, 2_000_000)
        self.assertEqual(self.drive(0.2, 1, 0, 0, 40_000)[0].pan, now.pan)

    def test_saving_is_refused_where_nothing_keeps(self):
        self.start()
        who = self.arm()
        self.assertFalse(struct.unpack_from("<I", who, 1)[0] & 1 << 8)
        self.command(SAVE, b"", 10)

    def test_the_clock_wraps(self):
        # Two seconds before 2^32 microseconds.
        self.start(test=True, words={CLOCK_START: (2**32 - 2_000_000) // 1000})
        self.assertGreater(self.motion().at, 2**32 - 2_100_000)
        self.arm()
        reports, end = [], time.monotonic() + 2.6
        while time.monotonic() < end:
            self.host.say(SETPOINT, setpoint(1, 0, 0, 20_000))
            reports += [Motion(body) for _, kind, body in self.host.listen(0.02) if kind == MOTION]
        self.assertTrue(any(a.at > b.at for a, b in zip(reports, reports[1:])), "it did not wrap")
        for a, b in zip(reports, reports[1:]):
            passed = (b.at - a.at) & 0xFFFFFFFF
            self.assertTrue(0 < passed < 200_000, passed)
            self.assertLessEqual(abs(b.pan - a.pan), 20_000 * passed / 1e6 + 100)
            self.assertFalse(b.flags & SILENCE)
        self.assertGreater(reports[-1].pan, 35_000)
        silent = time.monotonic()
        at, _ = self.host.moment(MOTION, lambda body: Motion(body).flags & SILENCE)
        self.assertTrue(0.2 <= at - silent <= 0.4)

    # Hands

    def test_events_are_repeated_until_confirmed(self):
        self.start(test=True)
        self.greet()
        self.emulator.set(PINS, 1)
        first = self.host.wait(EVENT)
        heard = [(at, body) for at, kind, body in self.host.listen(0.6) if kind == EVENT]
        self.assertEqual({body for _, body in heard}, {first})
        self.assertEqual(struct.unpack_from("<Bh", first, 1), (1, 1))
        self.assertTrue(8 <= len(heard) <= 13, f"{len(heard)} times in 0.6 s")
        self.host.say(CONFIRM, first[:1])
        self.host.listen(0.1)
        self.assertNotIn(EVENT, [kind for _, kind, _ in self.host.listen(0.3)])
        for which, value, kind, told in ((PINS, 0, 1, 0), (PINS, 2, 1, 0x101), (PINS, 4, 1, 0x100), (EDGES, 12, 4, 3), (EDGES, 4, 4, -2)):
            self.emulator.set(which, value)
            body = self.host.wait(EVENT, lambda body: struct.unpack_from("<Bh", body, 1) == (kind, told))
            self.host.say(CONFIRM, body[:1])
            if value == 4 and which == PINS:
                self.assertEqual(struct.unpack_from("<Bh", self.host.wait(EVENT), 1), (10, 1))
        # Nobody confirms: at most eight wait, the newest are kept, and what is lost is told.
        for value in range(16, 16 + 4 * 12, 4):
            self.emulator.set(EDGES, value)
            self.host.listen(0.02)
        waiting = {body[0]: body for _, kind, body in self.host.listen(0.5) if kind == EVENT}
        self.assertEqual(len(waiting), 8)
        self.assertGreaterEqual(sum(body[8] for body in waiting.values() if len(body) > 8), 4)

    def test_emergency_input(self):
        self.start(test=True)
        self.arm()
        self.drive(0.3, 1, 0, 0, 60_000)
        self.emulator.set(PINS, 8)
        stood = self.motion(lambda motion: motion.flags & LATCHED and motion.pan_rate == 0)
        self.command(EMERGENCY, bytes([2]), 7)
        self.emulator.set(PINS, 0)
        self.host.listen(0.4)
        self.assertTrue(self.motion().flags & LATCHED, "closed again is not cleared")
        self.assertEqual(self.drive(0.2, 1, 0, 0, 60_000)[0].pan, stood.pan)
        self.command(EMERGENCY, bytes([2]))
        self.assertGreater(self.drive(0.3, 1, 0, 0, 60_000)[0].pan, stood.pan)

    def test_battery(self):
        self.start(test=True, words={MILLIVOLTS: 1900})
        self.greet()
        self.assertEqual(struct.unpack_from("<HhBB", self.host.wait(POWER)), (7600, 0, 66, 1))
        self.emulator.set(MILLIVOLTS, 1620)
        self.assertLess(self.host.wait(POWER, lambda body: body[5] == 5, 6)[4], 7)
        self.assertTrue(self.motion().flags & 1 << 10)

    # What goes wrong

    def test_a_trap_cuts_the_outputs_and_begins_anew(self):
        self.start(test=True)
        before = self.arm()
        self.drive(0.3, 1, 0, 0, 40_000)
        self.emulator.set(COMMAND, 1)
        after = self.host.wait(WHO)
        self.assertEqual(struct.unpack_from("<H", after, 36)[0], struct.unpack_from("<H", before, 36)[0] + 1)
        _, _, fault, place = self.emulator.read(self.emulator.symbols["retained"], 4)
        self.assertEqual((fault, place != 0), (self.trap, True))
        self.assertEqual(self.drive(0.2, 1, 0, 0, 40_000)[0].flags & (MOVING | 1), 0)

    def test_paused(self):
        self.start()
        self.arm()
        self.drive(0.4, 1, 0, 0, 30_000)
        self.emulator.signal(signal.SIGSTOP)
        self.host.listen(0.5)
        self.emulator.signal(signal.SIGCONT)
        if self.has_watchdog:
            # Who was paused has hung.
            self.host.wait(WHO)
            return self.assertEqual(self.drive(0.2, 1, 0, 0, 30_000)[0].flags & (MOVING | 1), 0)
        # Whatever its clock did, it stands within its deadman and answers.
        stood = self.motion(lambda motion: motion.pan_rate == 0)
        self.assertLess(stood.pan, 30_000)
        self.command(TORQUE, bytes([3, 1]))
        used, size = self.emulator.stack()
        self.assertLess(used, 0.75 * size)
