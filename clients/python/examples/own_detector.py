#!/usr/bin/env python3
"""Steers the dock with your own detector: reads its detections, assigns ids to the faces, and sends them to `track`.

INPUT is a file in the detection stream's format, for example Examples/faces/two-people.jsonl, played at its own pace;
or - for standard input: my-detector | own_detector.py -
Takes control and sets mode custom. Every exit path stops the dock.

A recording does not turn with the head, so it needs a camera beside the dock: `dockface run --port sim --detector none`,
or a profile with `camera.mount = "fixed"`. Beside the simulated camera of `dockface demo` the head would run to its end.
"""

from __future__ import annotations

import math
import sys
import time
from typing import Any, Optional

from support import BadInput, Clock, Parser, run, stopping
from detections import Detections, Frame, SimpleIds
import dockface
from dockface import Event, EventStream, MotionState, TrackingState

#: Seconds between two printed lines.
PRINT_EVERY = 0.5


class Display:
    """Prints the pose and the followed person from time to time."""

    def __init__(self, counts: dict[str, Any]) -> None:
        self._counts = counts
        self._pose = "pose unknown"
        self._next = 0.0

    def take(self, event: Event[Any]) -> None:
        state = event.data
        if isinstance(state, MotionState) and state.position is not None:
            pan, tilt = math.degrees(state.position.pan), math.degrees(state.position.tilt)
            self._pose = f"pan {pan:+6.1f} deg, tilt {tilt:+6.1f} deg"
        elif isinstance(state, TrackingState):
            self._counts["states"] += 1
            self._counts["following"] += state.phase == "following"
            now = time.monotonic()
            if now >= self._next:
                self._next = now + PRINT_EVERY
                followed = "" if state.followed is None else f" number {state.followed}"
                print(f"{self._pose}   {state.phase}{followed} of {len(state.subjects)}", flush=True)

    def until(self, due: float, told: EventStream[Any], clock: Clock) -> None:
        """Prints the daemon's reports until a frame is due."""
        while True:
            left: Optional[float] = clock.left(max(0.0, due - time.monotonic()))
            event = told.get(left)
            if event is None:
                return
            self.take(event)


def main() -> int:
    parser = Parser(__doc__)
    parser.add_argument("input", metavar="INPUT", help="a file of detections, or - for standard input")
    parser.add_argument("--loop", action="store_true", help="repeat the file")
    options = parser.parse_args()
    if options.loop and options.input == "-":
        parser.error("standard input cannot be repeated")
    counts: dict[str, Any] = {"frames": 0, "faces": 0, "dropped": 0, "badLines": 0, "states": 0, "following": 0}

    def track(dock: dockface.Dock, frame: Frame, camera: Optional[dockface.Camera], ids: SimpleIds) -> None:
        observations = ids.observe(frame.faces, time.monotonic())
        try:
            dock.track(observations, camera, frame.exposure)
        except dockface.Busy:
            # A fault ends custom tracking. Its name says more than the mode that follows it.
            state = dock.status().accessory
            if state.dock == "faulted":
                raise dockface.Faulted(f"stopped by {state.reason}", hint="see the daemon's log, then: dockface clear") from None
            raise
        except dockface.FrameRateTooHigh:
            counts["dropped"] += 1
            return
        counts["frames"] += 1
        counts["faces"] += len(observations)

    def work(dock: dockface.Dock, clock: Clock) -> str:
        detector = dock.status().detector
        if options.input != "-" and detector is not None and detector.source == "scene":
            raise BadInput(f"{options.input} is a recording, and the daemon's simulated camera turns with the head: "
                           "start the daemon with `dockface run --port sim --detector none`")
        detections, ids, display = Detections(options.input, options.loop), SimpleIds(), Display(counts)
        with dock.control() as lease, dock.events("tracking", "motion") as told, stopping(dock):
            dock.set_tracking_mode("custom")
            for frame in detections.frames():
                lease.check()
                counts["badLines"] = detections.bad_lines
                display.until(time.monotonic() if frame is None else frame.due, told, clock)
                if clock.is_over:
                    return "seconds"
                if frame is not None:
                    track(dock, frame, detections.camera, ids)
        counts["badLines"] = detections.bad_lines
        return "done"

    return run(options, work, counts)


if __name__ == "__main__":
    sys.exit(main())
