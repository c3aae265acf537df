"""Client for the dockface daemon: turn a pan/tilt dock toward people, move it, and control its face.

    with dockface.Dock() as dock, dock.control():
        dock.set_tracking_mode("manual")
        dock.set_orientation(pan=0.35, tilt=0.1, duration=2).wait()

Radians, rad/s, seconds; pan + = the dock turns to its right, tilt + = up; points and rectangles in frame coordinates (0...1).
"""

from .address import PROTOCOL, socket_paths
from .dock import Data, Dock
from .errors import (
    BadAnswer,
    Busy,
    ConnectionLost,
    DockError,
    Faulted,
    FrameRateTooHigh,
    FrameRateTooLow,
    IncompatibleDaemon,
    InvalidParameter,
    InvalidRequest,
    LeaseLost,
    LimitReached,
    MethodNotFound,
    NoDaemon,
    NoSubjectFound,
    NotConnected,
    NotSupported,
    NotSupportedByDevice,
    ParseError,
    PictureLost,
    ProtocolError,
    Timeout,
)
from .events import Event, EventStream
from .lease import Lease
from .motion import Motion
from .moves import KEEP
from .pictures import Picture, Pictures
from .topics import (
    AccessoryEvent,
    Battery,
    BatteryState,
    CameraState,
    Cue,
    DetectedFace,
    DetectedHand,
    Detections,
    EndedMotion,
    Extension,
    FaceState,
    Identity,
    Indicator,
    Indicators,
    Item,
    Layer,
    LayerSummary,
    Layers,
    Lens,
    LogEntry,
    MotionState,
    Outcome,
    Reasons,
    Rig,
    RigCamera,
    RunningMotion,
    Stand,
    StateChange,
    Status,
    Subject,
    TrackingState,
)
from .values import (
    AxisLimits,
    Camera,
    Detector,
    DetectorCamera,
    DetectorSource,
    Expression,
    Greeting,
    Latency,
    LatencyStage,
    Limits,
    MotionInfo,
    Observation,
    PictureLag,
    Point,
    Pose,
    Recording,
    Rect,
    Spread,
    TrackResult,
    Velocity,
    Why,
    WhyAxes,
)

__version__ = "0.2.0"

__all__ = [
    "AccessoryEvent", "AxisLimits", "BadAnswer", "Battery", "BatteryState", "Busy", "Camera", "CameraState",
    "ConnectionLost", "Cue", "Data", "DetectedFace", "DetectedHand", "Detections", "Detector", "DetectorCamera", "DetectorSource",
    "Dock", "DockError", "EndedMotion",
    "Event", "EventStream", "Expression", "Extension", "FaceState", "Faulted", "FrameRateTooHigh", "FrameRateTooLow", "Greeting",
    "Identity", "IncompatibleDaemon", "Indicator", "Indicators",
    "InvalidParameter", "InvalidRequest", "Item", "KEEP", "Latency", "LatencyStage", "Layer", "LayerSummary", "Layers",
    "Lease", "LeaseLost", "Lens", "LimitReached",
    "Limits", "LogEntry",
    "MethodNotFound", "Motion", "MotionInfo", "MotionState", "NoDaemon", "NoSubjectFound", "NotConnected",
    "NotSupported", "NotSupportedByDevice", "Observation", "Outcome", "PROTOCOL", "ParseError", "Picture",
    "PictureLag", "PictureLost", "Pictures",
    "Point", "Pose",
    "ProtocolError", "Reasons", "Recording", "Rect", "Rig", "RigCamera", "RunningMotion", "Spread", "Stand", "StateChange", "Status", "Subject",
    "Timeout",
    "TrackResult", "TrackingState", "Velocity", "Why", "WhyAxes", "socket_paths",
]  # fmt: skip
