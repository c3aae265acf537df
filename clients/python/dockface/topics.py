"""The data of the topics and of `status`. Units as in `values`."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Optional

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
class TrackingState:
    """Topic `tracking`: the subjects, and the followed one. `phase` is idle, following, coasting, searching, homing or
    detectorStale."""

    t: Optional[float]
    phase: str
    followed: Optional[int]
    set_point: Optional[Point]
    subjects: tuple[Subject, ...]


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

    #: button, cameraShutter, cameraFlip, cameraZoom, trackingButton or camera.
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
