"""The data of the topics and of `status`. Units as in `values`."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Optional
from collections.abc import Iterable, Sequence

from .values import Counters, Detector, Limits, Point, Pose, Rect, Subject, Velocity, WhyAxes


class Outcome(str, enum.Enum):
    """How a motion ended."""

    COMPLETED = "completed"
    #: Cancelled by its number: `Motion.cancel` or `cancel_motion`.
    CANCELLED = "cancelled"
    #: A newer motion replaced it.
    SUPERSEDED = "superseded"
    #: A person took over the dock.
    TAKEN_OVER = "takenOver"
    STOPPED = "stopped"
    EMERGENCY_STOPPED = "emergencyStopped"
    FAULTED = "faulted"
    UNPLUGGED = "unplugged"
    #: A limit was in the way.
    LIMITED = "limited"
    MODE_CHANGED = "modeChanged"
    LEASE_LOST = "leaseLost"
    #: It has ended, but the outcome is unknown: the daemon only reports the last motions that ended, and this was an earlier one;
    #: or the daemon is newer than this client and uses another word.
    UNKNOWN = "unknown"

    @classmethod
    def _missing_(cls, value: object) -> "Outcome":
        return cls.UNKNOWN


@dataclass(frozen=True)
class Identity:
    """The identity of the dock."""

    name: Optional[str]
    model: Optional[str]
    firmware: Optional[str]
    uid: Optional[str]


@dataclass(frozen=True)
class StateChange:
    """Topic `accessory`: whether a dock is connected (`state` is docked or undocked), and its settings."""

    state: str
    #: ready, greeting, detached or faulted; `reason` is why it is not ready.
    dock: str
    reason: Optional[str]
    identity: Optional[Identity]
    tracking_button_enabled: Optional[bool]
    #: system, custom or manual.
    mode: str
    framing: str
    region: Optional[Rect]
    selected: tuple[int, ...]
    limits: Optional[Limits]
    torque: Optional[bool]
    #: The person or program that has the dock: keys, words or lease.
    control: Optional[str]
    #: Whose stop holds the dock until it is released: person or program. None: there is none, or the daemon is older.
    stopped_by: Optional[str] = None

    @property
    def docked(self) -> bool:
        """Whether a dock is connected; `dock` shows whether it may move."""
        return self.state == "docked"


@dataclass(frozen=True)
class RunningMotion:
    """The running motion: `fraction` 0...1 of its planned `duration` in seconds."""

    id: int
    name: str
    fraction: float
    duration: float


@dataclass(frozen=True)
class EndedMotion:
    """A motion that has ended."""

    id: int
    name: str
    outcome: Outcome


@dataclass(frozen=True)
class Reasons:
    """Why each axis moves or stands, as text."""

    pan: str
    tilt: str


@dataclass(frozen=True)
class MotionState:
    """Topic `motion`: the pose and what moves the dock; `t` is CLOCK_MONOTONIC, seconds."""

    t: float
    position: Optional[Pose]
    velocity: Optional[Velocity]
    #: The last velocity that was sent to the dock.
    commanded: Optional[Velocity]
    #: measured, or commanded: the position that follows from the commands.
    source: Optional[str]
    owner: Optional[str]
    reason: Optional[Reasons]
    motion: Optional[RunningMotion]
    ended: Optional[EndedMotion]
    #: The last motions that ended, the newest last.
    endings: tuple[EndedMotion, ...] = ()


@dataclass(frozen=True)
class Lens:
    """How the camera of a frame sees the room: a pinhole, and what bends it. It includes the magnification of that frame."""

    #: Focal lengths, frame widths and heights.
    focal: Point
    #: Where the lens looks straight ahead.
    principal: Point
    #: head: the camera turns with the dock, and looks where `Picture.pose` says; fixed: it does not turn.
    mount: str
    #: Where a fixed camera looks, radians of the dock; None: it is on the head.
    direction: Optional[Pose] = None
    #: How the lens bends straight lines: k1, k2, p1, p2, k3 as in OpenCV; None: it was not calibrated, or moved since.
    distortion: Optional[tuple[float, ...]] = None
    #: How the camera is turned against the head, radians: right, then up, then clockwise; None: it was not calibrated.
    mount_angles: Optional[tuple[float, ...]] = None


@dataclass(frozen=True)
class RigCamera:
    """A camera of the rig, as its profile describes it."""

    #: Horizontal field of view, radians.
    hfov: float
    #: head, or fixed.
    mount: str
    #: Where a fixed camera looks, radians of the dock; None: it is on the head.
    direction: Optional[Pose] = None
    #: The lens without magnification; None: it was not calibrated.
    lens: Optional[Lens] = None
    #: Width divided by height of the frames that `lens` is for.
    aspect: Optional[float] = None
    #: How the camera's pictures are turned clockwise to be upright, degrees, after undoing their mirroring; frames and rectangles of the
    #: daemon are upright. None: the daemon is older.
    rotate: Optional[int] = None
    mirrored: Optional[bool] = None


@dataclass(frozen=True)
class Stand:
    """Where the rig is in the room, and the geometry of its head: metres, x to the right, y up, z backward."""

    place: tuple[float, ...]
    #: The direction of pan 0 from the room's -z, radians; + = to the right.
    heading: float
    #: The tilt axis from the pan axis: up, ahead.
    axis: tuple[float, ...]
    #: The lens from the tilt axis: right, up, ahead.
    lens: tuple[float, ...]


@dataclass(frozen=True)
class Rig:
    """The rig that the daemon drives: its model, its port, its cameras; `stand` is None if the profile does not say where it is."""

    name: str
    port: str
    cameras: tuple[RigCamera, ...]
    #: The name or path of its profile; None: that of our own dock.
    profile: Optional[str] = None
    stand: Optional[Stand] = None


@dataclass(frozen=True)
class TrackingState:
    """Topic `tracking`: the subjects, and the followed one. `phase` is idle, following, coasting, searching, homing,
    expecting or detectorStale."""

    t: Optional[float]
    phase: str
    followed: Optional[int]
    set_point: Optional[Point]
    subjects: tuple[Subject, ...]
    #: The detector's number of the frame; None: it has none, or the daemon is older.
    sequence: Optional[int] = None
    #: None before the first frame, and if the daemon is older.
    lens: Optional[Lens] = None


@dataclass(frozen=True)
class Battery:
    """One supply of the dock: `level` 0...1, `voltage` in volts."""

    name: Optional[str]
    level: Optional[float]
    #: charging, notCharging or notChargeable.
    charge: Optional[str]
    low: Optional[bool]
    critical: Optional[bool]
    voltage: Optional[float]


@dataclass(frozen=True)
class BatteryState:
    """Topic `battery`: the supplies; empty if none is known."""

    batteries: tuple[Battery, ...]


@dataclass(frozen=True)
class AccessoryEvent:
    """Topic `events`: an event at the dock. The fields that are set depend on `event`."""

    #: button, cameraShutter, cameraFlip, cameraZoom, trackingButton, camera, recording or near.
    event: str
    #: button: its number, and whether it was pressed.
    id: Optional[int] = None
    pressed: Optional[bool] = None
    #: cameraZoom: > 0 zooms in.
    factor: Optional[float] = None
    #: trackingButton: its state.
    enabled: Optional[bool] = None
    #: camera: its state.
    magnification: Optional[float] = None
    recording: Optional[bool] = None
    device: Optional[int] = None
    #: recording: a person, or a program by `setShutter`, wants a recording to begin, or to end.
    wanted: Optional[bool] = None
    #: near: whether a face or a hand is near the head. Only with the setting `near`.
    near: Optional[bool] = None


@dataclass(frozen=True)
class FaceState:
    """Topic `face`: the face's expression; `gestures`: whether the head moves a little with it."""

    expression: str
    random: bool
    gestures: bool


