"""Shared code of the examples: options, signals, exit codes, the summary."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import time
from typing import Any, Callable, Optional
from collections.abc import Iterator

try:
    import dockface
except ImportError:  # in a clone, without an installation
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    import dockface

OK, REFUSED, USAGE, BAD_INPUT, NO_DOCK, HELD = 0, 1, 64, 65, 69, 75

EXIT_CODES = "exit: 0 done, 1 rejected or cut short, 64 usage, 65 bad input, 69 no daemon or no dock, 75 control held"


class Parser(argparse.ArgumentParser):
    """The common options of all examples. Usage errors exit with 64, as in the daemon."""

    def __init__(self, description: Optional[str]) -> None:
        super().__init__(description=description, epilog=EXIT_CODES)
        self.add_argument("--socket", metavar="PATH", help="the daemon's socket (default: DOCKFACE_SOCKET, or the daemon's default path)")
        self.add_argument("--seconds", type=float, metavar="N", help="exit after N seconds")
        self.add_argument("--summary", action="store_true", help="print a summary as a last line of JSON")

    def error(self, message: str) -> Any:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


class BadInput(Exception):
    """The input cannot be used."""


class CutShort(Exception):
    """The work was ended early."""


class Clock:
    """The time limit of an example."""

    def __init__(self, seconds: Optional[float]) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self, at_most: Optional[float] = None) -> Optional[float]:
        """Seconds left, at most `at_most` and at least 0; None: no limit."""
        if self._end is None:
            return at_most
        left = max(0.0, self._end - time.monotonic())
        return left if at_most is None else min(left, at_most)

    @property
    def is_over(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end


def run(options: argparse.Namespace, work: Callable[[dockface.Dock, Clock], str], counts: dict[str, Any]) -> int:
    """Connects, does the work and ends cleanly in all cases. Returns the exit code. `work` returns why it ended."""
    _end_on_signals()
    code, ended = OK, ""
    try:
        with dockface.Dock(options.socket) as dock:
            ended = work(dock, Clock(options.seconds))
    except KeyboardInterrupt:
        ended = "signal"
    except BrokenPipeError:
        # The reader of the output is gone. Python would report that again at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        ended = "pipe"
    except (dockface.DockError, BadInput, CutShort) as error:
        code, ended = _code(error), getattr(error, "name", type(error).__name__)
        print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
    if options.summary:
        print(json.dumps({**counts, "ended": ended}), flush=True)
    return code


def _code(error: Exception) -> int:
    if isinstance(error, (dockface.NoDaemon, dockface.ConnectionLost, dockface.NotConnected)):
        return NO_DOCK
    if isinstance(error, BadInput):
        return BAD_INPUT
    return HELD if isinstance(error, dockface.Busy) else REFUSED


def _end_on_signals() -> None:
    """Makes Ctrl-C and SIGTERM end the work, also in a shell's background, where Python would not see Ctrl-C."""
    ways = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def interrupt(*_: object) -> None:
        # Only once: a second signal must not interrupt the shutdown before the stop.
        for way in ways:
            signal.signal(way, signal.SIG_IGN)
        raise KeyboardInterrupt

    for way in ways:
        signal.signal(way, interrupt)


@contextlib.contextmanager
def stopping(dock: dockface.Dock) -> Iterator[None]:
    """Stops the dock on every exit path of the block. Use it inside `control`, so that the stop precedes the release."""
    try:
        yield
    finally:
        try:
            dock.stop()
        except dockface.ConnectionLost:
            pass  # the daemon has stopped this program's motion, or the dock has stopped by itself
