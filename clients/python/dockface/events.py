"""The daemon's notifications: topics, and streams of their events."""

from __future__ import annotations

import collections
import threading
import time
from dataclasses import dataclass, replace
from typing import Any, Callable, Generic, Optional, TypeVar, cast
from collections.abc import Iterator, Sequence

from .decode import decode
from .errors import ConnectionLost
from .life import Life
from .topics import (
    AccessoryEvent,
    BatteryState,
    Cue,
    Detections,
    FaceState,
    Indicators,
    Layers,
    LogEntry,
    MotionState,
    StateChange,
    TrackingState,
)

T = TypeVar("T")
S = TypeVar("S")

#: The data type of each topic.
TOPICS: dict[str, type[Any]] = {
    "accessory": StateChange,
    "motion": MotionState,
    "tracking": TrackingState,
    "battery": BatteryState,
    "events": AccessoryEvent,
    "face": FaceState,
    "log": LogEntry,
    "detections": Detections,
    "layers": Layers,
    "indicators": Indicators,
    "cues": Cue,
}

#: Topics that older daemons do not have. The greeting of a newer one names each of them as a feature.
NEWER = ("detections", "layers", "indicators", "cues")

#: Topics of which every event counts. For the other topics only the newest state counts.
QUEUED = ("events", "log", "detections", "cues")

#: Queued topics whose last entries a new stream gets, as from the daemon. An old cue must not be played late.
REMEMBERED = ("events", "log")

#: Number of events of a queued topic that wait for a slow reader.
CAPACITY = 64

#: Shortest time between two events of topic `tracking`, seconds, except with `every_frame`.
INTERVAL = 0.1


@dataclass(frozen=True)
class Event(Generic[T]):
    """One event of a topic.

    `kind` is `"change"`, or `"snapshot"` if events may be missing before it: for the first event of a stream, and after the reader was
    slow. For topics `events` and `log`, earlier entries also arrive as `"snapshot"`. `seq` counts the topic's changes in the daemon.
    `lost` is the number of events dropped before this one because the reader was slow.
    """

    topic: str
    seq: int
    kind: str
    data: T
    lost: int = 0


@dataclass(frozen=True)
class _Message:
    """The `params` of an event."""

    topic: str
    seq: int
    kind: str
    data: Any
    lost: Optional[int] = None


def read(params: object) -> Sequence[Event[Any]]:
    """Returns the events of a notification: one, or all those in the snapshot of a queued topic. Raises BadAnswer."""
    message = decode(_Message, params, "event")
    kind = TOPICS.get(message.topic)
    if kind is None:
        return []
    items: Sequence[Any] = [message.data]
    if message.topic in QUEUED and message.kind == "snapshot":
        items = decode(_Recent, message.data, "event.data").recent
    found = [
        Event(message.topic, message.seq, message.kind, decode(kind, item, f"event.{message.topic}")) for item in items
    ]
    if found and message.lost:
        found[0] = replace(found[0], lost=message.lost)
    return found


@dataclass(frozen=True)
class _Recent:
    recent: tuple[Any, ...]


class EventStream(Generic[T]):
    """Events of one or more topics, for iteration in one thread; also a context manager.

    For a slow reader, only the newest event of a state topic is kept, and the last 64 of `events`, `log`, `detections` and `cues`.
    `timeout`: the iteration ends after this many seconds without an event; None: it waits. `close` ends it, also from another thread.
    The end of the daemon raises ConnectionLost.
    """

    def __init__(
        self,
        topics: Sequence[str],
        timeout: Optional[float],
        closing: Callable[[], None],
        life: Life,
        every_frame: bool = False,
    ) -> None:
        self.topics: tuple[str, ...] = tuple(topics)
        self.timeout = timeout
        #: Whether it wants topic `tracking` for every frame.
        self.every_frame = every_frame
        # When the last event of topic `tracking` was taken, and from when on the next one may be: on the clock of `life`.
        self._taken = self._due = float("-inf")
        self._closing = closing
        self._life = life
        self._waiting: collections.deque[Event[Any]] = collections.deque()
        self._lost: dict[str, int] = {}
        self._changed = threading.Condition()
        self._end: Optional[ConnectionLost] = None
        self._closed = False

    def __iter__(self) -> Iterator[Event[T]]:
        return self

    def __next__(self) -> Event[T]:
        event = self.get(self.timeout)
        if event is None:
            raise StopIteration
        return event

    def get(self, timeout: Optional[float] = None) -> Optional[Event[T]]:
        """Returns the next event; None if none came within `timeout` seconds (None: wait) or the stream was closed."""
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._life.waiting(), self._changed:
            while not self._closed:
                event = self._take()
                if event is not None:
                    return cast("Event[T]", event)
                if self._end is not None:
                    raise ConnectionLost(self._end.message, hint=self._end.hint)
                left = remaining(deadline)
                if left == 0:
                    return None
                if self._waiting:  # for its time, see `put`
                    hold = max(0.0, self._due - self._life.now())
                    left = hold if left is None else min(left, hold)
                self._changed.wait(left)
            return None

    def _take(self) -> Optional[Event[Any]]:
        """Under the lock: removes and returns the first event whose time has come."""
        now = self._life.now()
        for index, event in enumerate(self._waiting):
            if event.topic == "tracking":
                # No newer state follows the end of the connection, so the last one does not wait.
                if now < self._due and self._end is None:
                    continue
                self._taken = now
            del self._waiting[index]
            return event
        return None

    @property
    def closed(self) -> bool:
        """Whether this stream or its Dock was closed, so that no more events come."""
        return self._closed

    def close(self) -> None:
        """Ends this stream. May be called again."""
        if not self._closed:
            self.finish(None)
            self._closing()

    def __enter__(self) -> "EventStream[T]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def put(self, event: Event[Any], interval: float = 0.0) -> None:
        """For the reader's thread: queues an event without blocking.

        `interval`: the daemon sends topic `tracking` for every frame. Unless this stream wants that, an event waits until this many
        seconds after the last one was taken. It waits here, where a newer one replaces it, because the last of several must arrive.
        """
        with self._changed:
            if event.topic == "tracking":
                self._due = self._taken + (0.0 if self.every_frame else interval)
            if event.topic in QUEUED:
                event = self._bounded(event)
            else:
                older = next((one for one in self._waiting if one.topic == event.topic), None)
                if older is not None:
                    self._waiting.remove(older)
                    # A reader that was not allowed to take the older one was not slow.
                    if older.kind == "snapshot" or event.topic != "tracking" or self._life.now() >= self._due:
                        event = replace(event, kind="snapshot")
            self._waiting.append(event)
            self._changed.notify()

    def _bounded(self, event: Event[Any]) -> Event[Any]:
        same = [one for one in self._waiting if one.topic == event.topic]
        if len(same) < CAPACITY:
            return event
        self._waiting.remove(same[0])
        # Losses before the dropped event are added to the event after it.
        at = self._waiting.index(same[1])
        self._waiting[at] = replace(same[1], lost=same[1].lost + same[0].lost + 1)
        return event

    def finish(self, end: Optional[ConnectionLost]) -> None:
        """Ends the stream: it was closed (None), or the connection was lost."""
        with self._changed:
            if end is None:
                self._closed = True
            else:
                self._end = end
            self._changed.notify_all()


def remaining(deadline: Optional[float]) -> Optional[float]:
    """Seconds until a point on CLOCK_MONOTONIC, at least 0; None: no limit."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())
