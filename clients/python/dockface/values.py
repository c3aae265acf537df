"""Plain values sent to or received from the daemon.

Radians, rad/s, seconds; pan + = the dock turns to its right, tilt + = up. Points and rectangles are normalised frame coordinates:
0...1, origin top-left, of the upright, unmirrored frame. None means "not computed" or "not known".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

#: x, y, width, height, in frame coordinates.
Rect = tuple[float, float, float, float]
#: x, y, in frame coordinates.
Point = tuple[float, float]


@dataclass(frozen=True)
class Pose:
    """The direction of the dock, radians."""

    pan: float
    tilt: float


@dataclass(frozen=True)
class Velocity:
    """The angular velocity of the dock, rad/s."""

    pan: float
    tilt: float


@dataclass(frozen=True)
class AxisLimits:
    """Limits of one axis: range (radians) and speed (rad/s; None: the rig's own limit)."""

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
    """One subject in one frame from your own detector; for `track`."""

    #: Your own number of the subject, the same from frame to frame.
    id: int
    rect: Rect
    #: `"person"` or `"object"`.
    kind: Optional[str] = None
    #: Direction of the face, radians, + = to the frame's right.
    yaw: Optional[float] = None
    #: Confidence of the detector, 0...1.
    score: Optional[float] = None
    #: Probability that the person speaks, 0...1.
    speaking: Optional[float] = None
    #: Probability that the person looks at the camera, 0...1.
    looking: Optional[float] = None
    #: Distance of the face from the camera, metres.
    distance: Optional[float] = None


@dataclass(frozen=True)
class Subject:
    """A tracked subject. Ids are never reused."""

    id: int
    #: person or object.
    kind: str
    rect: Rect
    saliency: Optional[float]
    #: Time since it was first seen, seconds.
    age: Optional[float]
    #: Not detected in this frame; `rect` is predicted.
    coasting: bool
    speaking: Optional[float]
    looking: Optional[float]
    selected: bool
    #: Distance of the face along the axis of the lens, metres.
    distance: Optional[float] = None
    #: Its standard deviation, metres; None: unknown, or the daemon is older.
    distance_error: Optional[float] = None
    #: depth: measured in a depth picture; detector: the detector says so; size: from the size of the face and the lens.
    distance_source: Optional[str] = None


@dataclass(frozen=True)
class Camera:
    """The camera of the observations. For fields that are None the daemon's profile applies."""

    #: Horizontal field of view, radians.
    hfov: Optional[float] = None
    #: Size of the frame, pixels.
    width: Optional[int] = None
    height: Optional[int] = None
    #: Focal lengths and principal point, pixels of that frame; they take precedence over `hfov`.
    fx: Optional[float] = None
    fy: Optional[float] = None
    cx: Optional[float] = None
    cy: Optional[float] = None
    #: Degrees (0, 90, 180, 270) by which the frame must be turned clockwise to be upright.
    rotate: Optional[int] = None
    mirrored: Optional[bool] = None


@dataclass(frozen=True)
class TrackResult:
    """The result of `track`: number of tracked subjects, and frames per second (None: not known yet)."""

    subjects: int
    rate: Optional[float] = None


@dataclass(frozen=True)
class Recording:
    """A taught motion: its name and duration, seconds."""

    name: str
    duration: float


@dataclass(frozen=True)
class MotionInfo:
    """A motion that `animate` can run, with its duration, seconds."""

    duration: float


@dataclass(frozen=True)
class Expression:
    """The face's expression, and whether it changes by itself."""

    expression: str
    random: bool


@dataclass(frozen=True)
class Greeting:
    """The daemon's first line. `features`: what it can do that older daemons cannot, such as `"pictures"` or `"layers"`."""

    name: str
    version: str
    protocol: int
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class DetectorCamera:
    """The camera in use. `state` is `"running"` in normal operation; otherwise `problem` describes the fault.

    `estimated`: the camera does not report the time of exposure; None: not known yet, like size and rate. `readers`: how many other
    programs see its pictures.
    """

    name: str
    state: str
    restarts: int
    problem: Optional[str] = None
    width: Optional[int] = None
    height: Optional[int] = None
    rate: Optional[float] = None
    estimated: Optional[bool] = None
    readers: int = 0


@dataclass(frozen=True)
class DetectorSource:
    """A detector. The active one steers; the others are on standby (`select_source`).

    `detector`: its own name; `latency`: time from a frame to its faces, seconds; None: not known.
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
    """The source of detections: total frames, dropped frames, frames per second (None: none arrive).

    `camera` and `sources` are set if the daemon itself has them (`--camera`, `exec:`, `unix:`).
    """

    source: str
    frames: int
    dropped: int
    rate: Optional[float] = None
    camera: Optional[DetectorCamera] = None
    sources: tuple[DetectorSource, ...] = ()


@dataclass(frozen=True)
class Spread:
    """The durations of a stage, seconds: their number, median and 99th percentile (None: there are none)."""

    count: int
    p50: Optional[float] = None
    p99: Optional[float] = None


@dataclass(frozen=True)
class LatencyStage:
    """A stage between a frame and its effect: from which event to which, since the start and recently.

    `why`: why there are no durations yet; None: there are some.
    """

    stage: str
    from_: str
    to: str
    all: Spread
    recent: Spread
    why: Optional[str] = None


@dataclass(frozen=True)
class PictureLag:
    """What tracking has learned about the times of the frames, seconds; negative: earlier than they say."""

    seconds: float
    deviation: float
    corrected: float


@dataclass(frozen=True)
class Latency:
    """How long each stage takes; `window`: the number of durations in `recent`."""

    window: int
    stages: tuple[LatencyStage, ...]
    picture_lag: Optional[PictureLag] = None


@dataclass(frozen=True)
class Why:
    """Why one axis moves or stands: a word for programs and a text for people."""

    state: str
    text: str


@dataclass(frozen=True)
class WhyAxes:
    """Why each axis of the dock moves or stands."""

    pan: Why
    tilt: Why


#: The daemon's counters by name. They may differ between versions.
Counters = dict[str, object]
