"""Recorded faces as positions in a room, seen by a camera on the head of a dock that is not simulated."""

import json
import math
import socket
import threading
import time

from dlp import MOTION, frames, motion_of
from programs import ROOT

HALF = math.tan(math.radians(66 / 2))
# Frames per second.
RATE = 15


class Room:
    """The world positions of the faces in a recording of a fixed camera."""

    def __init__(self, name):
        with open(ROOT / f"Examples/faces/{name}.jsonl", encoding="utf-8") as file:
            lines = list(map(json.loads, file))
        self.image, recorded = lines[0]["image"], [line for line in lines if line["type"] == "frame"]
        self.shape = self.image["h"] / self.image["w"]
        self.times = [frame["t"] for frame in recorded]
        self.places = [[self._place(face) for face in frame["faces"]] for frame in recorded]
        self.begin = time.monotonic()

    def _place(self, face):
        """Degrees right and up, width, height, score."""
        x, y, width, height = face["rect"]
        right, up = (x + width / 2 - 0.5) * 2 * HALF, (0.5 - y - height / 2) * 2 * HALF * self.shape
        return math.degrees(math.atan(right)), math.degrees(math.atan(up)), width, height, face["score"]

    def hello(self):
        """The first line of a detector that looks into it (docs/DETECTORS.md)."""
        return self._line({"type": "hello", "v": 1, "detector": "room", "clock": "monotonic", "fps": RATE, "image": self.image})

    def picture(self, taken, pan, tilt):
        """A frame's line, and how far the nearest face is from its centre, degrees. Plays the recording back and forth."""
        length = self.times[-1]
        at = length - abs(length - (taken - self.begin) % (2 * length))
        index = max(0, next((index for index, time in enumerate(self.times) if time > at), len(self.times)) - 1)
        off, faces = 90, []
        for right, up, width, height, score in self.places[index]:
            x, y = (math.tan(math.radians(angle)) / 2 / HALF for angle in (right - pan, tilt - up))
            rect = [0.5 + x - width / 2, 0.5 + y / self.shape - height / 2, width, height]
            if abs(right - pan) < 50 and rect[0] < 1 and rect[0] + width > 0 and 0 < rect[1] + height / 2 < 1:
                faces.append({"rect": rect, "score": score})
                off = min(off, math.hypot(right - pan, up - tilt))
        return self._line({"type": "frame", "t": taken, "faces": faces}), off

    @staticmethod
    def _line(words):
        return json.dumps(words).encode() + b"\n"


class ReportedHead:
    """The pose of the head of a dock that reports the position of its pulses."""

    # The lag of the servos behind it, seconds (profiles/dlp-servo-dock.toml).
    LAG = 0.08

    def __init__(self, tap):
        self.tap, self.read, self.poses = tap, 0, [(0.0, 0.0, 0.0)]

    def __call__(self):
        """Pan and tilt now, degrees."""
        stream = bytes(self.tap.device)
        end, now = stream.rfind(b"\0") + 1, time.monotonic()
        for frame in frames(stream[self.read:end]):
            if frame.kind == MOTION:
                motion = motion_of(frame.body)
                self.poses.append((now, motion.pan / 1000, motion.tilt / 1000))
        self.read = max(end, self.read)
        old = [pose for pose in self.poses if pose[0] <= now - self.LAG]
        return old[-1][1:] if old else (0.0, 0.0)


class Camera:
    """A detector on a head that looks into a room; the daemon listens at the socket `path`."""

    def __init__(self, room, head, path):
        self.room, self.head, self.path = room, head, path
        # How far the nearest face was from the centre of each frame, degrees.
        self.offs, self.ends = [], False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while not self.ends:
            try:
                with socket.socket(socket.AF_UNIX) as link:
                    link.connect(self.path)
                    self._show(link)
            except OSError:
                time.sleep(0.05)

    def _show(self, link):
        link.sendall(self.room.hello())
        next_at = time.monotonic()
        while not self.ends:
            line, off = self.room.picture(time.monotonic(), *self.head())
            self.offs.append(off)
            # Simulates the time of a detector.
            time.sleep(0.03)
            link.sendall(line)
            next_at += 1 / RATE
            time.sleep(max(0, next_at - time.monotonic()))

    def close(self):
        self.ends = True
        self.thread.join()
