public import DockControl
public import Geometry
public import RobotFace

/// Everything that `status` tells, and of which the topics tell a part each: a value, taken at one moment.
public struct SessionStatus: Sendable, Equatable {
    /// The dock's loop: connection, pose, motion, batteries, counters.
    public var loop = LoopSnapshot()
    /// The last motions that ended, the newest last; at most eight.
    public var endings: [EndedMotion] = []
    /// The last motion that ended.
    public var ended: EndedMotion? { endings.last }
    /// The last frame that was tracked.
    public var frame: TrackedFrame?
    /// Ids that were chosen; empty: automatic.
    public var selected: [Int] = []
    /// Where detections come from: `none`, `stdin`, `scene`, ...
    public var source = "none"
    /// How camera and detectors do; nil: they are somebody else's.
    public var vision: VisionHealth?
    /// Frames a second, as they come; nil: none come.
    public var frameRate: Double?
    /// The expression shown.
    public var expression = Expression.normal
    /// Random expressions are on.
    public var isRandom = false
    /// The head moves a little with expressions.
    public var gestures = false
    /// The camera on the dock; nil: nobody serves one.
    public var camera: CameraState?
    /// DockKit's `trackingButtonEnabled`: the dock's tracking button stands at "on".
    public var trackingButtonEnabled = true
    /// Who has the dock at the moment, of people and programs.
    public var control: Control?
    /// Whose stop holds the dock until it is given back; nil: none does.
    public var stopHold: StopHold?
    /// A program holds the lease.
    public var isLeased = false
    /// Since the start, seconds.
    public var uptime: Seconds = 0
    /// The name of the rig model.
    public var rig = ""
    /// The dock's port, as it was named.
    public var port = ""

    /// Before anything is known.
    public init() {}

    /// Who has the dock.
    public enum Control: String, Sendable {
        case keys, words, lease
    }

    /// Whose stop binds programs.
    public enum StopHold: String, Sendable {
        /// A person's: all programs wait until a person gives the dock back.
        case person
        /// A program's: the others wait until it sets the mode, or a person gives the dock back.
        case program
    }
}

/// What is known of the camera on the dock.
public struct CameraState: Sendable, Equatable {
    /// 1 = none.
    public var magnification = 1.0
    /// A recording runs.
    public var isRecording = false
    /// Which camera, from 0.
    public var device = 0

    /// Not magnified, not recording, the first camera.
    public init() {}
}
