public import ControlProtocol
public import DockControl
public import Geometry
public import RobotFace

/// Everything that `status` reports, taken at one moment. The topics report parts of it.
public struct SessionStatus: Sendable, Equatable {
    /// The dock's loop: connection, pose, motion, batteries, counters.
    public var loop = LoopSnapshot()
    /// The last motions that ended, newest last. There are at most eight.
    public var endings: [EndedMotion] = []
    /// The last motion that ended.
    public var ended: EndedMotion? { endings.last }
    /// The last tracked frame.
    public var frame: TrackedFrame?
    /// The IDs that were selected; empty if the selection is automatic.
    public var selected: [Int] = []
    /// The source of the detections: `none`, `stdin`, `scene`, ...
    public var source = "none"
    /// The state of camera and detectors, or nil if the session does not run them.
    public var vision: VisionHealth?
    /// The number of frames per second, measured from their arrival, or nil if none arrive.
    public var frameRate: Double?
    /// The state of the face.
    public var face = Face()
    /// The camera on the dock, or nil if no program serves one.
    public var camera: CameraState?
    /// DockKit's `trackingButtonEnabled`: what the last press of the dock's tracking button selected, true before the
    /// first.
    public var trackingButtonEnabled = true
    /// The right to write at present.
    public var authority = Authority()
    /// What other programs show.
    public var shown = Shown()
    /// The time since the start, in seconds.
    public var uptime: Seconds = 0
    /// The rig: its model, its port, its cameras.
    public var rig = RigReading()

    /// Creates the status before anything is known.
    public init() {}

    /// The state of the face.
    public struct Face: Sendable, Equatable {
        /// The expression that is shown.
        public var expression = Expression.normal
        /// Whether random expressions are on.
        public var isRandom = false
        /// Whether the head moves a little with expressions.
        public var gestures = false

        /// Creates the calm face.
        public init() {}
    }

    /// What other programs show on the screen.
    public struct Shown: Sendable, Equatable {
        /// What they draw over the picture.
        public var layers: [Layer] = []
        /// What they say about their activities.
        public var indicators: [IndicatorReading] = []
        /// The programs beside the daemon that report their state.
        public var extensions: [ExtensionReading] = []

        /// Creates a state in which no program shows anything.
        public init() {}
    }

    /// The right to write: which person or program has it, and which do not.
    public struct Authority: Sendable, Equatable {
        /// The person or program that controls the dock now, or nil if there is none.
        public var control: Control?
        /// The origin of the stop that holds the dock until it is given back, or nil if there is none.
        public var stopHold: StopHold?
        /// Whether a program holds the lease.
        public var isLeased = false

        /// Creates a state in which no person and no program controls the dock.
        public init() {}
    }

    /// The kind of person or program that controls the dock.
    public enum Control: String, Sendable {
        case keys, words, lease
    }

    /// The origin of a stop that binds programs.
    public enum StopHold: String, Sendable {
        /// A person's stop. All programs wait until a person gives the dock back.
        case person
        /// A program's stop. The others wait until it sets the mode or a person gives the dock back.
        case program
    }
}
