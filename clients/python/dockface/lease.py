"""Control of the dock: the lease, kept alive while a program wants it and lives."""

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

#: So often the lease is renewed, seconds.
RENEWAL = 0.5

#: So long a program may do nothing with its Dock before the lease is not renewed any more, seconds.
PATIENCE = 5.0

#: What needs no control, and so goes on when it was lost.
FREE = frozenset(
    ("stop", "emergencyStop", "cancelMotion", "command", "status", "subscribe", "unsubscribe", "presets", "motions")
    + ("acquireControl", "releaseControl")
)

_AGAIN = "what it moved was stopped; take control again by `with dock.control()`"


@dataclass(frozen=True)
class _Grant:
    """The answer to `acquireControl`."""

    lease: float
    renewed: Optional[bool] = None


class Leases:
    """The leases of a Dock whose blocks are being carried out, and how they ask.

    `call` waits for a result; `post` does not, and is no sign of life.
    """

    def __init__(self, call: Callable[[str], Any], post: Callable[[str], Answer], life: Life) -> None:
        self.call = call
        self.post = post
        self.life = life
        #: The innermost block is the last.
        self.active: list[Lease] = []

    def before(self, method: str) -> None:
        """A request is about to be sent, which renews what is held; raises LeaseLost if it needs what is not."""
        leases = list(self.active)
        for lease in leases:
            lease.renews()
        if leases and method not in FREE:
            leases[-1].check()


class Lease:
    """The right to write, for the time of a `with` block: taken on entry, renewed by a thread, given back at the end.

    Giving it back stops nothing. It is renewed only while the program lives: within the last `patience` seconds it
    called a method of the Dock, took an event, waited inside this library, or said `beat`. Any thread counts. It is
    lost when the program, or the whole process, stood still for longer: what it moved has then been stopped, `held` is
    False, and `check` raises, as does every method of the Dock that writes, until the end of the block. It is not taken
    again by itself, for the program must know that its motion ended.
    """

    def __init__(self, leases: Leases, patience: float = PATIENCE) -> None:
        if not patience > 0:
            raise InvalidParameter(f"invalidParameter: patience is not above 0: {patience!r}", hint="seconds")
        self.patience = patience
        self._leases = leases
        self._life = leases.life
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._reason: Optional[str] = None
        self._held = False
        # When the last request was sent: any of them renews.
        self._sent = 0.0
        self._silence = 0.0
        self._unanswered: list[Answer] = []
        self._thread: Optional[threading.Thread] = None
        #: So long the daemon keeps the lease without a request, seconds.
        self.lifetime = 0.0

    @property
    def held(self) -> bool:
        """This program has control."""
        self._expire()
        return self._held

    def check(self) -> None:
        """Raises LeaseLost if control was lost."""
        self._expire()
        if self._reason is not None:
            raise LeaseLost(f"control of the dock was lost: {self._reason}", hint=_AGAIN)

    def beat(self) -> None:
        """This program is alive, though it does nothing with the dock for long; raises LeaseLost as `check` does."""
        self.check()
        self._life.beat()

    def __enter__(self) -> "Lease":
        if self._thread is not None:
            raise RuntimeError("this lease was used before: ask dock.control() for a new one")
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
        # An outer block of the same Dock gives it back itself.
        if self.held and not any(other.held for other in self._leases.active):
            try:
                self._leases.call("releaseControl")
            except ConnectionLost:
                pass  # the lease ended with the connection
        self._held = False

    def renews(self) -> bool:
        """A request is about to be sent; whether there is something to renew."""
        with self._lock:
            self._look()
            if self._held:
                self._sent = self._life.now()
            return self._held

    def _renew(self) -> None:
        period = min(RENEWAL, self.lifetime / 4)
        while not self._done.wait(period) and self.held:
            # First what came late. Answers keep the order of requests: they may have waited for another.
            if not self._take_answers():
                return
            silence = self._life.silence
            if silence > self.patience:
                # The daemon shall stop what was moved. Until it does, a program that comes back is in time.
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
        """Look at what the daemon answered; whether control is still held."""
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
        """Give back what was taken by mistake: a new lease, when the old one was to be renewed."""
        try:
            self._leases.post("releaseControl")
        except DockError:
            pass  # then it ends by itself

    def _expire(self) -> None:
        with self._lock:
            self._look()

    def _look(self) -> None:
        """Under the lock: see whether it has ended by now."""
        gap = self._life.now() - self._sent
        if not self._held or gap <= self.lifetime:
            return
        # Asking now would take a new lease and hide that the old one has ended.
        silence = max(self._silence, self._life.silence)
        if silence > self.patience:
            hint = "call lease.beat() where it computes for long, or give control() more patience"
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
