"""Subscriptions: one subscription of the connection serves every stream."""

from __future__ import annotations

import collections
import threading
import weakref
from typing import Any, Callable, Optional
from collections.abc import Sequence

from .events import CAPACITY, INTERVAL, QUEUED, REMEMBERED, TOPICS, Event, EventStream, read
from .errors import ConnectionLost, InvalidParameter
from .life import Life

#: Sends a request and returns its result.
Caller = Callable[[str, dict[str, Any]], Any]


class Hub:
    """Passes events to the streams that subscribed to them.

    There are two locks. `_asking` is held during a request. The reader's thread never takes it, because it would then wait for an
    answer that only it can read. `_table` is held for moments only.
    """

    def __init__(self, call: Caller, life: Life) -> None:
        self._call = call
        self._life = life
        self._asking = threading.Lock()
        self._table = threading.Lock()
        # Weak references: a stream that a `for` loop left by `break` is gone with its last reference.
        self._streams: "weakref.WeakSet[EventStream[Any]]" = weakref.WeakSet()
        self._listeners: dict[str, Callable[[Event[Any]], None]] = {}
        self._subscribed: set[str] = set()
        # Whether topic `tracking` is subscribed for every frame.
        self._every_frame = False
        self._last: dict[str, collections.deque[Event[Any]]] = {}
        self._end: Optional[ConnectionLost] = None

    def open(self, topics: Sequence[str], timeout: Optional[float], every_frame: bool = False) -> EventStream[Any]:
        """Opens a stream that begins with a snapshot of each topic. `every_frame`: topic `tracking` without its usual limit."""
        for topic in topics:
            if topic not in TOPICS:
                raise InvalidParameter(f"no topic {topic!r}", hint="topics: " + ", ".join(TOPICS))
        if not topics:
            raise InvalidParameter("no topic", hint="topics: " + ", ".join(TOPICS))
        stream: EventStream[Any] = EventStream(
            topics, timeout, closing=self._tidy, life=self._life, every_frame=every_frame
        )
        with self._asking:
            with self._table:
                if self._end is not None:
                    raise ConnectionLost(self._end.message, hint=self._end.hint)
                # The daemon sends no second snapshot of a topic that is already subscribed, so this one comes from memory.
                for topic in topics:
                    for event in self._last.get(topic, ()):
                        stream.put(Event(event.topic, event.seq, "snapshot", event.data))
                self._streams.add(stream)
            new = [topic for topic in topics if topic not in self._subscribed]
            if every_frame and not self._every_frame:
                # Subscribing again sets the rate, and sends another snapshot to all streams.
                self._subscribe([*(topic for topic in new if topic != "tracking"), "tracking"], rate="all")
                self._every_frame = True
            else:
                self._subscribe(new)
        return stream

    def listen(self, topic: str, listener: Callable[[Event[Any]], None]) -> None:
        """Calls `listener` permanently in the reader's thread for every event of a topic. May be called again."""
        if topic in self._subscribed and topic in self._listeners:
            return
        with self._asking:
            with self._table:
                self._listeners[topic] = listener
                for event in self._last.get(topic, ()):
                    listener(event)
            if topic not in self._subscribed:
                self._subscribe([topic])

    def feed(self, params: object) -> None:
        """For the reader's thread: passes a notification to its streams and listener. Raises BadAnswer."""
        for event in read(params):
            with self._table:
                size = CAPACITY if event.topic in REMEMBERED else 0 if event.topic in QUEUED else 1
                self._last.setdefault(event.topic, collections.deque(maxlen=size)).append(event)
                listener = self._listeners.get(event.topic)
                for stream in self._streams:
                    if event.topic in stream.topics and not stream.closed:
                        stream.put(event, INTERVAL if self._every_frame else 0.0)
            if listener is not None:
                listener(event)

    def finish(self, reason: ConnectionLost, *, closed: bool) -> None:
        """Ends every stream after the end of the connection."""
        with self._table:
            self._end = reason
            streams = list(self._streams)
        for stream in streams:
            stream.finish(None if closed else reason)

    def _subscribe(self, topics: list[str], **more: str) -> None:
        if topics:
            self._call("subscribe", {"topics": topics, **more})
            self._subscribed.update(topics)

    def _tidy(self) -> None:
        """Unsubscribes from topics without a reader, and from every frame if no reader wants it any more."""
        with self._asking:
            with self._table:
                readers = [stream for stream in self._streams if not stream.closed]
                wanted = set(self._listeners).union(*(reader.topics for reader in readers))
                unwanted = sorted(self._subscribed - wanted)
                is_slower = self._every_frame and not any(reader.every_frame for reader in readers)
                if self._end is not None:
                    return
            try:
                self._unsubscribe(unwanted)
                if is_slower and "tracking" in wanted:
                    self._subscribe(["tracking"], rate="normal")
            except ConnectionLost:
                return  # the end of the connection has unsubscribed them
            self._every_frame = self._every_frame and not is_slower

    def _unsubscribe(self, topics: list[str]) -> None:
        if not topics:
            return
        self._call("unsubscribe", {"topics": topics})
        self._subscribed.difference_update(topics)
        with self._table:
            # No more events follow the answer. A later stream must not begin with an old state.
            for topic in topics:
                self._last.pop(topic, None)
