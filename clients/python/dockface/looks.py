"""The face and the camera on the dock."""

from __future__ import annotations

from typing import Optional

from .base import Caller, given
from .values import Expression


class LookMethods(Caller):
    """Expressions, gestures, zoom, shutter."""

    def set_expression(self, name: str) -> Expression:
        """Show one of the 21 expressions, a synonym, or an expression of your own: happy, sleepy, surprise, love ..."""
        return self._ask(Expression, "setExpression", {"name": name})

    def next_expression(self) -> Expression:
        """Show the expression after this one."""
        return self._ask(Expression, "setExpression", {"next": True})

    def set_random_expressions(self, enabled: bool) -> Expression:
        """Set whether the face changes by itself."""
        return self._ask(Expression, "setExpression", {"random": enabled})

    def set_gestures_enabled(self, enabled: bool) -> bool:
        """Set whether the head moves a little with expressions. Returns the present setting."""
        return self._field(bool, "gestures", "setGesturesEnabled", {"enabled": enabled})

    def set_zoom(self, factor: Optional[float] = None, *, steps: Optional[float] = None) -> float:
        """Set the magnification to `factor`, 1 to 8, or change it by `steps` of 0.2. Returns the magnification."""
        return self._field(float, "magnification", "setZoom", given(factor=factor, steps=steps))

    def set_shutter(self, open: Optional[bool] = None) -> bool:
        """Start (True) or end (False) a recording of the camera; None: toggle. Returns whether it records."""
        return self._field(bool, "recording", "setShutter", given(open=open))

    def flip_camera(self) -> int:
        """Switch to the next camera. Returns its number, from 0."""
        return self._field(int, "device", "flipCamera")
