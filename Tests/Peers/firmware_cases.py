"""What the firmware of Firmware/ must do beyond any dock, seen by a debugger and over time: its frames, byte by byte, its
clock, its stack and its traps. test_firmware.py runs it against the boards, with dock_cases.py."""

import time

from dlp import *
from firmware_bench import CLOCK_START, COMMAND, EmulatedBoard
from programs import ROOT

VECTORS = ROOT / "Tests/DockWireTests/Fixtures/dlp1-vectors.txt"


class FirmwareCases(EmulatedBoard):
    # The exception of a trap: a hard fault.
    trap = 3

    def test_golden_vectors(self):
        vectors = [line.split(" ", 2) for line in VECTORS.read_text().splitlines() if line.startswith("host")]
        vectors = {name: bytes.fromhex(digits) for _, name, digits in vectors}
        self.assertEqual(hello_of(self.host.wait(HELLO_ACK)).proto, 1, "it sends its identity unasked")
        after = len(self.host.frames)
        self.host.line.write(b"\0" + vectors["hello"])
        who = hello_of(self.host.wait(HELLO_ACK, after=after))
        self.assertEqual((who.proto, who.model), (1, self.model))
        # Not armed: refused, and nothing turns.
        self.host.line.write(vectors["setpoint"])
        self.assertEqual(self.host.wait(ACK), bytes([SETPOINT, 7, NOT_ARMED]))
        self.host.line.write(vectors["estop"])
        self.assertEqual(self.host.wait(ACK), bytes([ESTOP, 8, OK]))
        self.host.motion(lambda now: now.flags & F_STOPPED)
        # The image's output, stuffed again by third-party code.
        heard, end = b"", time.monotonic() + 3
        while heard.count(b"\0") < 6 and (left := end - time.monotonic()) > 0:
            heard += self.host.line.read(left)
        sequences = []
        for run in heard.split(b"\0")[1:-1]:
            frame = decoded(run)
            sequences.append(frame.sequence)
            self.assertEqual(run + b"\0", encoded(frame.kind, frame.sequence, frame.body))
        self.assertGreaterEqual(len(sequences), 4)
        self.assertTrue(all((b - a) & 0xFF == 1 for a, b in zip(sequences, sequences[1:])), sequences)

    def test_the_clock_wraps(self):
        # Two seconds before 2^32 microseconds.
        self.start(words={CLOCK_START: (2**32 - 2_000_000) // 1000})
        self.assertGreater(self.host.motion().time, 2**32 - 2_100_000)
        self.host.arm(100)
        after = len(self.host.frames)
        last = self.host.drive(2.6, 20, 0)
        reports = self.host.motions(after)
        self.assertTrue(any(a.time > b.time for a, b in zip(reports, reports[1:])), "it did not wrap")
        for a, b in zip(reports, reports[1:]):
            passed = (b.time - a.time) & 0xFFFFFFFF
            self.assertTrue(0 < passed < 200_000, passed)
            self.assertLessEqual(abs(b.pan - a.pan), 20_000 * passed / 1e6 + 100)
            self.assertFalse(b.flags & F_DEADMAN)
        self.assertGreater(reports[-1].pan, 35_000)
        silent = self.host.motion(lambda now: now.flags & F_DEADMAN)
        self.assertTrue(0.24 <= silent.at - last <= 0.4, silent.at - last)

    def test_its_stack_is_large_enough(self):
        self.host.arm(100)
        self.host.drive(0.4, 30, 0)
        self.assertEqual(self.host.ask(ESTOP, bytes([1])), OK)
        used, size = self.dock.emulator.stack()
        self.assertLess(used, 0.75 * size)

    def test_a_trap_cuts_the_outputs_and_begins_anew(self):
        fault, place = self.ends_by(1)
        self.assertEqual((fault, place != 0), (self.trap, True))

    def test_places_that_are_garbage_are_forgotten(self):
        self.cuts = 1
        self.start()
        first = (self.dock.emulator.symbols["retained"] + 16 - self.dock.emulator.inputs) // 4
        garbage = ((0xFFFFFFFF,) * 3, (0x7FFFFFFF, 0x80000000, 0x5A5A5A5A), (10_000, 5_000, 0))
        # Both copies are lost, or one of them: the other is sufficient.
        for words, lost in [(words, (0, 1)) for words in garbage] + [(garbage[0], (copy,)) for copy in (0, 1)]:
            # It survives each reset. Words are counted from the inputs on.
            before = hello_of(self.start(words={first + 3 * copy + at: word for copy in lost for at, word in enumerate(words)}))
            self.host.arm()
            self.host.drive(0.7, 30, -10, mode=PLACE)
            self.dock.reset()
            # Its identity is lost if the reset has truncated a frame.
            self.host.motion(lambda now: now.flags & F_NOT_GREETED)
            self.assertEqual(self.host.arm().boot, before.boot + 1, "it rebooted more than once")
            self.host.listen(0.1)
            pose = (30, -10) if len(lost) == 1 else (0, 0)
            for found, expected in zip(self.host.rest_pose(), pose):
                self.assertAlmostEqual(found, expected, delta=0.05)
            self.assert_pulses(*pose)
            self.assertEqual(self.dock.emulator.read(self.dock.emulator.symbols["retained"], 3)[2], 0)

    def ends_by(self, command):
        """While it turns, triggers what ends it, and checks that it reboots without moving. Returns the exception's number and
        address."""
        self.cuts = 1
        self.start()
        before = self.host.arm()
        self.host.drive(0.3, 40, 0)
        after = len(self.host.frames)
        self.dock.emulator.set(COMMAND, command)
        self.assertEqual(hello_of(self.host.wait(HELLO_ACK, after=after)).boot, before.boot + 1)
        self.host.drive(0.2, 40, 0)
        self.assertFalse(self.host.motion().flags & (F_MOVING | F_TORQUE))
        return self.dock.emulator.read(self.dock.emulator.symbols["retained"], 4)[2:]
