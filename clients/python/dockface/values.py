"""Plain values that go to the daemon or come from it.

Radians, rad/s, seconds; pan + = the dock turns to its right, tilt + = up. Points and rectangles are normalised picture
coordinates: 0...1, origin top-left, of the upright, unmirrored picture. None means "not computed" or "not known".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

#: x, y, width, height, in pictures.
Rect = tuple[float, float, float, float]
#: x, y, in pictures.
Point = tuple[float, float]


@dataclass(frozen=True)
class Pose:
    """Where the dock points, radians."""

    pan: float
    tilt: float


@dataclass(frozen=True)
class Velocity:
    """How fast the dock turns, rad/s."""

    pan: float
    tilt: float


@dataclass(frozen=True)
class AxisLimits:
    """How far (radians) and how fast (rad/s; None: as fast as the rig's own limit) one axis may turn."""

    min: float
    max: float
    speed: Optional[float] = None


@dataclass(frozen=True)
class Limits:
    """The limits of both axes."""

    pan: AxisLimits
    tilt: AxisLimits


@dataclass(frozen=True)
class Observation:
    """One subject in one picture, as your own detector sees it; for `track`."""

    #: Your own number of the subject, the same from picture to picture.
    id: int
    rect: Rect
    #: `"person"` or `"object"`.
    kind: Optional[str] = None
    #: Where the face turns, radians, + = to the picture's right.
    yaw: Optional[float] = None
    #: How sure the detector is, 0...1.
    score: Optional[float] = None
    #: How sure it is that the person speaks, 0...1.
    speaking: Optional[float] = None
    #: How sure it is that the person looks into the camera, 0...1.
    looking: Optional[float] = None


@dataclass(frozen=True)
class Camera:
    """The camera that observations come from; what is None is as the daemon's profile says."""

    #: Horizontal field of view, radians.
    hfov: Optional[float] = None
    #: Size of the picture, pixels.
    width: Optional[int] = None
    height: Optional[int] = None
    #: Focal lengths and principal point, pixels of that picture; they win over `hfov`.
    fx: Optional[float] = None
    fy: Optional[float] = None
    cx: Optional[float] = None
    cy: Optional[float] = None
    #: Degrees (0, 90, 180, 270) by which the picture must be turned clockwise to stand upright.
    rotate: Optional[int] = None
    mirrored: Optional[bool] = None


@dataclass(frozen=True)
class TrackResult:
    """What came of `track`: how many subjects are tracked, and how many frames a second come (None: not known yet)."""

    subjects: int
    rate: Optional[float] = None


@dataclass(frozen=True)
class Recording:
    """A motion that was taught: its name and how long it takes, seconds."""

    name: str
    duration: float


@dataclass(frozen=True)
class MotionInfo:
    """A motion that `animate` can run; how long it takes, seconds."""

    duration: float


@dataclass(frozen=True)
class Expression:
    """What the face shows, and whether it changes by itself."""

    expression: str
    random: bool


@dataclass(frozen=True)
class Greeting:
    """The daemon's first line."""

    name: str
    version: str
    protocol: int


@dataclass(frozen=True)
class DetectorCamera:
    """The camera whose pictures are looked at. `state` is `"running"` when all is well, else `problem` says what is not.

    `estimated`: when pictures were taken is not told by the camera; None: not known yet, as size and rate are.
    """

    name: str
    state: str
    restarts: int
    problem: Optional[str] = None
    width: Optional[int] = None
    height: Optional[int] = None
    rate: Optional[float] = None
    estimated: Optional[bool] = None


@dataclass(frozen=True)
class DetectorSource:
    """One that detects: the active one steers, the others are on standby (`select_source`).

    `detector`: what it calls itself; `latency`: seconds from a picture to its faces, None: not known.
    """

    name: str
    state: str
    active: bool
    restarts: int
    detector: Optional[str] = None
    problem: Optional[str] = None
    latency: Optional[float] = None


@dataclass(frozen=True)
class Detector:
    """Where detections come from: frames in all, frames dropped, frames a second (None: none come).

    `camera` and `sources` are there where the daemon itself has them (`--camera`, `exec:`, `unix:`).
    """

    source: str
    frames: int
    dropped: int
    rate: Optional[float] = None
    camera: Optional[DetectorCamera] = None
    sources: tuple[DetectorSource, ...] = ()


@dataclass(frozen=True)
class Why:
    """Why one axis moves or does not: a word for programs and a text for people."""

    state: str
    text: str


@dataclass(frozen=True)
class WhyAxes:
    """Why the dock moves or does not."""

    pan: Why
    tilt: Why


#: Numbers that the daemon counts, by name; which they are may differ between versions.
Counters = dict[str, object]