@dataclass(frozen=True)
class LogEntry:
    """Topic `log`: level info, warning or error."""

    level: str
    text: str


@dataclass(frozen=True)
class DetectedFace:
    """A face as a detector reported it, in the conventions of this API; also one with a low score."""

    rect: Rect
    #: Confidence of the detector, 0...1.
    score: float
    #: person or object.
    kind: str
    landmarks: tuple[Point, ...]
    #: As in `Observation`; None: the detector does not report it.
    yaw: Optional[float] = None
    speaking: Optional[float] = None
    looking: Optional[float] = None
    #: As in `Subject`.
    distance: Optional[float] = None
    distance_error: Optional[float] = None
    distance_source: Optional[str] = None


@dataclass(frozen=True)
class DetectedHand:
    """A hand as a detector reported it."""

    #: x, y, z of its 21 joints in MediaPipe's order: x and y in frame coordinates, z behind the wrist in the unit of x.
    points: tuple[tuple[float, float, float], ...]
    #: Confidence of the detector, 0...1.
    score: float
    #: left or right, the person's own.
    side: str


@dataclass(frozen=True)
class Detections:
    """Topic `detections`: one answer of one detector. The times are seconds of `time.monotonic()`.

    `sequence` is the detector's number of the frame; with a camera of the daemon's, it is the number of the picture (`Picture.sequence`).
    """

    sequence: Optional[int]
    #: When the frame was exposed; None: unknown.
    t: Optional[float]
    #: When the daemon read the answer.
    arrival: float
    #: The name of the detector, as in `Detector.sources`.
    source: str
    #: Whether this detector steers; otherwise it is on standby.
    active: bool
    #: Why tracking does not use the answer: repeated, outOfOrder, tooOld or future. None: it may use it.
    dropped: Optional[str]
    #: Width and height of the frame, pixels.
    size: Optional[tuple[float, float]]
    faces: tuple[DetectedFace, ...]
    #: Rectangles that the detector is too unsure of to steer by. A program that hides faces should hide them, too.
    maybe: tuple[DetectedFace, ...] = ()
    #: The number of rectangles in the detector's line that the daemon could not read.
    unread: int = 0
    #: How much the frame is magnified, and which of the rig's cameras took it, from 0.
    zoom: float = 1.0
    camera: int = 0
    #: JSON as the detector wrote it.
    objects: tuple[Any, ...] = ()
    people: tuple[Any, ...] = ()
    #: At most four.
    hands: tuple[DetectedHand, ...] = ()


