"""The firmware of Firmware/, in an emulator: its wire from outside, and the daemon that drives it.

Everything here runs against stm32f405; with DOCKFACE_THOROUGH=1 against the other boards that an emulator has, too.
"""

import concurrent.futures
import ctypes
import functools
import json
import os
import random
import shutil
import signal
import statistics
import struct
import subprocess
import tempfile
import threading
import time
import unittest

import emulators
from emulators import Emulator, Host, encoded
from programs import PROGRAM, Daemon
from scenes import Scene

THOROUGH = bool(os.environ.get("DOCKFACE_THOROUGH"))
# Places of Support/support.h.
PINS, EDGES, MILLIVOLTS, COMMAND, CLOCK_START = range(5)
HELLO, CLOCK, SETPOINT, LIMITS, CONFIRM, PARAMETER, TORQUE = 0x01, 0x02, 0x10, 0x11, 0x12, 0x14, 0x15
SAVE, REBOOT, EMERGENCY = 0x17, 0x18, 0x1F
MOTION, POWER, EVENT, RESULT, WHO, TIME, VALUE = 0x80, 0x81, 0x82, 0x90, 0xA1, 0xA2, 0xA4
MOVING, LATCHED, SILENCE, NOT_GREETED = 1 << 1, 1 << 6, 1 << 7, 1 << 14
PROFILE = emulators.ROOT / "profiles/dlp-servo-dock.toml"
VECTORS = emulators.HERE.parent / "DockWireTests/Fixtures/dlp1-vectors.txt"


def setpoint(mode, pan=0, tilt=0, pan_rate=0, tilt_rate=0, deadman=25, sent=None):
    body = struct.pack("<BBiiii", mode, deadman, pan, tilt, pan_rate, tilt_rate)
    return body if sent is None else body + struct.pack("<IB", sent & 0xFFFFFFFF, 0)


one = threading.Lock()


@functools.cache
def _built(board):
    return emulators.build(board)


def built(board):
    with one:
        return _built(board)


class SideBySide(unittest.TestSuite):
    """These tests mostly wait: some at a time, each with an emulator of its own."""

    def run(self, result, debug=False):
        def alone(test):
            own = unittest.TestResult()
            test.run(own)
            with told:
                result.startTest(test)
                result.failures += own.failures
                result.errors += own.errors
                result.skipped += own.skipped
                if own.wasSuccessful() and not own.skipped:
                    result.addSuccess(test)
                result.stopTest(test)

        told = threading.Lock()
        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("DOCKFACE_LANES", "4"))) as lanes:
            list(lanes.map(alone, self))
        return result


def load_tests(loader, tests, pattern):
    # The longest first, so that none is waited for at the end.
    flat = [test for group in tests for test in group]
    return SideBySide(sorted(flat, key=lambda test: not isinstance(test, WithDaemon)))


class Motion:
    """What a MOTION report says."""

    def __init__(self, body):
        self.at, self.pan, self.tilt, self.pan_rate, self.tilt_rate, self.flags, self.last, self.fault = struct.unpack_from(
            "<IiiiiHBB", body)


class Board:
    """What is run against each board."""

    board, trap, has_watchdog = "", 3, False

    def setUp(self):
        if why := emulators.missing(self.board):
            self.skipTest(why)
        built(self.board)

    def start(self, test=False, words=None, more=()):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.emulator = Emulator(self.board, holder.name, test, words, more)
        self.addCleanup(self.emulator.close)
        self.host = Host(self.emulator.line)
        # It greets unasked, and hears nothing before that.
        self.boot = self.host.wait(WHO)

    def greet(self):
        self.host.write(b"\0")
        self.host.say(HELLO, bytes([1, 1, 56, 0]))
        return self.host.wait(WHO)

    def command(self, kind, body, code=0):
        number = self.host.say(kind, body)
        self.assertEqual(self.host.wait(RESULT, lambda body: body[:2] == bytes([kind, number]))[2], code)

    def arm(self, rate=100):
        who = self.greet()
        self.command(TORQUE, bytes([3, 1]))
        self.host.say(PARAMETER, struct.pack("<BBi", 1, 1, rate))
        self.assertEqual(struct.unpack_from("<Bi", self.host.wait(VALUE)), (1, rate))
        return who

    def drive(self, seconds, *arguments, **names):
        """Set-points at 50 Hz; the last report, and the time of the last set-point."""
        end, last = time.monotonic() + seconds, None
        while (sent := time.monotonic()) < end:
            self.host.say(SETPOINT, setpoint(*arguments, **names))
            for _, kind, body in self.host.listen(0.02):
                last = Motion(body) if kind == MOTION else last
        return last, sent - 0.02

    def motion(self, holds=lambda motion: True, seconds=3.0):
        return Motion(self.host.wait(MOTION, lambda body: holds(Motion(body)), seconds))

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
        self.assertEqual((last.pan, last.tilt, last.flags & 0b101000), (85_000, 60_000, 0b101000))
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


