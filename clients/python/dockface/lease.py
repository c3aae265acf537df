"""Control of the dock: the lease, kept alive while a program wants it."""

from __future__ import annotations

import logging
import threading
import time
from typing import Callable, Optional

from .errors import ConnectionLost, DockError, LeaseLost, Timeout

log = logging.getLogger("dockface")

#: So often the lease is renewed, seconds.
RENEWAL = 0.5


class Lease:
    """The right to write, for the time of a `with` block: taken on entry, renewed by a thread, given back at the end.

    Giving it back stops nothing. It can be lost on the way, when this process stood still for longer than the lease
    lives: what this program moved has then been stopped, `held` is False, and `check` raises. It is not taken again by
    itself, for the program must know that its motion ended.
    """

    def __init__(self, acquire: Callable[[Optional[float]], float], release: Callable[[], None]) -> None:
        self._acquire = acquire
        self._release = release
        self._done = threading.Event()
        self._reason: Optional[str] = None
        self._held = False
        self._thread: Optional[threading.Thread] = None
        #: So long the daemon keeps the lease without a request, seconds.
        self.lifetime = 0.0

    @property
    def held(self) -> bool:
        """This program has control."""
        return self._held

    def check(self) -> None:
        """Raises LeaseLost if control was lost."""
        if self._reason is not None:
            hint = "take it again by `with dock.control()`"
            raise LeaseLost(f"control of the dock was lost: {self._reason}", hint=hint)

    def __enter__(self) -> "Lease":
        if self._thread is not None:
            raise RuntimeError("this lease was used before: ask dock.control() for a new one")
        self._last = time.monotonic()
        self.lifetime = self._acquire(None)
        self._held = True
        self._thread = threading.Thread(target=self._renew, name="dockface lease", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()
        if self._held:
            self._held = False
            try:
                self._release()
            except ConnectionLost:
                pass  # the lease ended with the connection

    def _renew(self) -> None:
        period = min(RENEWAL, self.lifetime / 4)
        while not self._done.wait(period):
            now = time.monotonic()
            if now - self._last > self.lifetime:
                # Asking now would take a new lease and hide that the old one has ended.
                self._lose(f"no renewal for {now - self._last:.1f} s")
                return
            self._last = now
            try:
                self._acquire(period)
            except Timeout:
                # It was sent, and that renews. Answers keep the order of requests: this one may wait for another.
                continue
            except DockError as error:
                self._lose(str(error))
                return

    def _lose(self, reason: str) -> None:
        self._reason = reason
        self._held = False
        log.warning("control of the dock was lost: %s", reason)
