"""What the examples share: options, signals, exit codes, the summary."""

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

EXIT_CODES = "exit: 0 done, 1 refused or cut short, 64 usage, 65 bad input, 69 no daemon or no dock, 75 control held"


class Parser(argparse.ArgumentParser):
    """Options that every example has; mistakes end with 64, as in the daemon."""

    def __init__(self, description: Optional[str]) -> None:
        super().__init__(description=description, epilog=EXIT_CODES)
        self.add_argument("--socket", metavar="PATH", help="the daemon's socket (DOCKFACE_SOCKET, or where it puts it)")
        self.add_argument("--seconds", type=float, metavar="N", help="end after so many seconds")
        self.add_argument("--summary", action="store_true", help="end with a line of JSON that tells what was done")

    def error(self, message: str) -> Any:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


class BadInput(Exception):
    """What was given to read cannot be used."""


class CutShort(Exception):
    """It could not be done to its end."""


class Clock:
    """How long an example may go on."""

    def __init__(self, seconds: Optional[float]) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self, at_most: Optional[float] = None) -> Optional[float]:
        """Seconds left, but not more than `at_most` and not below 0; None: no end."""
        if self._end is None:
            return at_most
        left = max(0.0, self._end - time.monotonic())
        return left if at_most is None else min(left, at_most)

    @property
    def is_over(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end


def run(options: argparse.Namespace, work: Callable[[dockface.Dock, Clock], str], counts: dict[str, Any]) -> int:
    """Connect, do the work, end cleanly whatever happens; gives the exit code. `work` gives why it ended."""
    _end_on_signals()
    code, ended = OK, ""
    try:
        with dockface.Dock(options.socket) as dock:
            ended = work(dock, Clock(options.seconds))
    except KeyboardInterrupt:
        ended = "signal"
    except BrokenPipeError:
        # Nobody reads what is printed any more. Python would complain once more at its exit.
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
    """Ctrl-C and SIGTERM end the work, also in a shell's background, where Python would not see Ctrl-C."""
    ways = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def interrupt(*_: object) -> None:
        # Once: a second one must not come between the wish to end and the stop.
        for way in ways:
            signal.signal(way, signal.SIG_IGN)
        raise KeyboardInterrupt

    for way in ways:
        signal.signal(way, interrupt)


@contextlib.contextmanager
def stopping(dock: dockface.Dock) -> Iterator[None]:
    """Stop the dock on every way out of the block. Inside of `control`: stopping comes before giving control back."""
    try:
        yield
    finally:
        try:
            dock.stop()
        except dockface.ConnectionLost:
            pass  # the daemon has stopped what this program moved, or its dock has by itself
