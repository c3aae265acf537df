"""What this program shows to people and offers to other programs: layers, indicators, distances, sentences, sounds."""

from __future__ import annotations

from typing import Any, Optional, Union
from collections.abc import Iterable, Mapping

from .base import Caller, given
from .topics import Item
from .values import Pose


class ShowMethods(Caller):
    """Layers, indicators, cues. They move nothing, need no control, and end with the connection."""

    def set_layer(
        self, name: str, items: Iterable[Union[Item, Mapping[str, Any]]], *, space: str = "picture", ttl: float = 1.0
    ) -> int:
        """Draw these items over the picture, in place of the layer of this name. Returns their number.

        The terminal's overlay and readers of topic `layers` show it for `ttl` seconds, at most 2: set it again in time. Points are in
        frame coordinates, or with space `"world"` in metres in the room, where they stand still while the head turns. Items are
        `Item` values, or objects of the API as a dict. Without items, the layer is removed.
        """
        self._need("layers", "draws no layers")
        params = {"name": name, "items": [_params(item) for item in items], "space": space, "ttl": ttl}
        return self._field(int, "items", "setLayer", params)

    def remove_layer(self, name: str) -> None:
        """Remove a layer before its time. A layer that does not exist is no error."""
        self._need("layers", "draws no layers")
        self.call("setLayer", {"name": name, "items": []})

    def set_indicator(self, name: str, state: str, text: str = "") -> bool:
        """Tell the people near the robot what this program does: `"off"`, `"trying"`, `"on"`, `"secure"` or `"fault"`.

        The usual names are `"record"`, `"live"` and `"link"`. A program that records or sends must show it before the first byte.
        `"off"` removes the indicator. Returns whether the daemon has a screen that shows it. Without one, the people near the robot
        cannot know what the program does.
        """
        self._need("indicators", "shows no indicators")
        answer = self.call("setIndicator", {"name": name, "state": state, **given(text=text or None)})
        return answer.get("shown") is True

    def set_extension(self, name: str, state: str, text: str = "", *, version: str = "", ttl: float = 10.0) -> None:
        """Report the state of this program as an extension of the daemon: `"starting"`, `"ready"`, `"trying"` or `"fault"`.

        Report again within `ttl` seconds, at most 60. Otherwise it counts as silent, and a daemon that has started it ends it.
        """
        self._need("extensions", "shows no extensions")
        params = {"name": name, "state": state, "ttl": ttl, **given(text=text or None, version=version or None)}
        self.call("setExtension", params)

    def set_distances(
        self, distances: Mapping[int, Union[float, tuple[float, float]]], *, nearest: Optional[float] = None, ttl: float = 0.5
    ) -> int:
        """Report how far subjects are, as your depth camera has measured it. Returns how many of them are in view.

        `distances`: metres along the axis of the lens, or metres and their standard deviation, by the id of the subject in topic
        `tracking`; at most 32. `nearest`: how far the nearest thing in front of the camera is, metres. Both count for `ttl` seconds, at
        most 2: report again in time.
        """
        self._need("distances", "takes no distances")
        items = [_distance(id, distance) for id, distance in distances.items()]
        return self._field(int, "used", "setDistances", {"distances": items, "ttl": ttl, **given(nearest=nearest)})

    def say(self, text: str, urgency: str = "normal", *, direction: Optional[Pose] = None) -> bool:
        """Offer a sentence to programs that speak; urgency `"low"`, `"normal"` or `"high"`. Returns whether one listens.

        `direction`: where the thing is that the sentence is about.
        """
        self._need("cues", "passes on no cues")
        return self._field(bool, "heard", "say", {"text": text, "urgency": urgency, **_direction(direction)})

    def cue(self, name: str, *, direction: Optional[Pose] = None) -> bool:
        """Offer a sound, by its name, to programs that play sounds; `direction`: where the thing is that it is about. Returns whether
        one listens."""
        self._need("cues", "passes on no cues")
        return self._field(bool, "heard", "cue", {"name": name, **_direction(direction)})


def _direction(direction: Optional[Pose]) -> dict[str, Any]:
    return given(direction=None if direction is None else {"pan": direction.pan, "tilt": direction.tilt})


def _distance(id: int, distance: Union[float, tuple[float, float]]) -> dict[str, Any]:
    metres, error = distance if isinstance(distance, tuple) else (distance, None)
    return given(id=id, distance=metres, error=error)


def _params(item: Union[Item, Mapping[str, Any]]) -> dict[str, Any]:
    """Returns an item as parameters. A box has no points, and to the API an empty array is something else."""
    if not isinstance(item, Item):
        return dict(item)
    return given(
        kind=item.kind,
        rect=item.rect,
        points=item.points or None,
        text=item.text,
        mark=item.mark,
        colour=None if item.colour == "white" else item.colour,
    )
