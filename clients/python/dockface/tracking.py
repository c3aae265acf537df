"""Whom the dock follows."""

from __future__ import annotations

from typing import Optional
from collections.abc import Iterable

from .base import Caller, given, plain
from .values import Camera, Observation, Rect, TrackResult


class TrackingMethods(Caller):
    """Modes, framing, subjects, and observations of a detector of your own."""

    def set_tracking_mode(self, mode: str) -> str:
        """Who steers: `"system"` (the daemon's detector), `"custom"` (only `track`) or `"manual"`. Gives the mode."""
        return self._field(str, "mode", "setTrackingMode", {"mode": mode})

    def set_system_tracking_enabled(self, enabled: bool) -> str:
        """True: mode system. False: manual, and a `track` then enters custom. Gives the mode."""
        return self._field(str, "mode", "setSystemTrackingEnabled", {"enabled": enabled})

    def set_framing_mode(self, mode: str) -> str:
        """Where in the picture the subject shall be: `"auto"`, `"center"`, `"left"` or `"right"`. Gives the mode."""
        return self._field(str, "framing", "setFramingMode", {"mode": mode})

    def set_region_of_interest(self, rect: Optional[Rect]) -> Optional[Rect]:
        """Only subjects in this part of the picture count; None: the whole picture. Gives the region."""
        params = {"rect": None if rect is None else list(rect)}
        return self._field(Optional[Rect], "region", "setRegionOfInterest", params)  # type: ignore[arg-type]

    def select_subject(self, x: float, y: float) -> int:
        """Follow the subject at this point of the picture; gives its id, or raises NoSubjectFound."""
        return self._field(int, "id", "selectSubject", {"x": x, "y": y})

    def select_subjects(self, ids: Iterable[int]) -> list[int]:
        """Follow these subjects, at most 16; none: whom the dock chooses. Gives the ids."""
        return list(self._field(tuple[int, ...], "ids", "selectSubjects", {"ids": list(ids)}))

    def select_source(self, name: str) -> str:
        """Let another detector steer, one that `status().detector` names; the others are on standby. Gives its name."""
        return self._field(str, "source", "selectSource", {"name": name})

    def track(
        self, observations: Iterable[Observation], camera: Optional[Camera] = None, t: Optional[float] = None
    ) -> TrackResult:
        """What your own detector sees in one picture, at most 100 subjects, none included; 5 to 60 times a second.

        `t`: when the picture was taken, `time.monotonic()`; None: as it arrives, less the camera's latency. Raises
        FrameRateTooHigh when it was dropped.
        """
        params = given(camera=None if camera is None else plain(camera), t=t)
        params["observations"] = [plain(observation) for observation in observations]
        return self._ask(TrackResult, "track", params)