def _place(point: Sequence[float]) -> tuple[float, ...]:
    # Numbers of numpy and whole numbers become floats, so that the daemon returns an equal item.
    return tuple(map(float, point))


@dataclass(frozen=True)
class Item:
    """One thing that a program draws over the picture, for `set_layer`.

    Use `Item.box`, `Item.line`, `Item.point`, `Item.label` or `Item.path`. A point is x, y in frame coordinates or, in a layer of the
    world, x, y, z in metres: to the dock's right, up and backward, as seen from the dock at home. `mark` is the character with which a
    terminal draws points and lines. `colour` is white, grey, red, orange, yellow, green, cyan, blue or magenta.
    """

    #: box, line, point, label or path.
    kind: str
    #: A box has only this, all others have only `points`.
    rect: Optional[Rect] = None
    points: tuple[tuple[float, ...], ...] = ()
    #: A text beside it, at most 80 bytes.
    text: Optional[str] = None
    mark: Optional[str] = None
    colour: str = "white"

    @classmethod
    def box(cls, rect: Rect, *, text: Optional[str] = None, colour: str = "white") -> "Item":
        """Return a rectangle. It exists only in the picture; in the world, draw a path."""
        x, y, width, height = map(float, rect)
        return cls("box", rect=(x, y, width, height), text=text, colour=colour)

    @classmethod
    def line(
        cls,
        a: Sequence[float],
        b: Sequence[float],
        *,
        text: Optional[str] = None,
        mark: Optional[str] = None,
        colour: str = "white",
    ) -> "Item":
        """Return a line from one point to another."""
        return cls("line", points=(_place(a), _place(b)), text=text, mark=mark, colour=colour)

    @classmethod
    def point(
        cls, p: Sequence[float], *, text: Optional[str] = None, mark: Optional[str] = None, colour: str = "white"
    ) -> "Item":
        """Return a point."""
        return cls("point", points=(_place(p),), text=text, mark=mark, colour=colour)

    @classmethod
    def label(cls, text: str, at: Sequence[float], *, colour: str = "white") -> "Item":
        """Return a text at a point."""
        return cls("label", points=(_place(at),), text=text, colour=colour)

    @classmethod
    def path(
        cls,
        points: Iterable[Sequence[float]],
        *,
        text: Optional[str] = None,
        mark: Optional[str] = None,
        colour: str = "white",
    ) -> "Item":
        """Return a line through 2 to 32 points."""
        return cls("path", points=tuple(map(_place, points)), text=text, mark=mark, colour=colour)


