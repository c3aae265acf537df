"""Motions that take their time: how far they are, and how they ended."""

from __future__ import annotations

import collections
import threading
import time
import weakref
from dataclasses import dataclass
from typing import Any, Callable, Optional
from collections.abc import Iterator

from .decode import decode
from .errors import ConnectionLost, Timeout
from .events import Event, remaining
from .life import Life
from .topics import MotionState, Outcome

#: A motion may take so much longer than planned before the daemon is asked about it, seconds.
GRACE = 1.0


@dataclass(frozen=True)
class _Begun:
    """The answer to a request that moves."""

    motion: int
    duration: Optional[float]


class Motion:
    """A motion that was asked for; it goes on, or ends, whether this object lives or not."""

    def __init__(self, watch: "MotionWatch", number: int, name: str, duration: float) -> None:
        #: Its number, for `cancel_motion`.
        self.id = number
        #: What was asked for: orient, home, velocity, a preset's name, or an animation's.
        self.name = name
        #: How long it takes as planned, seconds.
        self.duration = duration
        self._watch = watch
        self._fraction = 0.0
        self._outcome: Optional[Outcome] = None
        self._begun = time.monotonic()
        self._overdue = self._begun + duration + GRACE

    def __repr__(self) -> str:
        how = self._outcome.value if self._outcome else f"{self._fraction:.0%}"
        return f"<Motion {self.id} {self.name} {how}>"

    @property
    def fraction(self) -> float:
        """How much of the planned time had passed when the daemon told last, 0...1; at most 50 ms old."""
        self._watch.follow()
        return self._fraction

    @property
    def outcome(self) -> Optional[Outcome]:
        """How it ended; None: it goes on."""
        self._watch.follow()
        return self._outcome

    @property
    def done(self) -> bool:
        """It has ended."""
        return self.outcome is not None

    def wait(self, timeout: Optional[float] = None) -> Outcome:
        """How it ends, waiting for that; raises Timeout after `timeout` seconds, and the motion goes on then."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._outcome is None:
            self._watch.wait(self, None, deadline)
        return self._outcome

    def progress(self, timeout: Optional[float] = None) -> Iterator[float]:
        """The fraction now, each time that it changes, and when the motion has ended once more (1 if completed).

        Raises Timeout if it has not ended after `timeout` seconds.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        fraction = -1.0
        while self._outcome is None:
            if self._fraction == fraction:
                self._watch.wait(self, fraction, deadline)
            else:
                fraction = self._fraction
                yield fraction
        yield self._fraction

    def cancel(self) -> None:
        """End it now; an animation gives back the mode it began in. One that has ended stays as it ended."""
        if self._outcome is None:
            self._watch.cancel(self)

    def take(self, state: MotionState, *, settle: bool) -> bool:
        """For the watch, under its lock: what `state` tells of this motion; whether it told something new.

        One motion runs at a time and numbers grow: when a later one has ended, this one has ended before. (When a later
        one runs, how this one ended may still be on its way.) `settle`: the state was asked for when this motion must
        long have ended, so if it does not run it has.
        """
        running, ended = state.motion, state.ended
        own = [ending for ending in state.endings if ending.id == self.id]
        if own:
            ended = own[0]
        # First the end: it may be told while the last state of the motion is told once more.
        if ended is not None and ended.id >= self.id:
            self._outcome = ended.outcome if ended.id == self.id else Outcome.UNKNOWN
        elif running is not None and running.id == self.id:
            changed = running.fraction != self._fraction
            self._fraction = running.fraction
            return changed
        elif settle:
            self._outcome = Outcome.UNKNOWN
        if self._outcome is Outcome.COMPLETED:
            self._fraction = 1.0
        return self._outcome is not None


class MotionWatch:
    """Tells the motions what topic `motion` tells.

    `subscribe` begins to listen, `status` asks, `cancel` ends a motion, `end` says why the connection is over.
    """

    def __init__(
        self,
        subscribe: Callable[[Callable[[Event[Any]], None]], None],
        status: Callable[[], MotionState],
        cancel: Callable[[int], None],
        end: Callable[[], Optional[ConnectionLost]],
        life: Life,
    ) -> None:
        self._subscribe = subscribe
        self._status = status
        self._cancel = cancel
        self._end = end
        self._life = life
        self._changed = threading.Condition()
        self._motions: "weakref.WeakValueDictionary[int, Motion]" = weakref.WeakValueDictionary()
        # A motion can end before the answer with its number has reached the thread that asked for it.
        self._ended: "collections.OrderedDict[int, Outcome]" = collections.OrderedDict()
        self._last: Optional[MotionState] = None

    def follow(self) -> None:
        """Listen from now on, if the connection still lives; a second time is nothing."""
        self._life.beat()
        if self._end() is None:
            self._subscribe(self.feed)

    def add(self, answer: object, name: str) -> Motion:
        """The motion that an answer tells of."""
        begun = decode(_Begun, answer, name)
        motion = Motion(self, begun.motion, name, begun.duration or 0)
        with self._changed:
            self._motions[motion.id] = motion
            outcome = self._ended.get(motion.id)
            if outcome is not None:
                motion._outcome = outcome
                motion._fraction = 1.0 if outcome is Outcome.COMPLETED else 0.0
            elif self._last is not None:
                motion.take(self._last, settle=False)
        return motion

    def feed(self, event: Event[Any]) -> None:
        """For the reader's thread: a new state."""
        self._take(event.data)

    def finish(self) -> None:
        """The connection has ended: who waits shall look at `end`."""
        with self._changed:
            self._changed.notify_all()

    def cancel(self, motion: Motion) -> None:
        """Ask for the end of a motion."""
        self._cancel(motion.id)

    def wait(self, motion: Motion, fraction: Optional[float], deadline: Optional[float]) -> None:
        """Wait until a motion has ended, or its fraction is not `fraction` any more (None: that does not matter)."""
        self.follow()
        with self._life.waiting(), self._changed:
            while motion._outcome is None and (fraction is None or motion._fraction == fraction):
                end = self._end()
                if end is not None:
                    raise ConnectionLost(end.message, hint=end.hint)
                now = time.monotonic()
                if deadline is not None and now >= deadline:
                    hint = "it goes on; wait again, cancel it, or stop"
                    raise Timeout(f"timeout: motion {motion.id} ({motion.name}) has not ended", hint=hint)
                if now >= motion._overdue:
                    break
                self._changed.wait(remaining(motion._overdue if deadline is None else min(motion._overdue, deadline)))
            else:
                return
        # Long over, and nothing was heard: what was told may have been left out. The daemon knows.
        self._ask(motion)

    def _ask(self, motion: Motion) -> None:
        state = self._status()
        self._take(state)
        with self._changed:
            if motion._outcome is None and (state.motion is None or state.motion.id != motion.id):
                motion.take(state, settle=True)
                self._changed.notify_all()
            # It may be slower than planned. Then the next question comes later, and later.
            now = time.monotonic()
            motion._overdue = now + GRACE + (now - motion._begun) / 2

    def _take(self, state: MotionState) -> None:
        with self._changed:
            self._last = state
            for ending in (*state.endings, *([state.ended] if state.ended else [])):
                self._ended[ending.id] = ending.outcome
                while len(self._ended) > 64:
                    self._ended.popitem(last=False)
            told = [motion.take(state, settle=False) for motion in self._motions.values() if motion._outcome is None]
            if any(told):
                self._changed.notify_all()
