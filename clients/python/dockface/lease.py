"""Control of the dock: the lease, renewed while a program wants it and is active."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import Any, Callable, Optional

from .connection import Answer
from .decode import decode
from .errors import ConnectionLost, DockError, InvalidParameter, LeaseLost
from .life import Life

log = logging.getLogger("dockface")

#: Interval between renewals, seconds.
RENEWAL = 0.5

#: How long a program may do nothing with its Dock before the lease is no longer renewed, seconds.
PATIENCE = 5.0

#: Methods that need no control and therefore still work after it was lost.
FREE = frozenset(
    ("stop", "emergencyStop", "cancelMotion", "command", "status", "subscribe", "unsubscribe", "presets", "motions")
    + ("acquireControl", "releaseControl", "setLayer", "setIndicator", "setExtension", "setDistances", "say", "cue")
)

_AGAIN = "the program's motion was stopped; take control again with `with dock.control()`"


@dataclass(frozen=True)
class _Grant:
    """The answer to `acquireControl`."""

    lease: float
    renewed: Optional[bool] = None


class Leases:
    """The active leases of a Dock, and their access to the connection.

    `call` waits for a result. `post` does not wait, and does not count as activity.
    """

    def __init__(self, call: Callable[[str], Any], post: Callable[[str], Answer], life: Life) -> None:
        self.call = call
        self.post = post
        self.life = life
        #: Leases of the open blocks; the innermost block is the last.
        self.active: list[Lease] = []

    def before(self, method: str) -> None:
        """Called before a request, which renews held leases. Raises LeaseLost if the request needs a lost lease."""
        leases = list(self.active)
        for lease in leases:
            lease.renews()
        if leases and method not in FREE:
            leases[-1].check()


class Lease:
    """The right to write during a `with` block: taken on entry, renewed by a thread, released at the end.

    Releasing it stops nothing. It is renewed only while the program is active: within the last `patience` seconds it called a method of
    the Dock, took an event, waited inside this library, or called `beat`. Any thread counts. If the program or the whole process
    hangs for longer, the lease is lost. The program's motion has then been stopped, `held` is False, and until the end of the block
    `check` and all writing methods of the Dock raise LeaseLost. The lease is not taken again automatically, because the program must
    know that its motion ended.
    """

    def __init__(self, leases: Leases, patience: float = PATIENCE) -> None:
        if not patience > 0:
            raise InvalidParameter(f"patience is not above 0: {patience!r}", hint="use seconds above 0")
        self.patience = patience
        self._leases = leases
        self._life = leases.life
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._reason: Optional[str] = None
        self._held = False
        # When the last request was sent. Any request renews the lease.
        self._sent = 0.0
        self._silence = 0.0
        self._unanswered: list[Answer] = []
        self._thread: Optional[threading.Thread] = None
        #: How long the daemon keeps the lease without a request, seconds.
        self.lifetime = 0.0

    @property
    def held(self) -> bool:
        """Whether this program has control."""
        self._expire()
        return self._held

    def check(self) -> None:
        """Raises LeaseLost if control was lost."""
        self._expire()
        if self._reason is not None:
            raise LeaseLost(f"control of the dock was lost: {self._reason}", hint=_AGAIN)

    def beat(self) -> None:
        """Reports activity during a long computation. Raises LeaseLost like `check`."""
        self.check()
        self._life.beat()

    def __enter__(self) -> "Lease":
        if self._thread is not None:
            raise RuntimeError("this lease was used before; call dock.control() for a new one")
        self._sent = self._life.now()
        self.lifetime = decode(_Grant, self._leases.call("acquireControl"), "acquireControl").lease
        self._held = True
        self._leases.active.append(self)
        self._thread = threading.Thread(target=self._renew, name="dockface lease", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()
        self._leases.active.remove(self)
        # An outer block of the same Dock releases it itself.
        if self.held and not any(other.held for other in self._leases.active):
            try:
                self._leases.call("releaseControl")
            except ConnectionLost:
                pass  # the lease ended with the connection
        self._held = False

    def renews(self) -> bool:
        """Called before a request. Returns whether there is a lease to renew."""
        with self._lock:
            self._look()
            if self._held:
                self._sent = self._life.now()
            return self._held

    def _renew(self) -> None:
        period = min(RENEWAL, self.lifetime / 4)
        while not self._done.wait(period) and self.held:
            # First take late answers. Answers keep the order of requests, so they may have waited for another one.
            if not self._take_answers():
                return
            silence = self._life.silence
            if silence > self.patience:
                # The daemon must stop the program's motion. A program that becomes active before that is in time.
                self._silence = silence
                continue
            self._silence = 0.0
            if not self.renews():
                return
            try:
                answer = self._leases.post("acquireControl")
            except DockError as error:
                self._lose(str(error))
                return
            self._unanswered.append(answer)
            answer.arrived.wait(period)
            if not self._take_answers():
                return

    def _take_answers(self) -> bool:
        """Checks the daemon's answers. Returns whether control is still held."""
        while self._unanswered and self._unanswered[0].arrived.is_set():
            answer = self._unanswered.pop(0)
            try:
                grant = decode(_Grant, answer.get(), "acquireControl")
            except DockError as error:
                self._lose(str(error))
                if self._unanswered:
                    self._release()
                return False
            if grant.renewed is False:
                self._lose("it had ended in between")
                self._release()
                return False
        return True

    def _release(self) -> None:
        """Releases a new lease that was taken by mistake instead of renewing the old one."""
        try:
            self._leases.post("releaseControl")
        except DockError:
            pass  # the lease then ends by itself

    def _expire(self) -> None:
        with self._lock:
            self._look()

    def _look(self) -> None:
        """Under the lock: checks whether the lease has ended."""
        gap = self._life.now() - self._sent
        if not self._held or gap <= self.lifetime:
            return
        # A request now would take a new lease and hide that the old one has ended.
        silence = max(self._silence, self._life.silence)
        if silence > self.patience:
            hint = "call lease.beat() during long computations, or give control() more patience"
            self._end(f"the program did nothing with the dock for {silence:.1f} s: {hint}")
        else:
            self._end(f"no renewal for {gap:.1f} s")

    def _lose(self, reason: str) -> None:
        with self._lock:
            if self._held:
                self._end(reason)

    def _end(self, reason: str) -> None:
        self._reason = reason
        self._held = False
        log.warning("control of the dock was lost: %s", reason)
