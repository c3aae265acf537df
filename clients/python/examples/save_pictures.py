"""Saves what the dock looks at: a picture whenever it follows a person. It needs no other package: the format is PPM."""

from __future__ import annotations

import sys
from typing import Any

from support import Clock, Parser, run

import dockface


def main() -> int:
    parser = Parser(__doc__)
    parser.add_argument("folder", nargs="?", default=".", help="where the pictures are saved (this folder)")
    parser.add_argument("--always", action="store_true", help="also while no person is followed")
    parser.add_argument("--pause", type=float, default=2.0, metavar="S", help="seconds between two pictures (2)")
    options = parser.parse_args()
    counts: dict[str, Any] = {"saved": 0, "lost": 0}

    def work(dock: dockface.Dock, clock: Clock) -> str:
        last = 0.0
        with dock.pictures(timeout=5) as pictures:
            for picture in pictures:
                if clock.is_over:
                    return "seconds"
                if picture.arrival - last < options.pause:
                    continue
                try:
                    pixels = picture.copy()
                except dockface.PictureLost:
                    counts["lost"] += 1
                    continue
                if not options.always and dock.status().tracking.followed is None:
                    continue
                name = f"{options.folder}/picture-{picture.sequence}.ppm"
                with open(name, "wb") as file:
                    file.write(b"P6 %d %d 255\n" % (picture.width, picture.height) + pixels)
                last = picture.arrival
                counts["saved"] += 1
                print(name, flush=True)
        return "no pictures"

    return run(options, work, counts)


if __name__ == "__main__":
    sys.exit(main())
