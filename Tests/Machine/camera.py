"""A camera on the dock's head and a detector behind it: recorded faces, seen from where the dock says that it looks."""

import contextlib
import json
import pathlib
import socket
import time

import dock  # noqa: F401 (it finds the peers)
from scenes import LAG, Scene

HELLO = {"type": "hello", "v": 1, "detector": "recorded", "fps": 15}


class Camera(Scene):
    """In the machine its lines come out of /dev/virtio-ports/faces. It shares no clock with us, so they have no times."""

    def __init__(self, machine, board):
        self.board = board
        super().__init__(pathlib.Path(__file__).parents[2] / "Examples/faces/two-people.jsonl", None, f"{machine.folder}/faces")

    def _pose(self):
        old = [report for report in self.board.reports(time.monotonic() - 1) if report.at <= time.monotonic() - LAG]
        return (old[-1].pan, old[-1].tilt) if old else (0.0, 0.0)

    def _show(self, link):
        # Nobody is to see what was seen a while ago.
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        next_at, number, last = time.monotonic(), 0, 2 * len(self.frames) - 2
        while not self.ends:
            place = number % last
            lines = [{"type": "frame", "seq": number, "faces": list(self._seen(min(place, last - place)))}]
            if number % 15 == 0:
                # A daemon that begins anew wants it, too.
                lines.insert(0, {**HELLO, "image": self.image})
            with contextlib.suppress(BlockingIOError):
                link.send("".join(json.dumps(line) + "\n" for line in lines).encode(), socket.MSG_DONTWAIT)
            number += 1
            next_at += 1 / 15
            time.sleep(max(0, next_at - time.monotonic()))