class Stm32F405(Board, unittest.TestCase):
    board = "stm32f405"
    # Capture/compare registers 1 and 2 of TIM3.
    pulses = 0x40000434

    def test_pulses(self):
        self.start()
        self.greet()
        self.assertEqual(self.emulator.read(self.pulses, 2), [0, 0])
        self.command(TORQUE, bytes([3, 1]))
        self.host.listen(0.05)
        self.assertEqual(self.emulator.read(self.pulses, 2), [1500, 1500])
        # A period of 20,000 steps; a step is a microsecond where the clock is what the firmware takes it for.
        self.assertEqual(self.emulator.read(0x4000042C), [19_999])
        last, _ = self.drive(1.5, 2, 45_000, -18_000)
        self.assertAlmostEqual(last.pan, 45_000, delta=20)
        self.assertAlmostEqual(last.tilt, -18_000, delta=20)
        self.assertEqual(self.emulator.read(self.pulses, 2), [2000, 1300])
        # Trim turns the reading, and not the servo.
        self.host.say(PARAMETER, struct.pack("<BBi", 1, 2, 9000))
        self.assertEqual(struct.unpack_from("<Bi", self.host.wait(VALUE)), (2, 9000))
        last, _ = self.drive(0.5, 2, 45_000, -18_000)
        self.assertAlmostEqual(last.pan, 45_000, delta=20)
        self.assertEqual(self.emulator.read(self.pulses, 2), [1900, 1300])
        self.command(TORQUE, bytes([1, 0]))
        self.host.listen(0.05)
        self.assertEqual(self.emulator.read(self.pulses, 2), [0, 1300])

    def test_a_trap_cuts_the_pulses_before_anything_else(self):
        # It stays as it is at the moment in which it wants to begin anew.
        self.start(test=True, more=["-action", "reboot=shutdown,shutdown=pause"])
        for command in (1, 3):
            with self.subTest(command=command):
                if command != 1:
                    self.emulator.close()
                    self.start(test=True, more=["-action", "reboot=shutdown,shutdown=pause"])
                self.arm()
                self.drive(0.3, 1, 0, 0, 40_000)
                self.assertGreater(min(self.emulator.read(self.pulses, 2)), 1400)
                self.emulator.set(COMMAND, command)
                end = time.monotonic() + 3
                while self.emulator.is_running() and time.monotonic() < end:
                    time.sleep(0.01)
                self.assertFalse(self.emulator.is_running())
                self.assertEqual(self.emulator.read(self.pulses, 2), [0, 0])


