"""The firmware of Firmware/ in an emulator: what any dock must do (dock_cases.py), what these boards do in addition
(firmware_cases.py), and the daemon that drives one.

Everything here runs against stm32f405, and with DOCKFACE_THOROUGH=1 also against the other emulated boards.
"""

import ctypes
import json
import os
import random
import shutil
import statistics
import subprocess
import time
import unittest

import emulators
from dlp import *
from dock_daemon import DaemonCases
from emulators import FIRMWARE
from firmware_bench import COMMAND, THOROUGH, WATCHDOG, PluggedDock, SideBySide, built
from firmware_cases import FirmwareCases
from programs import PROGRAM, ROOT, Case, Daemon
from rooms import Camera, ReportedHead, Room

PROFILE = ROOT / "profiles/dlp-servo-dock.toml"


def load_tests(loader, tests, pattern):
    # The longest first, so that none delays the end.
    flat = [test for group in tests for test in group]
    return SideBySide(sorted(flat, key=lambda test: not isinstance(test, (AsAnyDock, WithDaemon))))


class Stm32F405(FirmwareCases, unittest.TestCase):
    name, model, capabilities = "stm32f405", "stm32f405 servos", 0xF2
    # Capture/compare registers 1 and 2 of TIM3.
    registers = 0x40000434

    def test_pulses(self):
        self.host.greet()
        self.assertEqual(self.dock.pulses(), (None, None))
        self.assertEqual(self.host.ask(TORQUE, bytes([3, 1])), OK)
        self.host.listen(0.05)
        self.assertEqual(self.dock.pulses(), (1500, 1500))
        # A period of 20,000 steps; one step is a microsecond if the clock is what the firmware assumes.
        self.assertEqual(self.dock.emulator.read(0x4000042C), [19_999])
        self.host.drive(1.5, 45, -18, mode=PLACE)
        pose = self.host.motion()
        self.assertAlmostEqual(pose.pan, 45_000, delta=20)
        self.assertAlmostEqual(pose.tilt, -18_000, delta=20)
        self.assertEqual(self.dock.pulses(), (2000, 1300))
        # A trim moves the reading, not the servo: the same position reads differently.
        self.assertEqual(self.host.param(PAN_TRIM, 9000), 9000)
        self.host.drive(1.0, 45, -18, mode=PLACE)
        self.assertAlmostEqual(self.host.motion().pan, 45_000, delta=20)
        self.assertEqual(self.dock.pulses(), (1900, 1300))
        self.assertEqual(self.host.ask(TORQUE, bytes([1, 0])), OK)
        self.host.listen(0.05)
        self.assertEqual(self.dock.pulses(), (None, 1300))

    def test_a_trap_cuts_the_pulses_before_anything_else(self):
        self.cuts = 1
        for command in (1, 3):
            with self.subTest(command=command):
                # Pauses at the moment of the reboot.
                self.start(more=["-action", "reboot=shutdown,shutdown=pause"])
                self.host.arm()
                self.host.drive(0.3, 40, 0)
                self.assert_pulsing(True, True)
                self.dock.emulator.set(COMMAND, command)
                end = time.monotonic() + 3
                while self.dock.emulator.is_running() and time.monotonic() < end:
                    time.sleep(0.01)
                self.assertFalse(self.dock.emulator.is_running())
                self.assert_pulsing(False, False)


@unittest.skipUnless(THOROUGH, "with DOCKFACE_THOROUGH=1")
class Mps2(FirmwareCases, unittest.TestCase):
    name, model, has_watchdog = "mps2-an386", "mps2-an386", True

    def test_the_watchdog_ends_what_hangs(self):
        self.assertEqual(self.ends_by(2)[0], WATCHDOG)


@unittest.skipUnless(THOROUGH, "with DOCKFACE_THOROUGH=1")
class CortexM0(Mps2):
    """The instructions of an RP2040, which no emulator has, on another board."""

    name = "mps2-an385"


@unittest.skipUnless(THOROUGH, "with DOCKFACE_THOROUGH=1")
class Riscv(FirmwareCases, unittest.TestCase):
    # Its trap is an illegal instruction, 2, counted from 1.
    name = model = "riscv32-virt"


def plugged():
    if why := emulators.missing(Stm32F405.name):
        raise unittest.SkipTest(why)
    built(Stm32F405.name)
    return PluggedDock(Stm32F405.name, Stm32F405.registers)


@unittest.skipUnless(THOROUGH, "with DOCKFACE_THOROUGH=1")
class AsAnyDock(DaemonCases, Case):
    """The built daemon on it, as on any other dock."""

    profile = "dlp-servo-dock"

    def board(self):
        return plugged()


