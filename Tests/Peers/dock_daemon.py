"""The built daemon on a board: it follows recorded people, seen by a camera on the head that the board's pulses turn."""

import json
import math
import os
import signal
import subprocess
import time

from dlp import IDLE, MOTION, SETPOINT, frames, motion_of
from lines import Line, Tap
from programs import PROGRAM, ROOT, Daemon
from rooms import RATE, Room

# The lag of a servo behind its pulse, seconds.
LAG = 0.06


class DaemonCases:
    """For a programs.Case with `board()` as in dock_cases. The board also has `path`, its port, `kill()`, which disconnects it,
    and `start()`, which connects it again."""

    profile = "dlp-servo-dock-arduino"
    servo = (1500, 1000)

    def setUp(self):
        super().setUp()
        self.dock = self.board()
        self.addCleanup(self.dock.close)
        self.head = [0.0, 0.0]
        self.begin = self.before = time.monotonic()

    def turn_head(self):
        """A servo reaches the position of its pulse a while later; without pulses it stays."""
        now = time.monotonic()
        share = 1 - math.exp(-(now - self.before) / LAG)
        self.before = now
        for axis, pulse in enumerate(self.dock.pulses()):
            if pulse is not None:
                self.head[axis] += share * ((pulse - self.servo[0]) * 90 / self.servo[1] - self.head[axis])
        return now

    def follow(self, room, program, seconds):
        """Sends the daemon frames of a room. Returns how far the nearest face was from the centre in each, degrees."""
        errors, end, next_picture = [], time.monotonic() + seconds, 0
        while (now := self.turn_head()) < end and program.poll() is None:
            if now >= next_picture:
                next_picture = now + 1 / RATE
                line, off = room.picture(now, *self.head)
                errors.append((now - self.begin, off))
                try:
                    program.stdin.write(line)
                    program.stdin.flush()
                except BrokenPipeError:
                    break
            time.sleep(0.005)
        return errors

    def daemon(self, port, *more):
        environment = dict(os.environ, XDG_RUNTIME_DIR=self.folder, XDG_STATE_HOME=self.folder, XDG_CONFIG_HOME=self.folder)
        program = subprocess.Popen(
            [PROGRAM, "run", "--port", port, "--profile", str(ROOT / f"profiles/{self.profile}.toml"), "--detector", "stdin", "--headless",
             "--socket", "none", "--mode", "system", "--summary", *more],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        self.addCleanup(lambda: (program.kill(), program.wait(), program.stdin.close(), program.stdout.close()))
        return program

    def test_the_daemon_follows_recorded_people(self):
        tap = Tap(Line(self.dock.path))
        program, room = self.daemon(tap.path, "--seconds", "12"), Room("two-people")
        program.stdin.write(room.hello())
        errors = self.follow(room, program, 20)
        said = program.stdout.read().decode()
        self.assertEqual(program.wait(10), 0, said)
        tap.close()
        summary = json.loads(said.strip().split("\n")[-1])
        self.assertEqual((summary["faults"], summary["stoppedLast"]), (0, True), said)
        self.assertGreater(summary["commands"], 40, said)
        settled = [error for at, error in errors if at > 6]
        self.assertLess(sum(settled) / len(settled), 6, f"{errors} {said}")
        last = list(frames(tap.host))[-1]
        self.assertEqual((last.kind, last.body[0]), (SETPOINT, IDLE), "the last message is a stop")
        # Compares the commands with the board's reports as one motion. The first run was cut when the line was opened.
        reports = frames(tap.device[tap.device.index(0) + 1:])
        self.assertGreater(max(abs(motion_of(frame.body).pan) for frame in reports if frame.kind == MOTION), 5_000)

    def ready(self, *more):
        daemon = Daemon(self.dock.path, self.profile, self.folder, *more)
        self.addCleanup(daemon.close)
        daemon.ready()
        return daemon

    def speed(self):
        """The speed of the pulses, degrees per second."""
        first, at = self.dock.pulses()[0], time.monotonic()
        time.sleep(0.1)
        later = self.dock.pulses()[0]
        return 0 if None in (first, later) else abs(later - first) * 90 / self.servo[1] / (time.monotonic() - at)

    def turns(self, daemon, seconds=6):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            daemon.type("velocity 12 0 for 2")
            if self.speed() > 6:
                return
        raise AssertionError(f"it does not turn: {daemon.told.lines}")

    def test_a_killed_daemon(self):
        daemon = self.ready()
        self.turns(daemon)
        daemon.program.send_signal(signal.SIGKILL)
        time.sleep(0.5)
        self.assertLess(self.speed(), 0.5)

    def test_a_board_that_starts_anew_in_mid_motion(self):
        daemon = self.ready()
        self.turns(daemon)
        self.dock.reset()
        time.sleep(1)
        self.assertEqual(self.speed(), 0, "it keeps turning after a reset")
        self.turns(daemon, 10)

    def test_a_board_that_falls_silent(self):
        daemon = self.ready()
        self.turns(daemon)
        self.dock.pause()
        time.sleep(1.5)
        status = daemon.ask("status")
        self.assertNotEqual(status.get("connection", status.get("state")), "ready", status)
        self.dock.resume()
        time.sleep(0.6)
        self.assertLess(self.speed(), 0.5, "it keeps turning with queued set-points")
        self.turns(daemon, 12)

    def test_a_board_that_is_gone_and_comes_back(self):
        daemon = self.ready()
        self.turns(daemon)
        after = len(daemon.told.lines)
        self.dock.kill()
        daemon.told.wait("the dock is gone", after, 5)
        time.sleep(0.5)
        self.dock.start()
        daemon.told.wait("dock ready", after, 20)
        time.sleep(0.5)
        self.assertEqual(self.speed(), 0, "it resumes by itself")
        self.turns(daemon, 10)