class WithDaemon(unittest.TestCase):
    """The built daemon on the image's line, through a pseudo-terminal."""

    board = "stm32f405"

    def setUp(self):
        Board.setUp(self)
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.path = f"{self.folder}/dock"
        self.plug(f"{self.folder}/1")

    def plug(self, folder):
        os.mkdir(folder)
        self.emulator = Emulator(self.board, folder)
        self.addCleanup(self.emulator.close)
        self.port = emulators.Port(self.emulator.line)
        self.addCleanup(self.port.close)
        if os.path.islink(self.path):
            os.unlink(self.path)
        os.symlink(self.port.path, self.path)

    def frames(self, stream):
        for run in bytes(stream).split(b"\0")[:-1]:
            if run:
                yield emulators.decoded(run)

    def test_it_follows_recorded_faces(self):
        scene = Scene(emulators.ROOT / "Examples/faces/two-people.jsonl", self.port, f"{self.folder}/faces")
        self.addCleanup(scene.close)
        environment = dict(os.environ, XDG_RUNTIME_DIR=self.folder, XDG_STATE_HOME=self.folder, XDG_CONFIG_HOME=self.folder)
        result = subprocess.run(
            [PROGRAM, "run", "--port", self.path, "--profile", str(PROFILE), "--headless", "--detector", f"unix:{scene.path}",
             "--socket", "none", "--framing", "center", "--seconds", "8", "--summary"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, timeout=30)
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout.splitlines()[-1])
        self.assertEqual((summary["faults"], summary["stoppedLast"]), (0, True), (summary, result.stderr))
        self.assertGreater(summary["frames"], 60)
        self.assertGreater(summary["commands"], 40)
        time.sleep(0.1)
        said, reports = list(self.frames(self.port.host)), list(self.frames(self.port.device))
        self.assertEqual((said[-1][0], said[-1][2][0]), (SETPOINT, 0), "the last word is a stop")
        # Nothing was lost on the way: each frame of the image is one more than the one before.
        numbers = [sequence for _, sequence, _ in reports]
        self.assertTrue(all((b - a) & 0xFF == 1 for a, b in zip(numbers, numbers[1:])))
        motions = [Motion(body) for kind, _, body in reports if kind == MOTION]
        self.assertTrue(all(abs(motion.pan) <= 85_000 and abs(motion.pan_rate) <= 120_000 for motion in motions))
        off = statistics.median(scene.offs[len(scene.offs) // 2:])
        self.assertLess(off, 4, f"it looks {off:.1f} degrees beside a face")
        self.assertGreater(abs(motions[-1].pan), 5_000)
        self.assertFalse(motions[-1].flags & MOVING)

    def test_paused_and_killed(self):
        daemon = Daemon(self.path, str(PROFILE), self.folder)
        self.addCleanup(daemon.close)
        daemon.ready()
        daemon.type("velocity 20 0 for 5")
        self.wait_for(lambda motion: motion.pan > 4_000)
        self.emulator.signal(signal.SIGSTOP)
        time.sleep(1.5)
        self.emulator.signal(signal.SIGCONT)
        # What it may still have moved: what its deadman and its braking take.
        stood = self.wait_for(lambda motion: motion.pan_rate == 0)
        time.sleep(0.5)
        self.assertLess(self.last().pan - stood.pan, 8_000)
        daemon.type("stop")
        self.wait_for(lambda motion: motion.pan_rate == 0 and not motion.flags & NOT_GREETED)
        before = len(daemon.told.lines)
        self.emulator.signal(signal.SIGKILL)
        at = daemon.told.wait("the dock is gone", before)
        self.plug(f"{self.folder}/2")
        daemon.told.wait("dock ready", at, seconds=15)
        # Another boot: nothing goes on by itself.
        self.assertEqual(self.wait_for(lambda motion: not motion.flags & NOT_GREETED).pan_rate, 0)
        daemon.type("orient 10 5 in 1")
        try:
            self.wait_for(lambda motion: abs(motion.pan - 10_000) < 1_500)
        except AssertionError as missed:
            raise AssertionError(f"{missed}; the daemon said {daemon.told.lines}") from None

    def last(self):
        return [Motion(body) for kind, _, body in self.frames(self.port.device) if kind == MOTION][-1]

    def wait_for(self, holds, seconds=6):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.02)
            motions = [Motion(body) for kind, _, body in self.frames(self.port.device) if kind == MOTION]
            if motions and holds(motions[-1]):
                return motions[-1]
        raise AssertionError(f"in {seconds} s it does not come to that: {vars(motions[-1]) if motions else 'no report'}")


class Parts(unittest.TestCase):
    """What of the firmware knows no board, on this machine."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def test_records_servos_and_hands(self):
        sources = [emulators.FIRMWARE / f"Sources/{name}.swift" for name in ("RecordLog", "Servo", "Inputs")]
        program = f"{self.folder}/parts"
        subprocess.run(["swiftc", "-swift-version", "6", "-o", program, *sources, emulators.FIRMWARE / "Tests/main.swift"], check=True)
        result = subprocess.run([program], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_arithmetic_of_a_cortex_m0(self):
        library = f"{self.folder}/arithmetic.so"
        compiler = shutil.which("cc") or shutil.which("clang")
        subprocess.run([compiler, "-O1", "-fno-builtin", "-shared", "-fPIC", "-o", library, emulators.FIRMWARE / "Support/armv6m.c"], check=True)
        code, dice = ctypes.CDLL(library), random.Random(3)
        word, wide, most = ctypes.c_uint32, ctypes.c_uint64, 2**64 - 1

        def named(name, result):
            function = code[f"__aeabi_{name}"]
            function.restype = result
            return function

        multiply, left, right = (named(name, wide) for name in ("lmul", "llsl", "llsr"))
        plain, signed, both, both_signed = named("uidiv", word), named("idiv", ctypes.c_int32), named("uidivmod", wide), named("idivmod", wide)
        for _ in range(5000):
            a, b = (dice.getrandbits(dice.randrange(1, 65)) for _ in range(2))
            self.assertEqual(multiply(wide(a), wide(b)), a * b & most)
            by = dice.randrange(64)
            self.assertEqual((left(wide(a), by), right(wide(a), by)), (a << by & most, a >> by))
            over, under = a & 0xFFFFFFFF, b & 0xFFFFFFFF or 1
            self.assertEqual(plain(word(over), word(under)), over // under)
            self.assertEqual(both(word(over), word(under)), over // under | over % under << 32)
            x, y = ctypes.c_int32(over).value, ctypes.c_int32(under).value
            quotient = abs(x) // abs(y) * (1 if x * y >= 0 else -1)
            self.assertEqual(signed(x, y), ctypes.c_int32(quotient).value)
            self.assertEqual(both_signed(x, y), quotient & 0xFFFFFFFF | (x - quotient * y & 0xFFFFFFFF) << 32)


@unittest.skipUnless(THOROUGH, "with DOCKFACE_THOROUGH=1")
class Mps2(Board, unittest.TestCase):
    board, has_watchdog = "mps2-an386", True

    def test_the_watchdog_ends_what_hangs(self):
        self.start(test=True)
        before = self.arm()
        self.drive(0.3, 1, 0, 0, 40_000)
        self.emulator.set(COMMAND, 2)
        after = self.host.wait(WHO)
        self.assertEqual(struct.unpack_from("<H", after, 36)[0], struct.unpack_from("<H", before, 36)[0] + 1)
        self.assertEqual(self.emulator.read(self.emulator.symbols["retained"], 3)[2], 2, "by its interrupt, an NMI")


@unittest.skipUnless(THOROUGH, "with DOCKFACE_THOROUGH=1")
class Riscv(Board, unittest.TestCase):
    # A trap is an illegal instruction, 2, counted from 1; on the others a hard fault, 3, too.
    board = "riscv32-virt"


if __name__ == "__main__":
    unittest.main()
