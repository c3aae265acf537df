#!/usr/bin/env python3
"""A show: takes control, looks around with expressions and gestures, and ends at home.

It holds the lease for the whole show, so no other program can interfere. A person at the keys can, and that ends the show. Every
exit path stops the dock.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Callable

from support import Clock, CutShort, Parser, run, stopping
import dockface
from dockface import AxisLimits, Dock, Limits, Motion, Outcome


@dataclass(frozen=True)
class Step:
    """One step of the show: an expression and a motion."""

    title: str
    face: str
    motion: Callable[[Dock, Limits], Motion]


def look(pan: float, tilt: float, seconds: float) -> Callable[[Dock, Limits], Motion]:
    """Returns a turn to a fraction of the limits (-1...1), so that the show fits every rig."""

    def move(dock: Dock, limits: Limits) -> Motion:
        return dock.set_orientation(part(limits.pan, pan), part(limits.tilt, tilt), seconds)

    return move


def part(limits: AxisLimits, share: float) -> float:
    """The angle at a fraction of the way from 0 to a limit, radians; from the middle if 0 is outside the limits."""
    if limits.min <= 0 <= limits.max:
        return share * (limits.max if share > 0 else -limits.min)
    return (limits.min + limits.max + share * (limits.max - limits.min)) / 2


def act(name: str) -> Callable[[Dock, Limits], Motion]:
    """Returns one of the animations."""
    return lambda dock, _: dock.animate(name)


SHOW: tuple[Step, ...] = (
    Step("wakes up", "surprise", act("wakeup")),
    Step("looks to its right", "curiosity", look(0.3, 0.1, 1.2)),
    Step("looks to its left", "curiosity", look(-0.3, 0.1, 2.0)),
    Step("says no", "contempt", act("no")),
    Step("looks up", "anticipation", look(0, 0.4, 1.2)),
    Step("says yes", "happy", act("yes")),
    Step("is overwhelmed", "excited", act("kapow")),
    Step("goes home", "normal", lambda dock, _: dock.home()),
)

#: Limits if the dock does not report any, radians.
UNKNOWN_LIMITS = Limits(AxisLimits(-1, 1), AxisLimits(-0.3, 0.3))

#: Outcomes of a motion that was not interrupted.
FINE = (Outcome.COMPLETED, Outcome.LIMITED, Outcome.UNKNOWN)


def perform(motion: Motion, title: str, clock: Clock) -> Outcome:
    """Prints the progress of a motion until it ends. Raises dockface.Timeout when the time is over."""
    on_screen = sys.stdout.isatty()
    for fraction in motion.progress(clock.left()):
        if on_screen:
            bar = "#" * round(20 * fraction)
            print(f"\r{title:20} [{bar:20}] {fraction:4.0%}", end="", flush=True)
    outcome = motion.wait()
    print(("\r" if on_screen else "") + f"{title:20} {outcome.value:30}".rstrip() + " " * 10 * on_screen, flush=True)
    return outcome


def main() -> int:
    parser = Parser(__doc__)
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="number of repetitions (1)")
    options = parser.parse_args()
    outcomes: dict[str, int] = {}
    counts: dict[str, Any] = {"moves": 0, "faces": 0, "shows": 0, "outcomes": outcomes}

    def work(dock: Dock, clock: Clock) -> str:
        with dock.control() as lease, stopping(dock):
            dock.set_tracking_mode("manual")
            limits = dock.status().accessory.limits or UNKNOWN_LIMITS
            for step in SHOW * options.repeat:
                lease.check()
                dock.set_expression(step.face)
                counts["faces"] += 1
                try:
                    outcome = perform(step.motion(dock, limits), step.title, clock)
                except dockface.Timeout:
                    if clock.is_over:
                        return "seconds"
                    raise
                counts["moves"] += 1
                outcomes[outcome.value] = outcomes.get(outcome.value, 0) + 1
                if outcome not in FINE:
                    raise CutShort(f"the show is over: {step.title}: {outcome.value}")
                counts["shows"] += step is SHOW[-1]
        return "done"

    return run(options, work, counts)


if __name__ == "__main__":
    sys.exit(main())
