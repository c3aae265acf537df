"""The built daemon on a board: it follows recorded people, seen by a camera on the head that the board's pulses turn."""

import json
import math
import os
import signal
import subprocess
import tempfile
import time

from dock_host import MOTION, SETPOINT
from programs import PROGRAM, ROOT, Daemon, Tap
from test_dlp import decoded

HALF = math.tan(math.radians(66 / 2))
LAG = 0.06


class Room:
    """Recorded faces as places in a room, and the rectangles that a camera on the head sees of them."""

    def __init__(self, name):
        with open(ROOT / f"Examples/faces/{name}.jsonl", encoding="utf-8") as file:
            lines = list(map(json.loads, file))
        head, frames = lines[0], [line for line in lines if line["type"] == "frame"]
        self.shape = head["image"]["h"] / head["image"]["w"]
        self.times = [frame["t"] for frame in frames]
        self.places = [[self.place(face["rect"]) for face in frame["faces"]] for frame in frames]

    def place(self, rect):
        x, y, width, height = rect
        pan = math.atan((x + width / 2 - 0.5) * 2 * HALF)
        return math.degrees(pan), math.degrees(math.atan((0.5 - y - height / 2) * 2 * HALF * self.shape)), width, height

    def seen(self, at, pan, tilt):
        """Degrees from the picture's middle and rectangle of each face; to and fro through the recording."""
        length = self.times[-1]
        at = length - abs(length - at % (2 * length))
        index = max(0, next((index for index, time in enumerate(self.times) if time > at), len(self.times)) - 1)
        for right, up, width, height in self.places[index]:
            x, y = (math.tan(math.radians(angle)) / 2 / HALF for angle in (right - pan, tilt - up))
            rect = [0.5 + x - width / 2, 0.5 + y / self.shape - height / 2, width, height]
            if abs(right - pan) < 50 and rect[0] < 1 and rect[0] + width > 0 and 0 < rect[1] + height / 2 < 1:
                yield (right - pan, up - tilt), rect


class DaemonCases:
    """`board()` as in dock_cases; it also has `kill()`, which takes it off its port, and `start()`, which puts it back there."""

    profile = "dlp-servo-dock-arduino"
    servo = (1500, 1000)

    def setUp(self):
        super().setUp()
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.dock = self.board()
        self.addCleanup(self.dock.close)
        self.head = [0.0, 0.0]
        self.begin = self.before = time.monotonic()

    def turn_head(self):
        """A servo is where its pulse says, 60 ms late; without pulses it stays."""
        now = time.monotonic()
        share = 1 - math.exp(-(now - self.before) / LAG)
        self.before = now
        for axis, pulse in enumerate(self.dock.pulses()):
            if pulse is not None:
                self.head[axis] += share * ((pulse - self.servo[0]) * 90 / self.servo[1] - self.head[axis])
        return now

    def follow(self, room, program, seconds):
        """Feeds the daemon 15 pictures a second; how far the nearest face was from the middle in each, degrees."""
        errors, end, next_picture = [], time.monotonic() + seconds, 0
        while (now := self.turn_head()) < end and program.poll() is None:
            if now >= next_picture:
                next_picture = now + 1 / 15
                faces = list(room.seen(now - self.begin, *self.head))
                errors.append((now - self.begin, min((math.hypot(*error) for error, _ in faces), default=90)))
                line = {"type": "frame", "t": now, "faces": [{"rect": rect, "score": 0.9} for _, rect in faces]}
                try:
                    program.stdin.write(json.dumps(line).encode() + b"\n")
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
        program.stdin.write(b'{"type":"hello","v":1,"detector":"room","clock":"monotonic","fps":15,"image":{"w":480,"h":270}}\n')
        program.stdin.flush()
        self.addCleanup(lambda: (program.kill(), program.wait(), program.stdin.close(), program.stdout.close()))
        return program

    def test_the_daemon_follows_recorded_people(self):
        tap = Tap(self.dock.path)
        program = self.daemon(tap.path, "--seconds", "12")
        errors = self.follow(Room("two-people"), program, 20)
        said = program.stdout.read().decode()
        self.assertEqual(program.wait(10), 0, said)
        tap.close()
        summary = json.loads(said.strip().split("\n")[-1])
        self.assertEqual((summary["faults"], summary["stoppedLast"]), (0, True), said)
        self.assertGreater(summary["commands"], 100, said)
        settled = [error for at, error in errors if at > 6]
        self.assertLess(sum(settled) / len(settled), 6, f"{errors} {said}")
        host = list(decoded(tap.host))
        self.assertEqual((host[-1][0], host[-1][2][0]), (SETPOINT, 0), "the last word is a stop")
        # What it was told and what the board reports is one motion.
        self.assertGreater(max(abs(self.pan(body)) for kind, _, body in decoded_whole(tap.device) if kind == MOTION), 5)

    @staticmethod
    def pan(body):
        return int.from_bytes(body[4:8], "little", signed=True) / 1000

    def ready(self, *more):
        daemon = Daemon(self.dock.path, self.profile, self.folder, *more)
        self.addCleanup(daemon.close)
        daemon.ready()
        return daemon

    def speed(self):
        """Of the pulses, degrees a second."""
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
        self.assertEqual(self.speed(), 0, "it turns on behind a reset")
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
        self.assertLess(self.speed(), 0.5, "it turns on with what had waited")
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
        self.assertEqual(self.speed(), 0, "it goes on by itself")
        self.turns(daemon, 10)


def decoded_whole(stream):
    """Without the run that was cut when the line was opened."""
    return decoded(stream[stream.index(0) + 1:])
