#!/usr/bin/env python3
"""Follows people, greets newcomers with a smile and a nod, and gets sleepy when all people have gone.

The daemon's own detector steers (mode system, which remains after the end). This program only observes the subjects. It takes no
control: other programs may write too, and a person at the keys has precedence.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any, Optional

from support import Clock, Parser, run
import dockface


class Host:
    """Decides which person to greet, and when to fall asleep."""

    def __init__(self, dock: dockface.Dock, options: argparse.Namespace, counts: dict[str, Any]) -> None:
        self._dock = dock
        self._options = options
        self._counts = counts
        self._met: set[int] = set()
        self._next_greeting = 0.0
        self._last_seen = time.monotonic()
        self._asleep = False

    def until_nap(self) -> Optional[float]:
        """Seconds until the face falls asleep if no person comes; None if it sleeps already."""
        return None if self._asleep else max(0.0, self._last_seen + self._options.away - time.monotonic())

    def see(self, state: dockface.TrackingState) -> None:
        """Takes a tracking state and greets one newcomer at a time."""
        self._counts["frames"] += 1
        # A very new face may be a false detection, and a coasting subject is only predicted.
        here = [subject for subject in state.subjects if not subject.coasting]
        if not here or state.phase == "detectorStale":
            return
        self._last_seen = now = time.monotonic()
        for subject in here:
            is_known = subject.id in self._met or (subject.age or 0) < self._options.patience
            if not is_known and now >= self._next_greeting:
                self._met.add(subject.id)
                self._next_greeting = now + self._options.pause
                self._greet(subject)
                break
        if self._asleep:
            self._asleep = False
            self._try("wakes up", lambda: self._dock.set_expression("normal"))

    def nap(self) -> None:
        """Falls asleep after a while without people."""
        self._asleep = True
        if self._try("no one here: sleepy", lambda: self._dock.set_expression("sleepy")):
            self._counts["naps"] += 1

    def _greet(self, subject: dockface.Subject) -> None:
        self._asleep = False

        def greeting() -> None:
            self._dock.set_expression(self._options.face)
            self._dock.animate("yes")

        if self._try(f"hello, number {subject.id}", greeting):
            self._counts["greeted"] += 1

    def _try(self, what: str, action: Any) -> bool:
        try:
            action()
        except dockface.ConnectionLost:
            raise
        except dockface.DockError as error:
            # The dock may be busy, unplugged or faulted. That is temporary, so the program continues.
            print(f"{what}: rejected: {error}")
            self._counts["refused"] += 1
            return False
        print(what, flush=True)
        return True


def main() -> int:
    parser = Parser(__doc__)
    parser.add_argument("--face", default="happy", help="expression for the greeting (happy)")
    parser.add_argument("--away", type=float, default=4.0, metavar="S", help="seconds alone before the face gets sleepy (4)")
    parser.add_argument("--pause", type=float, default=5.0, metavar="S", help="seconds between two greetings (5)")
    parser.add_argument("--patience", type=float, default=0.5, metavar="S", help="seconds in view before a greeting (0.5)")
    options = parser.parse_args()
    counts: dict[str, Any] = {"frames": 0, "greeted": 0, "naps": 0, "refused": 0}

    def work(dock: dockface.Dock, clock: Clock) -> str:
        dock.set_tracking_mode("system")
        host = Host(dock, options, counts)
        with dock.events("tracking") as tracking:
            while not clock.is_over:
                event = tracking.get(clock.left(host.until_nap()))
                if event is not None:
                    host.see(event.data)
                if host.until_nap() == 0:
                    host.nap()
        return "seconds"

    return run(options, work, counts)


if __name__ == "__main__":
    sys.exit(main())
