"""A camera on the head of a dock that is not simulated: recorded faces, seen from where the dock says that it looks."""

import json
import math
import socket
import struct
import threading
import time

import emulators

HFOV = 66
# The servos are so far behind their pulses (profiles/dlp-servo-dock.toml), and the picture is taken where they are.
LAG = 0.08


class Scene:
    def __init__(self, recording, port, path):
        lines = [json.loads(line) for line in recording.read_text().splitlines()]
        self.image = lines[0]["image"]
        self.frames = [line["faces"] for line in lines if line["type"] == "frame"]
        self.port, self.path, self.read = port, path, 0
        self.poses = [(0.0, 0.0, 0.0)]
        # How far the nearest face is from the middle of each picture, degrees.
        self.offs, self.ends = [], False
        self.scale = 2 * math.tan(math.radians(HFOV / 2))
        self.tall = self.scale * self.image["h"] / self.image["w"]
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _pose(self):
        """Pan and tilt of the head now, degrees."""
        stream = bytes(self.port.device)
        end = stream.rfind(b"\0") + 1
        now = time.monotonic()
        for run in filter(None, stream[self.read:end].split(b"\0")):
            kind, _, body = emulators.decoded(run)
            if kind == 0x80:
                pan, tilt = struct.unpack_from("<ii", body, 4)
                self.poses.append((now, pan / 1000, tilt / 1000))
        self.read = max(end, self.read)
        old = [pose for pose in self.poses if pose[0] <= now - LAG]
        return old[-1][1:] if old else (0.0, 0.0)

    def _places(self, index):
        """Where in the room the faces of a frame are, degrees, their sizes and scores; recorded by a camera that stood still."""
        for face in self.frames[index]:
            x, y, w, h = face["rect"]
            pan = math.degrees(math.atan((x + w / 2 - 0.5) * self.scale))
            tilt = math.degrees(math.atan((0.5 - y - h / 2) * self.tall))
            yield pan, tilt, w, h, face["score"]

    def _seen(self, index):
        pan, tilt = self._pose()
        self.offs.append(min(math.hypot(place[0] - pan, place[1] - tilt) for place in self._places(index)))
        for face_pan, face_tilt, w, h, score in self._places(index):
            x = 0.5 + math.tan(math.radians(face_pan - pan)) / self.scale - w / 2
            y = 0.5 - math.tan(math.radians(face_tilt - tilt)) / self.tall - h / 2
            if -w / 2 < x < 1 - w / 2 and -h / 2 < y < 1 - h / 2:
                yield {"rect": [round(value, 4) for value in (x, y, w, h)], "score": score}

    def _run(self):
        while not self.ends:
            try:
                with socket.socket(socket.AF_UNIX) as link:
                    link.connect(self.path)
                    self._show(link)
            except OSError:
                time.sleep(0.05)

    def _show(self, link):
        hello = {"type": "hello", "v": 1, "detector": "recorded", "clock": "monotonic", "image": self.image, "fps": 15}
        link.sendall(json.dumps(hello).encode() + b"\n")
        next_at, number = time.monotonic(), 0
        while not self.ends:
            place = number % (2 * len(self.frames) - 2)
            taken = time.monotonic()
            faces = list(self._seen(min(place, 2 * len(self.frames) - 2 - place)))
            # A detector takes its time.
            time.sleep(0.03)
            link.sendall(json.dumps({"type": "frame", "seq": number, "t": taken, "faces": faces}).encode() + b"\n")
            number += 1
            next_at += 1 / 15
            time.sleep(max(0, next_at - time.monotonic()))

    def close(self):
        self.ends = True
        self.thread.join()
