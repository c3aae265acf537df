"""The camera's pictures: shared memory that the daemon writes and this program can only read."""

from __future__ import annotations

import fcntl
import functools
import mmap
import os
import select
import struct
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Callable, Optional

from .errors import BadAnswer, NotConnected, PictureLost, ProtocolError
from .life import Life
from .values import Pose, Velocity

_MAGIC, _VERSION, _PAGE = b"DOCKPICS", 1, 4096
_FORMATS = {1: "rgb24", 2: "yuv420p"}
#: Indices of 8-byte numbers: in the first page, and in a slot's page (docs/PICTURES.md).
_NEWEST, _ENDED = 8, 9
_NUMBER, _SEQUENCE = 1, 2

#: Asks the daemon for pictures. Returns the number of the opening, and two descriptors.
Opener = Callable[[], tuple[int, int, int]]


@functools.lru_cache(maxsize=None)
def _numpy() -> Any:
    """numpy, or None if it is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


class _Share:
    """One mapped share. It is closed with the last view of its pixels."""

    def __init__(self, memory: int, bell: int) -> None:
        self.bell = bell
        try:
            # Memory that can shrink would end this process when it is read.
            if not fcntl.fcntl(memory, fcntl.F_GET_SEALS) & fcntl.F_SEAL_SHRINK:
                raise ValueError("the memory can shrink")
            self.map = mmap.mmap(memory, 0, mmap.MAP_SHARED, mmap.PROT_READ)
        except (OSError, ValueError) as error:
            os.close(bell)
            raise BadAnswer(f"the pictures cannot be mapped: {error}", hint="update dockface") from error
        finally:
            os.close(memory)
        self.view = memoryview(self.map)
        if not self._read_facts():
            self.close()
            raise ProtocolError("the daemon shares pictures in another way", hint="use the client that came with it")

    def _read_facts(self) -> bool:
        """Reads the first page. Returns whether every picture that it describes lies inside of the memory."""
        if len(self.map) < _PAGE:
            return False
        magic, version, code, self.width, self.height, self.slots = struct.unpack_from("8s5I", self.map)
        self.size, self.first, self.stride = struct.unpack_from("3Q", self.map, 32)
        self.format = _FORMATS.get(code, "")
        pixels = self.width * self.height
        least = 3 * pixels if self.format == "rgb24" else pixels
        return (
            magic == _MAGIC
            and version == _VERSION
            and bool(self.format)
            and 0 < self.slots <= 256
            and 0 < least <= self.size <= 3 * pixels
            and self.stride >= _PAGE + self.size
            and self.first + self.slots * self.stride <= len(self.map)
        )

    def word(self, index: int, place: int = 0) -> int:
        number: int = struct.unpack_from("Q", self.map, place + 8 * index)[0]
        return number

    def close(self) -> None:
        if self.bell >= 0:
            os.close(self.bell)
            self.bell = -1


class Picture:
    """A picture of the camera. Its pixels stay valid for a fraction of a second: use `pixels` or `copy` soon.

    `sequence`: the number of the camera's frame, which topic `tracking` also has; `exposure`, `arrival`: seconds of the monotonic clock
    (`time.monotonic()`); `estimated`: the exposure is estimated; `pose`, `rate`: those of the head at the exposure, None: unknown;
    `zoom`: the magnification, 1 = as wide as the camera sees; `camera`: which of the rig's cameras took it, from 0.
    """

    def __init__(self, share: _Share, place: int, version: int) -> None:
        self._share, self._place, self._version = share, place, version
        self.number = share.word(_NUMBER, place)
        (sequence,) = struct.unpack_from("q", share.map, place + 8 * _SEQUENCE)
        numbers = struct.unpack_from("6d", share.map, place + 24)
        (flags,) = struct.unpack_from("Q", share.map, place + 72)
        self.sequence: int = sequence
        self.exposure: float = numbers[0]
        self.arrival: float = numbers[1]
        self.estimated: bool = bool(flags & 1)
        self.pose: Optional[Pose] = Pose(numbers[2], numbers[3]) if flags & 2 else None
        self.rate: Optional[Velocity] = Velocity(numbers[4], numbers[5]) if flags & 2 else None
        (zoom,) = struct.unpack_from("d", share.map, place + 80)
        self.zoom: float = zoom if zoom >= 1 else 1.0
        self.camera: int = share.word(11, place)
        self.width, self.height, self.format = share.width, share.height, share.format

    @property
    def intact(self) -> bool:
        """Whether the pixels are still those of this picture."""
        return self._share.word(0, self._place) == self._version

    def pixels(self) -> "Pixels":
        """The pixels in place, for a `with` block. At its end it raises PictureLost if they were overwritten meanwhile.

        With numpy it gives a read-only array, height x width x 3 for rgb24; without numpy a memoryview of the same shape.
        """
        return Pixels(self)

    def copy(self) -> bytes:
        """Returns a copy of the pixels. Raises PictureLost if they were overwritten meanwhile."""
        data = bytes(self._bytes())
        self._check()
        return data

    def _bytes(self) -> memoryview:
        start = self._place + _PAGE
        return self._share.view[start : start + self._share.size]

    def _check(self) -> None:
        if not self.intact:
            raise PictureLost(
                f"picture {self.sequence} was overwritten while it was read", hint="read faster, or copy it first"
            )


class Pixels:
    """The pixels of a picture inside a `with` block."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def __enter__(self) -> Any:
        picture = self._picture
        view = picture._bytes().toreadonly()
        if picture.format == "rgb24":
            view = view.cast("B", (picture.height, picture.width, 3))
        numpy = _numpy()
        return view if numpy is None else numpy.asarray(view)

    def __exit__(self, kind: Optional[type[BaseException]], *_: object) -> None:
        if kind is None:
            self._picture._check()


