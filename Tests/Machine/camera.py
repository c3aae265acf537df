"""A camera on the dock's head and a detector behind it: recorded faces, seen in the direction that the dock reports."""

import contextlib
import json
import socket
import time

import dock  # noqa: F401 (it finds the peers)
import rooms

#: It shares no clock with the machine, so it declares none, and its lines have no times.
HELLO = {"type": "hello", "v": 1, "detector": "recorded", "fps": rooms.RATE}


class Camera(rooms.Camera):
    """In the machine its lines come out of /dev/virtio-ports/faces."""

    def __init__(self, machine, board):
        self.board = board
        super().__init__(rooms.Room("two-people"), self._pose, f"{machine.folder}/faces")

    def _pose(self):
        """Pan and tilt of the head now, degrees."""
        now = time.monotonic()
        old = [report for report in self.board.reports(now - 1) if report.at <= now - rooms.ReportedHead.LAG]
        return (old[-1].pan, old[-1].tilt) if old else (0.0, 0.0)

    def _show(self, link):
        # Old frames must not wait in the buffer.
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        next_at, number = time.monotonic(), 0
        while not self.ends:
            line, off = self.room.picture(time.monotonic(), *self.head())
            self.offs.append(off)
            lines = [{"type": "frame", "seq": number, "faces": json.loads(line)["faces"]}]
            if number % rooms.RATE == 0:
                # A daemon that restarts needs it, too.
                lines.insert(0, {**HELLO, "image": self.room.image})
            with contextlib.suppress(BlockingIOError):
                link.send("".join(json.dumps(words) + "\n" for words in lines).encode(), socket.MSG_DONTWAIT)
            number += 1
            next_at += 1 / rooms.RATE
            time.sleep(max(0, next_at - time.monotonic()))
