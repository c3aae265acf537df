"""What tests of the firmware share: its messages, a board under test, and a way to run some of them at a time."""

import concurrent.futures
import functools
import os
import struct
import tempfile
import threading
import time
import unittest

import emulators
from emulators import Emulator, Host

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
