"""Motion in mode manual."""

from __future__ import annotations

from typing import Any, Optional, Union

from .base import Caller, given, plain
from .motion import Motion
from .values import AxisLimits, Limits, MotionInfo, Pose, Recording


class _Keep:
    """Means "unchanged", because None means "the rig's own"."""

    def __repr__(self) -> str:
        return "KEEP"


#: For `set_limits`: leaves this axis unchanged.
KEEP = _Keep()

#: Limits of an axis, None for the rig's own, or KEEP.
LimitChange = Union[AxisLimits, None, _Keep]


class MoveMethods(Caller):
    """Velocities, moves, animations, presets, taught motions, limits."""

    def set_angular_velocity(self, pan: float, tilt: float, duration: Optional[float] = None) -> Motion:
        """Turn at these rates, rad/s, for `duration` seconds (None: 0.5). The next call replaces it."""
        return self._move(
            "setAngularVelocity", {"pan": pan, "tilt": tilt, **given(**{"for": duration})}, "velocity", follow=False
        )

    def set_orientation(
        self, pan: float, tilt: float, duration: Optional[float] = None, *, relative: bool = False
    ) -> Motion:
        """Turn to a pose, radians, in `duration` seconds (None or 0: as fast as allowed), or by an angle if `relative`."""
        params: dict[str, Any] = {"pan": pan, "tilt": tilt, **given(duration=duration)}
        if relative:
            params["relative"] = True
        return self._move("setOrientation", params, "orient")

    def home(self) -> Motion:
        """Turn to the rig's home pose."""
        return self._move("home", {}, "home")

    def animate(self, motion: str) -> Motion:
        """Run `"yes"`, `"no"`, `"wakeup"`, `"kapow"` or a taught motion, in any mode; afterwards the mode is restored."""
        return self._move("animate", {"motion": motion}, motion)

    def cancel_motion(self, motion: int) -> None:
        """End a motion by its number. After an animation the previous mode is restored."""
        self.call("cancelMotion", {"motion": motion})

    def set_limits(self, pan: LimitChange = KEEP, tilt: LimitChange = KEEP) -> Limits:
        """Set limits inside the rig's own, for this run of the daemon; None: the rig's own. Returns the present limits.

        An omitted axis keeps its limits. `reset_limits` restores the rig's own limits of both axes.
        """
        params = {
            axis: None if change is None else plain(change)
            for axis, change in (("pan", pan), ("tilt", tilt))
            if not isinstance(change, _Keep)
        }
        if not params:
            raise ValueError("give limits for pan, tilt, or both; reset_limits() resets both")
        return self._field(Limits, "limits", "setLimits", params)

    def reset_limits(self) -> Limits:
        """Restore the rig's own limits."""
        return self._field(Limits, "limits", "setLimits", {})

    def set_speed(self, share: float) -> float:
        """Set the speed of manual motion, 0.01...1 of the rig's maximum. Returns the fraction."""
        return self._field(float, "share", "setSpeed", {"share": share})

    def set_torque_enabled(self, enabled: bool) -> bool:
        """Switch the torque. False: a hand can move the head. Returns the present state."""
        return self._field(bool, "torque", "setTorqueEnabled", {"enabled": enabled})

    def save_preset(self, name: str) -> str:
        """Save the present pose under a name: 1 to 32 of a-z 0-9 _ -."""
        return self._field(str, "name", "savePreset", {"name": name})

    def delete_preset(self, name: str) -> str:
        """Delete a preset."""
        return self._field(str, "name", "deletePreset", {"name": name})

    def go_to_preset(self, name: str) -> Motion:
        """Turn to a preset."""
        return self._move("goToPreset", {"name": name}, name)

    def presets(self) -> dict[str, Pose]:
        """The presets by name."""
        return self._field(dict[str, Pose], "presets", "presets")

    def record_motion(self, name: str) -> str:
        """Teach a motion: the torque is switched off; move the head by hand, then call `finish_recording`."""
        return self._field(str, "name", "recordMotion", {"name": name})

    def finish_recording(self, keep: bool = True) -> Recording:
        """End the teaching. The motion is kept for `animate`, or discarded."""
        return self._ask(Recording, "finishRecording", {"keep": keep})

    def motions(self) -> dict[str, MotionInfo]:
        """The motions for `animate`, taught and built in, by name."""
        return self._field(dict[str, MotionInfo], "motions", "motions")

    def delete_motion(self, name: str) -> str:
        """Delete a taught motion."""
        return self._field(str, "name", "deleteMotion", {"name": name})
