public import DockControl
public import Geometry
public import RobotFace

/// Everything that `status` reports, taken at one moment. The topics report parts of it.
public struct SessionStatus: Sendable, Equatable {
    /// The dock's loop: connection, pose, motion, batteries, counters.
    public var loop = LoopSnapshot()
    /// The last motions that ended, newest last; at most eight.
    public var endings: [EndedMotion] = []
    /// The last motion that ended.
    public var ended: EndedMotion? { endings.last }
    /// The last tracked frame.
    public var frame: TrackedFrame?
    /// Ids that were selected; empty: automatic.
    public var selected: [Int] = []
    /// Where detections come from: `none`, `stdin`, `scene`, ...
    public var source = "none"
    /// State of camera and detectors; nil: the session does not run them.
    public var vision: VisionHealth?
    /// Frames per second, measured from their arrival; nil: none arrive.
    public var frameRate: Double?
    /// What the face shows.
    public var face = Face()
    /// The camera on the dock; nil: no program serves one.
    public var camera: CameraState?
    /// DockKit's `trackingButtonEnabled`: whether the dock's tracking button is on.
    public var trackingButtonEnabled = true
    /// Who may write now.
    public var authority = Authority()
    /// Time since the start, seconds.
    public var uptime: Seconds = 0
    /// The name of the rig model.
    public var rig = ""
    /// The dock's port, as the user named it.
    public var port = ""

    /// The status before anything is known.
    public init() {}

    /// What the face shows.
    public struct Face: Sendable, Equatable {
        /// The expression shown.
        public var expression = Expression.normal
        /// Whether random expressions are on.
        public var isRandom = false
        /// Whether the head moves a little with expressions.
        public var gestures = false

        /// The calm face.
        public init() {}
    }

    /// Who may write, and who may not.
    public struct Authority: Sendable, Equatable {
        /// Which person or program controls the dock now; nil: none.
        public var control: Control?
        /// Whose stop holds the dock until it is given back; nil: none.
        public var stopHold: StopHold?
        /// Whether a program holds the lease.
        public var isLeased = false

        /// No person and no program controls the dock.
        public init() {}
    }

    /// Who controls the dock.
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
