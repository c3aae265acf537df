"""The firmware of Firmware/, in an emulator: its wire from outside (firmware_wire.py), and the daemon that drives it.

Everything here runs against stm32f405; with DOCKFACE_THOROUGH=1 against the other boards that an emulator has, too.
"""

import ctypes
import json
import os
import random
import shutil
import signal
import statistics
import struct
import subprocess
import tempfile
import time
import unittest

import emulators
from emulators import Emulator
from firmware_cases import *  # noqa: F403
from firmware_wire import Wire
from programs import PROGRAM, Daemon
from scenes import Scene


def load_tests(loader, tests, pattern):
    # The longest first, so that none is waited for at the end.
    flat = [test for group in tests for test in group]
    return SideBySide(sorted(flat, key=lambda test: not isinstance(test, WithDaemon)))


class Stm32F405(Wire, unittest.TestCase):
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
        last, _ = self.drive(1.0, 2, 45_000, -18_000)
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
        sources.append(emulators.FIRMWARE / "Tests/main.swift")
        subprocess.run(["swiftc", "-swift-version", "6", "-o", program, *sources], check=True)
        result = subprocess.run([program], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_arithmetic_of_a_cortex_m0(self):
        library = f"{self.folder}/arithmetic.so"
        compiler = shutil.which("cc") or shutil.which("clang")
        source = emulators.FIRMWARE / "Support/armv6m.c"
        subprocess.run([compiler, "-O1", "-fno-builtin", "-shared", "-fPIC", "-o", library, source], check=True)
        code, dice = ctypes.CDLL(library), random.Random(3)
        word, wide, most = ctypes.c_uint32, ctypes.c_uint64, 2**64 - 1

        def named(name, result):
            function = code[f"__aeabi_{name}"]
            function.restype = result
            return function

        multiply, left, right = (named(name, wide) for name in ("lmul", "llsl", "llsr"))
        plain, signed = named("uidiv", word), named("idiv", ctypes.c_int32)
        both, both_signed = named("uidivmod", wide), named("idivmod", wide)
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
class Mps2(Wire, unittest.TestCase):
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
class CortexM0(Mps2):
    """The instructions of an RP2040, which no emulator has, on another board."""

    board = "mps2-an385"


@unittest.skipUnless(THOROUGH, "with DOCKFACE_THOROUGH=1")
class Riscv(Wire, unittest.TestCase):
    # A trap is an illegal instruction, 2, counted from 1; on the others a hard fault, 3, too.
    board = "riscv32-virt"


if __name__ == "__main__":
    unittest.main()
