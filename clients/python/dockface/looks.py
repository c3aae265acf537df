"""The face, and the camera on the dock."""

from __future__ import annotations

from typing import Optional

from .base import Caller, given
from .values import Expression


class LookMethods(Caller):
    """Expressions, gestures, zoom, shutter."""

    def set_expression(self, name: str) -> Expression:
        """Show one of the 21 expressions, a synonym, or a face of your own: happy, sleepy, surprise, love ..."""
        return self._ask(Expression, "setExpression", {"name": name})

    def next_expression(self) -> Expression:
        """Show the expression after this one."""
        return self._ask(Expression, "setExpression", {"next": True})

    def set_random_expressions(self, enabled: bool) -> Expression:
        """Let the face change by itself, or not."""
        return self._ask(Expression, "setExpression", {"random": enabled})

    def set_gestures_enabled(self, enabled: bool) -> bool:
        """Let the head move a little with expressions, or not. Gives what holds now."""
        return self._field(bool, "gestures", "setGesturesEnabled", {"enabled": enabled})

    def set_zoom(self, factor: Optional[float] = None, *, steps: Optional[float] = None) -> float:
        """Magnify by `factor`, 1 to 8, or by `steps` of 0.2 more or less. Gives the magnification."""
        return self._field(float, "magnification", "setZoom", given(factor=factor, steps=steps))

    def set_shutter(self, open: Optional[bool] = None) -> bool:
        """Begin (True) or end (False) a recording of the camera; None: the other way. Gives whether it records."""
        return self._field(bool, "recording", "setShutter", given(open=open))

    def flip_camera(self) -> int:
        """Take the next camera. Gives its number, from 0."""
        return self._field(int, "device", "flipCamera")