@dataclass(frozen=True)
class Layer:
    """What one program draws over the picture, under one name. Later items are drawn over earlier ones."""

    name: str
    #: The number of its connection; 0: the program in which the daemon runs; -1: standard input.
    client: int
    #: picture or world.
    space: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Layers:
    """Topic `layers`: what all programs draw over the picture."""

    layers: tuple[Layer, ...]


@dataclass(frozen=True)
class LayerSummary:
    """A layer in `Status`: `items` is their number."""

    name: str
    client: int
    space: str
    items: int


@dataclass(frozen=True)
class Indicator:
    """What one program tells the people near the robot about one of its activities, such as a recording."""

    name: str
    #: The number of its connection; 0: the program in which the daemon runs; -1: standard input.
    client: int
    #: trying, on, secure or fault.
    state: str
    text: str
    #: Whether the screen shows it: of one name, only the gravest is shown.
    shown: bool


@dataclass(frozen=True)
class Indicators:
    """Topic `indicators`: those of all programs."""

    indicators: tuple[Indicator, ...]


@dataclass(frozen=True)
class Extension:
    """A program beside the daemon that reports its state."""

    name: str
    version: str
    #: starting, ready, trying or fault; silent, restarting, failed or over if the daemon says so.
    state: str
    text: str
    #: Whether the daemon has started it, and how often it has started it again.
    child: bool
    restarts: int


@dataclass(frozen=True)
class Cue:
    """Topic `cues`: a sentence or a sound, for a program that plays it. The fields that are set depend on `event`."""

    #: say or cue.
    event: str
    #: say: the sentence, and its urgency: low, normal or high.
    text: Optional[str] = None
    urgency: Optional[str] = None
    #: cue: the name of the sound.
    name: Optional[str] = None
    #: Where the thing is that it is about, if it is about one.
    direction: Optional[Pose] = None


@dataclass(frozen=True)
class CameraState:
    """The camera on the dock."""

    magnification: float
    recording: bool
    device: int


@dataclass(frozen=True)
class Status:
    """The whole state at one moment; `uptime` in seconds; `lease`: a client holds the lease; `guarded`: a guard stops the dock if the
    daemon cannot; `findings`: what is wrong with the rig as it is set up, and what to do."""

    version: str
    uptime: float
    accessory: StateChange
    motion: MotionState
    tracking: TrackingState
    battery: BatteryState
    face: FaceState
    camera: Optional[CameraState]
    detector: Optional[Detector]
    lease: bool
    counters: Optional[Counters]
    why: Optional[WhyAxes] = None
    guarded: Optional[bool] = None
    findings: tuple[str, ...] = ()
    #: Empty if the daemon is older.
    layers: tuple[LayerSummary, ...] = ()
    indicators: tuple[Indicator, ...] = ()
    extensions: tuple[Extension, ...] = ()
    #: None if the daemon is older.
    rig: Optional[Rig] = None