class WithDaemon(Case):
    """The built daemon on the image's line, through a pseudo-terminal."""

    def setUp(self):
        super().setUp()
        self.dock, self.daemon = plugged(), None
        self.addCleanup(self.dock.close)

    def tearDown(self):
        self.was_held_up = self.dock.was_held_up()
        super().tearDown()

    def test_it_follows_recorded_faces(self):
        camera = Camera(Room("two-people"), ReportedHead(self.dock.tap), f"{self.folder}/faces")
        self.addCleanup(camera.close)
        environment = dict(os.environ, XDG_RUNTIME_DIR=self.folder, XDG_STATE_HOME=self.folder, XDG_CONFIG_HOME=self.folder)
        result = subprocess.run(
            [PROGRAM, "run", "--port", self.dock.path, "--profile", str(PROFILE), "--headless", "--detector", f"unix:{camera.path}",
             "--socket", "none", "--framing", "center", "--seconds", "8", "--summary"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, timeout=30)
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout.splitlines()[-1])
        self.assertEqual((summary["faults"], summary["stoppedLast"]), (0, True), (summary, result.stderr))
        self.assertGreater(summary["frames"], 60)
        self.assertGreater(summary["commands"], 40)
        self.wait_for(lambda motion: not motion.flags & F_MOVING, 2)
        last, reports = list(frames(self.dock.tap.host))[-1], list(frames(self.dock.tap.device))
        self.assertEqual((last.kind, last.body[0]), (SETPOINT, IDLE), "the last message is a stop")
        # No frame was lost: each frame of the image has the next number.
        numbers = [frame.sequence for frame in reports]
        self.assertTrue(all((b - a) & 0xFF == 1 for a, b in zip(numbers, numbers[1:])))
        motions = [motion_of(frame.body) for frame in reports if frame.kind == MOTION]
        self.assertTrue(all(abs(motion.pan) <= 85_000 and abs(motion.pan_rate) <= 120_000 for motion in motions))
        off = statistics.median(camera.offs[len(camera.offs) // 2:])
        self.assertLess(off, 4, f"it looks {off:.1f} degrees beside a face")
        self.assertGreater(abs(motions[-1].pan), 5_000)

    def test_paused_and_killed(self):
        daemon = self.daemon = Daemon(self.dock.path, str(PROFILE), self.folder)
        self.addCleanup(daemon.close)
        daemon.ready()
        # A busy machine may hold the emulator up for longer than the daemon waits. Then the daemon has stopped it, and
        # the command is repeated.
        for _ in range(4):
            daemon.type("velocity 20 0 for 5")
            time.sleep(0.4)
            if self.last().pan_rate > 10_000:
                break
        self.wait_for(lambda motion: motion.pan > 4_000)
        self.dock.pause()
        time.sleep(1.5)
        self.dock.resume()
        # How far it may still have moved: during its deadman time and its braking.
        stood = self.wait_for(lambda motion: motion.pan_rate == 0)
        time.sleep(0.5)
        self.assertLess(self.last().pan - stood.pan, 8_000)
        daemon.type("stop")
        self.wait_for(lambda motion: motion.pan_rate == 0 and not motion.flags & F_NOT_GREETED)
        # Without a memory it counts each boot as its first: only its clock distinguishes the two, and only by some
        # seconds.
        self.wait_for(lambda motion: motion.time > 6_000_000, 15)
        before = len(daemon.told.lines)
        self.dock.kill()
        at = daemon.told.wait("the dock is gone", before)
        self.dock.start()
        daemon.told.wait("dock ready", at, seconds=15)
        # Another boot: no motion resumes by itself.
        self.assertEqual(self.wait_for(lambda motion: not motion.flags & F_NOT_GREETED).pan_rate, 0)
        daemon.type("orient 10 5 in 1")
        self.wait_for(lambda motion: abs(motion.pan - 10_000) < 1_500)

    def last(self):
        """The newest report; None: none yet."""
        end = bytes(self.dock.tap.device[-400:])
        reports = [frame for frame in frames(end[end.find(0) + 1:]) if frame.kind == MOTION]
        return motion_of(reports[-1].body) if reports else None

    def wait_for(self, holds, seconds=6):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.02)
            if (last := self.last()) and holds(last):
                return last
        raise AssertionError(f"not within {seconds} s: {last}; the daemon said {self.daemon and self.daemon.told.lines}")


class Parts(Case):
    """The board-independent part of the firmware, on this machine."""

    def test_records_servos_and_hands(self):
        sources = [FIRMWARE / f"Sources/{name}.swift" for name in ("RecordLog", "Servo", "Inputs")]
        program = f"{self.folder}/parts"
        sources.append(FIRMWARE / "Tests/main.swift")
        subprocess.run(["swiftc", "-swift-version", "6", "-o", program, *sources], check=True)
        result = subprocess.run([program], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_arithmetic_of_a_cortex_m0(self):
        library = f"{self.folder}/arithmetic.so"
        compiler = shutil.which("cc") or shutil.which("clang")
        source = FIRMWARE / "Support/armv6m.c"
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


if __name__ == "__main__":
    unittest.main()
