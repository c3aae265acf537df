#!/usr/bin/env python3
"""Labels each tracked face with its age in view and its looking score, and marks a point in the room, 2 m ahead of the dock.

The terminal's overlay (key o) shows it, and so does every program that reads topic `layers`. It moves nothing.
"""

import sys

from support import Clock, Parser, run
import dockface
from dockface import Item


def label(subject: dockface.Subject) -> Item:
    """The label at a face's top left corner."""
    looking = "" if subject.looking is None else f", looks {subject.looking:.0%}"
    return Item.label(f"{subject.age or 0:.0f} s{looking}", at=subject.rect[:2], colour="cyan")


def main() -> int:
    options = Parser(__doc__).parse_args()
    counts = {"frames": 0, "labels": 0}
    room = [Item.point((0, 0, -2), text="2 m ahead", mark="+", colour="yellow")]

    def work(dock: dockface.Dock, clock: Clock) -> str:
        with dock.events("tracking") as tracking:
            while not clock.is_over:
                event = tracking.get(clock.left(0.5))
                dock.set_layer("room", room, space="world")  # a layer lasts for a second
                if event is not None:
                    counts["frames"] += 1
                    counts["labels"] += dock.set_layer("people", [label(subject) for subject in event.data.subjects])
        return "seconds"

    return run(options, work, counts)


if __name__ == "__main__":
    sys.exit(main())
