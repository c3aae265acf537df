"""Selection of the followed person."""

from __future__ import annotations

from typing import Optional
from collections.abc import Iterable

from .base import Caller, given, plain
from .values import Camera, Observation, Rect, TrackResult


class TrackingMethods(Caller):
    """Modes, framing, subjects, and observations from your own detector."""

    def set_tracking_mode(self, mode: str) -> str:
        """Set what steers: `"system"` (the daemon's detector), `"custom"` (only `track`) or `"manual"`. Returns the mode."""
        return self._field(str, "mode", "setTrackingMode", {"mode": mode})

    def set_system_tracking_enabled(self, enabled: bool) -> str:
        """True: mode system. False: mode manual; a `track` then enters custom. Returns the mode."""
        return self._field(str, "mode", "setSystemTrackingEnabled", {"enabled": enabled})

    def set_framing_mode(self, mode: str) -> str:
        """Set the subject's position in the frame: `"auto"`, `"center"`, `"left"` or `"right"`. Returns the mode."""
        return self._field(str, "framing", "setFramingMode", {"mode": mode})

    def set_region_of_interest(self, rect: Optional[Rect]) -> Optional[Rect]:
        """Restrict tracking to this part of the frame; None: the whole frame. Returns the region."""
        params = {"rect": None if rect is None else list(rect)}
        return self._field(Optional[Rect], "region", "setRegionOfInterest", params)  # type: ignore[arg-type]

    def select_subject(self, x: float, y: float) -> int:
        """Follow the subject at this point of the frame. Returns its id, or raises NoSubjectFound."""
        return self._field(int, "id", "selectSubject", {"x": x, "y": y})

    def select_subjects(self, ids: Iterable[int]) -> list[int]:
        """Follow these subjects, at most 16; none: the dock chooses. Returns the ids."""
        return list(self._field(tuple[int, ...], "ids", "selectSubjects", {"ids": list(ids)}))

    def expect(self, pan: float, tilt: float, duration: Optional[float] = None) -> None:
        """Look in this direction, radians, for `duration` seconds (None: 1; at most 2) while no person is in the frames.

        Repeat it while a person is expected there. Raises Busy outside mode system.
        """
        self._need("expect", "expects no person")
        self.call("expect", {"pan": pan, "tilt": tilt, **given(**{"for": duration})})

    def select_source(self, name: str) -> str:
        """Switch to another detector from `status().detector`; the others are on standby. Returns its name."""
        return self._field(str, "source", "selectSource", {"name": name})

    def track(
        self, observations: Iterable[Observation], camera: Optional[Camera] = None, t: Optional[float] = None
    ) -> TrackResult:
        """Send your own detector's results for one frame, 0 to 100 subjects; 5 to 60 times a second.

        `t`: when the frame was taken, `time.monotonic()`; None: the time of arrival minus the camera's latency. Raises FrameRateTooHigh
        if the frame was dropped.
        """
        params = given(camera=None if camera is None else plain(camera), t=t)
        params["observations"] = [plain(observation) for observation in observations]
        return self._ask(TrackResult, "track", params)
