"""The program's activity, which keeps a lease alive."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Callable
from collections.abc import Iterator


class Life:
    """Records when the program last used its Dock. A thread that waits inside the library counts as using it.

    Every thread counts except the library's own.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        #: The clock, seconds.
        self.now: Callable[[], float] = now
        self._lock = threading.Lock()
        self._waiting = 0
        self._last = now()

    def beat(self) -> None:
        """Records activity at this moment."""
        self._last = self.now()

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Records activity for the duration of a `with` block."""
        with self._lock:
            self._waiting += 1
        try:
            yield
        finally:
            self.beat()
            with self._lock:
                self._waiting -= 1

    @property
    def silence(self) -> float:
        """Time since the last activity, seconds."""
        return 0.0 if self._waiting else self.now() - self._last
