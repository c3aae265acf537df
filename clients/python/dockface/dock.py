"""The dock: one connection to the daemon, with a method for each of its functions."""

from __future__ import annotations

import os
from typing import Any, Literal, Optional, Union, overload

from .address import connect
from .base import given
from .connection import Connection
from .errors import BadAnswer, ConnectionLost, NotSupported
from .events import NEWER, EventStream
from .hub import Hub
from .lease import PATIENCE, Lease, Leases
from .life import Life
from .looks import LookMethods
from .motion import Motion, MotionWatch
from .moves import MoveMethods
from .pictures import Pictures
from .show import ShowMethods
from .topics import (
    AccessoryEvent,
    BatteryState,
    Cue,
    Detections,
    FaceState,
    Indicators,
    Layers,
    LogEntry,
    MotionState,
    StateChange,
    Status,
    TrackingState,
)
from .tracking import TrackingMethods
from .values import Greeting, Latency

#: The data of any topic.
Data = Union[
    StateChange,
    MotionState,
    TrackingState,
    BatteryState,
    AccessoryEvent,
    FaceState,
    LogEntry,
    Detections,
    Layers,
    Indicators,
    Cue,
]


class Dock(TrackingMethods, MoveMethods, LookMethods, ShowMethods):
    """A connection to the dockface daemon; a context manager, and safe to use from several threads.

    `path`: its socket; None: DOCKFACE_SOCKET, or the daemon's default path. `timeout`: longest wait for an answer, seconds. Every
    method raises DockError or a subclass. After an error from the daemon, the call has moved nothing.
    """

    def __init__(self, path: Optional[str] = None, *, timeout: float = 5.0) -> None:
        self.timeout = timeout
        self._closed = False
        self._openings = 0
        link, found, self.greeting, rest = connect(path, timeout)
        #: The socket that was found.
        self.path: str = found
        self._life = Life()
        self._leases = Leases(self.call, lambda method: self._connection.post(method), self._life)
        self._hub = Hub(self.call, self._life)
        self._watch = MotionWatch(
            subscribe=lambda listener: self._hub.listen("motion", listener),
            status=lambda: self.status().motion,
            cancel=self.cancel_motion,
            end=lambda: self._connection.end,
            life=self._life,
        )
        self._connection = Connection(link, found, on_event=self._hub.feed, on_end=self._ended)
        self._connection.start(rest)

    greeting: Greeting

    def __enter__(self) -> "Dock":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection: iterators end, waiting calls raise ConnectionLost, and the lease ends. May be called again."""
        self._closed = True
        self._connection.close()

    def call(self, method: str, params: Optional[dict[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Calls a method of the API by name and returns its result as JSON, for methods that this client does not know yet."""
        self._before(method)
        with self._life.waiting():
            return self._connection.request(method, params, self.timeout if timeout is None else timeout)

    def notify(self, method: str, params: Optional[dict[str, Any]] = None) -> None:
        """Calls a method without an answer. A rejection is not reported."""
        self._before(method)
        self._connection.notify(method, params)

    # Stop

    def stop(self) -> str:
        """Stop now, hold, set mode manual. Never busy; needs no control. Returns the mode."""
        return self._field(str, "mode", "stop")

    def emergency_stop(self) -> None:
        """Stop now, and latch until `clear_fault`. Never busy; needs no control."""
        self.call("emergencyStop")

    def clear_fault(self) -> str:
        """Clear a latched fault. Raises Faulted while its cause lasts. Returns the mode."""
        return self._field(str, "mode", "clearFault")

    # State

    def status(self, why: bool = False) -> Status:
        """Return the present state; with `why` also why each axis moves or does not."""
        return self._ask(Status, "status", given(why=why or None))

    def latency(self) -> Latency:
        """Return how long each stage takes from a frame to its effect."""
        return self._ask(Latency, "latency")

    def metrics(self) -> str:
        """Return the daemon's metrics in Prometheus' text format."""
        return self._field(str, "text", "metrics")

    def trace(self) -> str:
        """Write the last half minute of wire, poses, rectangles and commands to a file. Returns its path."""
        return self._field(str, "path", "trace")

    def command(self, line: str) -> str:
        """Execute a line of command words (in degrees), as `dockface WORD` does, and with their precedence."""
        return self._field(str, "answer", "command", {"line": line})

    @overload
    def events(self, topic: Literal["accessory"], *, timeout: Optional[float] = None) -> EventStream[StateChange]: ...
    @overload
    def events(self, topic: Literal["motion"], *, timeout: Optional[float] = None) -> EventStream[MotionState]: ...
    @overload
    def events(
        self, topic: Literal["tracking"], *, every_frame: bool = False, timeout: Optional[float] = None
    ) -> EventStream[TrackingState]: ...
    @overload
    def events(self, topic: Literal["battery"], *, timeout: Optional[float] = None) -> EventStream[BatteryState]: ...
    @overload
    def events(self, topic: Literal["events"], *, timeout: Optional[float] = None) -> EventStream[AccessoryEvent]: ...
    @overload
    def events(self, topic: Literal["face"], *, timeout: Optional[float] = None) -> EventStream[FaceState]: ...
    @overload
    def events(self, topic: Literal["log"], *, timeout: Optional[float] = None) -> EventStream[LogEntry]: ...
    @overload
    def events(self, topic: Literal["detections"], *, timeout: Optional[float] = None) -> EventStream[Detections]: ...
    @overload
    def events(self, topic: Literal["layers"], *, timeout: Optional[float] = None) -> EventStream[Layers]: ...
    @overload
    def events(self, topic: Literal["indicators"], *, timeout: Optional[float] = None) -> EventStream[Indicators]: ...
    @overload
    def events(self, topic: Literal["cues"], *, timeout: Optional[float] = None) -> EventStream[Cue]: ...
    @overload
    def events(
        self, topic: str, *topics: str, every_frame: bool = False, timeout: Optional[float] = None
    ) -> EventStream[Data]: ...

    def events(
        self, topic: str, *topics: str, every_frame: bool = False, timeout: Optional[float] = None
    ) -> EventStream[Any]:
        """Return a stream of these topics' events. The iteration ends after `timeout` seconds without an event.

        It subscribes, and it unsubscribes when the last stream of a topic is closed.

        `every_frame`: topic `tracking` for every frame, instead of at most ten times a second. All streams of a Dock share one
        subscription. While one of them wants every frame, the daemon sends every frame, and the others still get at most ten a second,
        the last one included. When such a stream opens first or closes last, all streams of `tracking` get another snapshot. Raises
        ValueError without topic `tracking`.
        """
        wanted = (topic, *topics)
        if every_frame and "tracking" not in wanted:
            raise ValueError("every_frame concerns topic tracking: add the topic, or omit every_frame")
        for name in wanted:
            if name in NEWER:
                self._need(name, f"has no topic {name}")
        if every_frame:
            # This has no feature of its own. It came with topic `detections`.
            self._need("detections", "does not report tracking for every frame")
        self._life.beat()
        return self._hub.open(wanted, timeout, every_frame)

    def pictures(
        self, *, maximum_width: Optional[int] = None, format: Optional[str] = "rgb24", timeout: Optional[float] = None
    ) -> Pictures:
        """Open the camera's pictures: a context manager to iterate over, always with the newest picture.

        `maximum_width`: the largest width, in pixels; None: the width that detectors get. `format`: `"rgb24"`, `"yuv420p"`, or None for
        any. The iteration ends after `timeout` seconds without a picture. While they are open, the robot's screen says that a
        program sees its pictures.
        """
        params = given(maximumWidth=maximum_width, format=format)
        return Pictures(
            lambda: self._open_pictures(params), self._close_pictures, self._connection.check, timeout, self._life
        )

    # Control

    def control(self, patience: float = PATIENCE) -> Lease:
        """Hold the right to write during a `with` block. Raises Busy if another client has it.

        The lease is renewed while the program is active. It is lost, and the program's motion stops, if the program did nothing with this
        Dock for `patience` seconds (and 2 more): no call, no event, no wait for an event or a motion. Then methods that need control
        raise LeaseLost. During long computations, call `lease.beat()`.
        """
        return Lease(self._leases, patience)

    def acquire_control(self, timeout: Optional[float] = None) -> float:
        """Take or renew control. Returns how long it lasts without a request, seconds. `control` does this for you."""
        return self._field(float, "lease", "acquireControl", timeout=timeout)

    def release_control(self) -> None:
        """Release control. This stops no motion."""
        self.call("releaseControl")

    # Inside

    def _open_pictures(self, params: dict[str, Any]) -> tuple[int, int, int]:
        self._before("openPictures")
        self._need("pictures", "shares no pictures")
        with self._life.waiting():
            # A camera that is starting may take a while.
            answer = self._connection.ask("openPictures", params, max(self.timeout, 12.0))
        if len(answer.descriptors) != 2:
            for descriptor in answer.descriptors:
                os.close(descriptor)
            raise BadAnswer("no descriptors came with the answer to openPictures")
        self._openings += 1
        return self._openings, answer.descriptors[0], answer.descriptors[1]

    def _close_pictures(self, number: int) -> None:
        # A later opening has already closed an earlier one.
        if self._connection.end is None and number == self._openings:
            self.notify("closePictures")

    def _before(self, method: str) -> None:
        if self._connection.end is None:  # otherwise the request reports the end
            self._leases.before(method)
        self._life.beat()

    def _need(self, feature: str, what: str) -> None:
        if feature not in self.greeting.features:
            raise NotSupported(f"dockface {self.greeting.version} {what}", hint="update it, and restart the daemon")

    def _move(self, method: str, params: dict[str, Any], name: str, *, follow: bool = True) -> Motion:
        if follow:
            # Subscribe before the motion, so that its end cannot be missed. Velocities are frequent and rarely waited for.
            self._watch.follow()
        return self._watch.add(self.call(method, params), name)

    def _ended(self, reason: ConnectionLost) -> None:
        self._hub.finish(reason, closed=self._closed)
        self._watch.finish()
