"""Motions, with their progress and outcome."""

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

#: How much longer than planned a motion may take before the daemon is asked about it, seconds.
GRACE = 1.0


@dataclass(frozen=True)
class _Begun:
    """The answer to a request for motion."""

    motion: int
    duration: Optional[float]


class Motion:
    """A requested motion. It does not depend on the lifetime of this object."""

    def __init__(self, watch: "MotionWatch", number: int, name: str, duration: float) -> None:
        #: Its number, for `cancel_motion`.
        self.id = number
        #: The request: orient, home, velocity, a preset's name, or an animation's.
        self.name = name
        #: Planned duration, seconds.
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
        """The fraction of the planned time that has passed, 0...1, from the daemon's last report (at most 50 ms old)."""
        self._watch.follow()
        return self._fraction

    @property
    def outcome(self) -> Optional[Outcome]:
        """How it ended; None while it continues."""
        self._watch.follow()
        return self._outcome

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self.outcome is not None

    def wait(self, timeout: Optional[float] = None) -> Outcome:
        """Waits for the end and returns the outcome. Raises Timeout after `timeout` seconds; the motion then continues."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._outcome is None:
            self._watch.wait(self, None, deadline)
        return self._outcome

    def progress(self, timeout: Optional[float] = None) -> Iterator[float]:
        """Yields the fraction now, after each change, and once more at the end (1 if completed).

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
        """Ends the motion now. An animation restores the previous mode. A motion that has ended is not affected."""
        if self._outcome is None:
            self._watch.cancel(self)

    def take(self, state: MotionState, *, settle: bool) -> bool:
        """For the watch, under its lock: applies `state` to this motion. Returns whether anything changed.

        One motion runs at a time, and numbers increase. If a later motion has ended, this one ended before it. (If a later one runs, the
        outcome of this one may not have arrived yet.) `settle`: the state was requested when this motion must long have ended, so it has
        ended if it does not run.
        """
        running, ended = state.motion, state.ended
        own = [ending for ending in state.endings if ending.id == self.id]
        if own:
            ended = own[0]
        # The end comes first, because it may be reported together with the motion's last state.
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
    """Passes the reports of topic `motion` to the motions.

    `subscribe` starts to listen, `status` queries, `cancel` ends a motion, `end` returns why the connection has ended.
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
        # A motion can end before its number has reached the thread that requested it.
        self._ended: "collections.OrderedDict[int, Outcome]" = collections.OrderedDict()
        self._last: Optional[MotionState] = None

    def follow(self) -> None:
        """Starts to listen if the connection is open. A second call has no effect."""
        self._life.beat()
        if self._end() is None:
            self._subscribe(self.feed)

    def add(self, answer: object, name: str) -> Motion:
        """Returns the motion of an answer."""
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
        """For the reader's thread: takes a new state."""
        self._take(event.data)

    def finish(self) -> None:
        """Wakes waiting threads after the end of the connection, so that they check `end`."""
        with self._changed:
            self._changed.notify_all()

    def cancel(self, motion: Motion) -> None:
        """Requests the end of a motion."""
        self._cancel(motion.id)

    def wait(self, motion: Motion, fraction: Optional[float], deadline: Optional[float]) -> None:
        """Waits until a motion has ended, or its fraction differs from `fraction` (None: only the end counts)."""
        self.follow()
        with self._life.waiting(), self._changed:
            while motion._outcome is None and (fraction is None or motion._fraction == fraction):
                end = self._end()
                if end is not None:
                    raise ConnectionLost(end.message, hint=end.hint)
                now = time.monotonic()
                if deadline is not None and now >= deadline:
                    hint = "the motion continues; wait again, cancel it, or stop"
                    raise Timeout(f"timeout: motion {motion.id} ({motion.name}) has not ended", hint=hint)
                if now >= motion._overdue:
                    break
                self._changed.wait(remaining(motion._overdue if deadline is None else min(motion._overdue, deadline)))
            else:
                return
        # The motion is overdue. Its end may have been missed, so ask the daemon.
        self._ask(motion)

    def _ask(self, motion: Motion) -> None:
        state = self._status()
        self._take(state)
        with self._changed:
            if motion._outcome is None and (state.motion is None or state.motion.id != motion.id):
                motion.take(state, settle=True)
                self._changed.notify_all()
            # It may be slower than planned. The following queries come at increasing intervals.
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
