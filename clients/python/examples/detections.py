"""Reads detections from a file or a pipe, one JSON object per line, and assigns simple ids to the people in them."""

from __future__ import annotations

import json
import os
import select
import time
from dataclasses import dataclass
from typing import Any, Optional
from collections.abc import Iterator

from support import BadInput
from dockface import Camera, Observation, Rect

#: Rate of a file without times and without a rate, frames per second.
DEFAULT_RATE = 10.0

#: Longest wait for input before the caller gets a turn, seconds.
TURN = 0.1


@dataclass(frozen=True)
class Frame:
    """The faces of one frame; `due`: when to pass it on, `exposure`: when it was taken, both CLOCK_MONOTONIC."""

    faces: list[dict[str, Any]]
    due: float
    exposure: Optional[float]


class Detections:
    """Reads a detection stream. `camera` and `bad_lines` are updated while it is read."""

    def __init__(self, path: str, loop: bool = False) -> None:
        self.camera: Optional[Camera] = None
        self.bad_lines = 0
        self._path = path
        self._loop = loop
        self._rate = DEFAULT_RATE
        self._clock = ""
        self._first: Optional[tuple[float, float]] = None
        self._last_due = 0.0

    def frames(self) -> Iterator[Optional[Frame]]:
        """Yields the frames in order; None if none came for a moment. Does not wait until they are due."""
        while True:
            found = 0
            for line in self._lines():
                if line is None:
                    yield None
                    continue
                frame = self._read(line)
                if frame is not None:
                    found += 1
                    yield frame
            # An empty file would loop without a result.
            if not self._loop or found == 0:
                return
            self._first = None

    def _lines(self) -> Iterator[Optional[bytes]]:
        try:
            file = 0 if self._path == "-" else os.open(self._path, os.O_RDONLY)
        except OSError as error:
            raise BadInput(f"cannot read {self._path}: {error.strerror}") from error
        rest = b""
        try:
            while True:
                # A silent detector must not keep the caller from noticing that the daemon has ended.
                if not select.select([file], [], [], TURN)[0]:
                    yield None
                    continue
                try:
                    part = os.read(file, 65536)
                except OSError as error:  # a folder, for example
                    raise BadInput(f"cannot read {self._path}: {error.strerror}") from error
                if not part:
                    yield from [rest] if rest else []
                    return
                *lines, rest = (rest + part).split(b"\n")
                yield from lines
        finally:
            if file != 0:
                os.close(file)

    def _read(self, line: bytes) -> Optional[Frame]:
        if not line.strip():
            return None
        try:
            message = json.loads(line)
            if message.get("type") == "hello":
                self._hello(message)
            elif "faces" in message:
                faces = [face for face in message["faces"] if is_face(face)]
                t = message.get("t")
                return self._timed(faces, None if t is None else float(t))
        except (ValueError, AttributeError, TypeError, RecursionError):
            self.bad_lines += 1
        return None

    def _hello(self, hello: dict[str, Any]) -> None:
        for key, wanted in (("units", "normalised"), ("origin", "top-left"), ("format", "xywh")):
            if hello.get(key, wanted) != wanted:
                raise BadInput(f"this example reads {key} {wanted} only, not {hello[key]}")
        image, lens = hello.get("image") or {}, hello.get("intrinsics") or {}
        self.camera = Camera(
            width=image.get("w"),
            height=image.get("h"),
            mirrored=hello.get("mirrored"),
            **{key: lens.get(key) for key in ("fx", "fy", "cx", "cy")},
        )
        self._rate = float(hello.get("fps") or DEFAULT_RATE)
        self._clock = str(hello.get("clock") or "")
        self._first = None

    def _timed(self, faces: list[dict[str, Any]], t: Optional[float]) -> Frame:
        """Passes a live stream on as it arrives, and a recorded one according to its times or its rate."""
        now = time.monotonic()
        if self._clock == "monotonic" or (not self._clock and t is not None and abs(now - t) < 2):
            return Frame(faces, now, t)
        if t is None:
            due = now if self._path == "-" else max(now, self._last_due + 1 / self._rate)
        else:
            # More than a second early or late: it is another recording, or the detector paused. The time base starts again.
            if self._first is None or not -1 < self._first[1] + t - self._first[0] - now < 1:
                self._first = (t, max(now, self._last_due + 1 / self._rate) if self._last_due > now - 1 else now)
            due = self._first[1] + t - self._first[0]
        self._last_due = due
        return Frame(faces, due, None)


def is_face(face: Any) -> bool:
    """Whether a face has a rectangle of four numbers with a size."""
    rect = face.get("rect") if isinstance(face, dict) else None
    return (
        isinstance(rect, list)
        and len(rect) == 4
        and all(isinstance(number, (int, float)) and abs(number) < 10 for number in rect)
        and rect[2] > 0
        and rect[3] > 0
    )


class SimpleIds:
    """Assigns ids: a face keeps the id of the nearest face of the last second, if that is nearer than its own height."""

    def __init__(self) -> None:
        self._last: dict[int, tuple[float, float, float]] = {}
        self._next = 1

    def observe(self, faces: list[dict[str, Any]], now: float) -> list[Observation]:
        """Returns observations of the faces with their previous ids."""
        free = {number: place for number, place in self._last.items() if now - place[2] < 1}
        self._last = dict(free)
        found = []
        for face in sorted(faces, key=lambda one: -one["rect"][2] * one["rect"][3]):
            x, y, width, height = face["rect"]
            centre = (x + width / 2, y + height / 2)
            near = sorted((abs(at[0] - centre[0]) + abs(at[1] - centre[1]), number) for number, at in free.items())
            if near and near[0][0] < height:
                number = near[0][1]
                del free[number]
            else:
                number, self._next = self._next, self._next + 1
            self._last[number] = (*centre, now)
            found.append(observation(number, face))
        return found


def observation(number: int, face: dict[str, Any]) -> Observation:
    """Converts a face of the stream to an observation. Values that were not computed are omitted."""
    x, y, width, height = face["rect"]
    rect: Rect = (x, y, width, height)
    more = {key: face.get(key) for key in ("kind", "yaw", "score", "speaking", "looking")}
    return Observation(number, rect, **more)
