"""A board of Firmware/ in QEMU as a dock for dock_cases.py, and a way to run tests in parallel."""

import concurrent.futures
import functools
import os
import signal
import tempfile
import threading
import unittest

import emulators
from dlp import HELLO_ACK, MOTION, frames, motion_of
from dock_cases import DockCases, HandCases
from dock_host import Host
from emulators import Emulator
from lines import Tap

THOROUGH = bool(os.environ.get("DOCKFACE_THOROUGH"))
# Offsets of Support/support.h.
PINS, EDGES, MILLIVOLTS, COMMAND, CLOCK_START = range(5)
BITS = {"button0": 1, "button1": 2, "tracking": 4, "emergency": 8}
# The exception by which a watchdog ends the firmware: an NMI.
WATCHDOG = 2
# The voltage divider between battery and pin (Sources/Rig.swift).
DIVIDER = 4

one = threading.Lock()


@functools.cache
def _built(board):
    return emulators.build(board)


def built(board):
    with one:
        return _built(board)


class SideBySide(unittest.TestSuite):
    """These tests mostly wait: several run in parallel, each with its own emulator.

    A test that failed while the machine held up its emulator is repeated after the others, each time beside fewer of them. It
    passes only if one run of it passes.
    """

    # How many run in parallel, round by round.
    lanes = (int(os.environ.get("DOCKFACE_LANES", "6")), 2, 1, 1)

    def run(self, result, debug=False):
        left = list(self)
        for number, lanes in enumerate(self.lanes, start=1):
            with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
                runs = list(zip(left, pool.map(self.alone, left)))
            left = []
            for test, own in runs:
                if not own.wasSuccessful() and getattr(test, "was_held_up", False) and number < len(self.lanes):
                    left.append(test)
                    continue
                result.startTest(test)
                result.failures += own.failures
                result.errors += own.errors
                result.skipped += own.skipped
                if own.wasSuccessful() and not own.skipped:
                    result.addSuccess(test)
                result.stopTest(test)
        return result

    @staticmethod
    def alone(test):
        own = unittest.TestResult()
        test.run(own)
        return own


# The docks here report every 20 ms or more often.
LONGEST_GAP = 60_000


def held_up(motions):
    """Whether the emulator stood still for a while: its clock goes on with the machine's, and its reports stop."""
    passed = [(after.time - before.time) & 0xFFFFFFFF for before, after in zip(motions, motions[1:])]
    # A clock that restarts seems to have gone on for more than half of its range.
    return any(LONGEST_GAP < one < 2**31 for one in passed)


class EmulatedDock:
    """The result of `board()` of dock_cases.py. Inputs need a test image, in which a debugger writes them."""

    def __init__(self, board, is_test=False, registers=None, words=None, more=()):
        self.board, self.arguments, self.registers = board, (is_test, words, more), registers
        self.emulator = None
        self.start()

    def start(self):
        self.holder = tempfile.TemporaryDirectory()
        self.emulator = Emulator(self.board, self.holder.name, *self.arguments)
        self.pins = self.edges = 0

    def line(self):
        return self.emulator.line

    def pulses(self):
        """The pulses of both servos, if the firmware has registers for them; 0: none."""
        return self.registers and tuple(width or None for width in self.emulator.read(self.registers, 2))

    def press(self, name, is_down):
        self.pins = self.pins | BITS[name] if is_down else self.pins & ~BITS[name]
        self.emulator.set(PINS, self.pins)

    def emergency(self, is_open):
        self.press("emergency", is_open)

    def turn(self, detents):
        self.edges = (self.edges + 4 * detents) & 0xFFFF
        self.emulator.set(EDGES, self.edges)

    def supply(self, millivolts):
        # 0 at the pin means that there is no battery.
        self.emulator.set(MILLIVOLTS, max(1, millivolts // DIVIDER))

    def reset(self):
        self.emulator.reset()

    def power_cycle(self):
        self.close()
        self.start()

    def pause(self):
        self.emulator.signal(signal.SIGSTOP)

    def resume(self):
        self.emulator.signal(signal.SIGCONT)

    def close(self):
        self.emulator.close()
        self.holder.cleanup()


class PluggedDock(EmulatedDock):
    """The same at `path`, a pseudo-terminal for the daemon, as dock_daemon.py needs; `tap` records its traffic."""

    def __init__(self, board, registers=None):
        self.place = tempfile.TemporaryDirectory()
        self.path = f"{self.place.name}/dock"
        super().__init__(board, registers=registers)

    def start(self):
        super().start()
        self.tap = Tap(self.emulator.line)
        os.symlink(self.tap.path, self.path)

    def was_held_up(self):
        return held_up([motion_of(frame.body) for frame in frames(self.tap.device) if frame.kind == MOTION])

    def kill(self):
        os.unlink(self.path)
        self.emulator.signal(signal.SIGKILL)
        self.tap.close()
        super().close()

    def close(self):
        if os.path.islink(self.path):
            self.kill()
        self.place.cleanup()


class EmulatedBoard(DockCases, HandCases):
    """Tests for each board in QEMU; `name` is its folder in Firmware/Boards."""

    name = ""
    # Where a debugger finds the pulses.
    registers = None
    # A test image gets the exact voltage at its pin.
    supply_delta = 0

    def setUp(self):
        if why := emulators.missing(self.name):
            self.skipTest(why)
        built(self.name)
        super().setUp()

    def tearDown(self):
        # A firmware that hangs ends by the watchdog every time; a busy machine triggers it sometimes.
        is_watchdog = self.has_watchdog and self.dock.emulator.read(self.dock.emulator.symbols["retained"], 3)[2] == WATCHDOG
        self.was_held_up = is_watchdog or held_up(self.host.motions())
        super().tearDown()

    def board(self):
        # Tests without inputs use the image that people flash.
        return EmulatedDock(self.name, hasattr(HandCases, self._testMethodName), self.registers)

    def start(self, words=None, more=()):
        """Starts another emulator with the test image. Returns its first, unasked identity."""
        self.host.close()
        self.dock.close()
        self.dock = EmulatedDock(self.name, True, self.registers, words, more)
        self.addCleanup(self.dock.close)
        self.host = Host(self.dock.line())
        return self.host.wait(HELLO_ACK)
