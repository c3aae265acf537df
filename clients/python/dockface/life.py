"""Whether the program still does something: what a lease lives by."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Callable
from collections.abc import Iterator


class Life:
    """Remembers when the program used its Dock last; a thread that waits inside the library is using it all the time.

    Every thread counts, the library's own do not.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        #: The clock, seconds.
        self.now: Callable[[], float] = now
        self._lock = threading.Lock()
        self._waiting = 0
        self._last = now()

    def beat(self) -> None:
        """The program is alive at this moment."""
        self._last = self.now()

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """The program is alive for the time of a `with` block."""
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
        """So long the program has shown no life, seconds."""
        return 0.0 if self._waiting else self.now() - self._last