class Pictures:
    """The camera's pictures, always the newest; a context manager and an iterator. It belongs to one thread.

    If the size of the pictures changes, they are opened again, and the next picture has the new size.
    """

    def __init__(
        self, opener: Opener, closer: Callable[[int], None], check: Callable[[], None], timeout: Optional[float], life: Life
    ) -> None:
        self._open, self._close, self._check, self._timeout, self._life = opener, closer, check, timeout, life
        self._last = 0
        _numpy()  # Importing it takes longer than a picture is valid.
        self._number, memory, bell = opener()
        self._share: Optional[_Share] = _Share(memory, bell)

    def __enter__(self) -> "Pictures":
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Picture]:
        while True:
            picture = self.next(self._timeout)
            if picture is None:
                return
            yield picture

    def close(self) -> None:
        """Closes the pictures. The robot's screen no longer counts this program. May be called again."""
        if self._share is not None:
            self._share.close()
            self._share = None
            self._close(self._number)

    def next(self, timeout: Optional[float] = None) -> Optional[Picture]:
        """Waits for the newest picture that was not returned yet. Returns None after `timeout` seconds, and once closed."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._share is not None:
            self._life.beat()
            share = self._share
            picture = self._newest(share)
            if picture is not None:
                self._last = picture.number
                return picture
            if share.word(_ENDED):
                self._renew()
                continue
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            poll = select.poll()
            poll.register(share.bell, select.POLLIN)
            # It wakes up once a second for the life of a lease.
            if poll.poll(1000 * (1.0 if left is None else min(left, 1.0))):
                # Read before the newest picture is looked up, so that no wake-up is lost.
                if not _take(share.bell) and self._newest(share) is None and not share.word(_ENDED):
                    self._explain_end()
            elif left is not None and left <= 0:
                return None
        return None

    def _newest(self, share: _Share) -> Optional[Picture]:
        for _ in range(4):
            newest = share.word(_NEWEST)
            if newest >> 8 <= self._last:
                return None
            place = share.first + (newest & 0xFF) % share.slots * share.stride
            version = share.word(0, place)
            if version % 2 == 0:
                picture = Picture(share, place, version)
                if picture.intact and picture.number > self._last:
                    return picture
        return None

    def _explain_end(self) -> None:
        """Raises the reason for the end of a share that the daemon did not end: ConnectionLost, or a second opening."""
        self.close()
        self._check()
        raise NotConnected("the pictures were closed or opened again on this connection", hint="use a Dock for each")

    def _renew(self) -> None:
        """Opens the pictures again. Raises NotConnected if the camera has ended, ConnectionLost if the daemon has."""
        if self._share is not None:
            self._share.close()
            self._share = None
        self._number, memory, bell = self._open()
        self._share, self._last = _Share(memory, bell), 0


def _take(bell: int) -> bool:
    """Reads the bell. Returns False if the daemon has closed it."""
    try:
        return len(os.read(bell, 8)) > 0
    except BlockingIOError:
        return True
