public import DockControl
public import DockTypes
public import Geometry
public import RobotFace

/// The configuration of a session; the program fills it from its command line.
public struct SessionConfiguration: Sendable {
    /// The source of the detections.
    public enum Detections: Sendable, Equatable {
        /// None: only commands move the dock.
        case none
        /// Standard input, shared with command words.
        case standardInput
        /// An open descriptor to which another party writes detections.
        case descriptor(Int32)
        /// An open descriptor to which this program writes a scene, with the scene's command words.
        case scene(Int32)

        /// The descriptor to read them from; nil: none.
        public var descriptor: Int32? {
            switch self {
            case .none: nil
            case .standardInput: 0
            case .descriptor(let own), .scene(let own): own
            }
        }

        /// Whether command words in the stream are executed. Those of a detector, which can be any program, are not.
        var carriesCommands: Bool {
            switch self {
            case .standardInput, .scene: true
            case .none, .descriptor: false
            }
        }

        /// Whether this program wrote the stream.
        var isScene: Bool { if case .scene = self { true } else { false } }

        /// The word for `status`.
        var name: String {
            switch self {
            case .none: "none"
            case .standardInput: "stdin"
            case .descriptor, .scene: "stream"
            }
        }
    }

    /// The socket at which programs reach the session.
    public enum Control: Sendable, Equatable {
        /// None.
        case none
        /// The user's default socket, unless another dockface has it.
        case usual
        /// This socket; if it is not available, the session does not start.
        case socket(String)
    }

    /// The rig and its port.
    public var dock: Dock
    /// The source of the detections.
    public var detections = Detections.none
    /// The camera and the detectors that the session runs itself, whose pipe `detections` is; nil: another party supplies
    /// detections.
    public var vision: Vision?
    /// The name of the detections' source in `status`; nil: the name of its kind.
    public var source: String?
    /// Continue when the detections have ended, even without a face: programs may steer.
    public var outlivesInput = false
    /// The face.
    public var face = Face()
    /// The socket at which programs reach the session.
    public var control = Control.none
    /// A group whose members may use the control socket, too; nil: only this user and root.
    public var controlGroup: String?
    /// The camera on the dock, driven by the dock's buttons and by words; nil: none.
    public var camera: (any CameraControl)?
    /// The files that the session reads and writes.
    public var storage = Storage()
    /// The process in which the session runs.
    public var host = Host()
    /// Other initial settings: limits, speed, framing, face.
    public var tuning = Tuning()
    /// Called for every tracked frame, on the loop's thread after it has written; must not block.
    public var onFrame: (@Sendable (TrackedFrame) -> Void)?

    /// A configuration for a rig on a port, with defaults for the rest.
    public init(profile: RigProfile, port: String) { dock = Dock(profile: profile, port: port) }
}

extension SessionConfiguration {
    /// The rig, its port, and how it begins.
    public struct Dock: Sendable {
        /// The rig.
        public var profile: RigProfile
        /// The port, in the forms of `PortName`: a path, "usb:SERIAL", "place:PLACE" or "tcp:HOST:PORT".
        public var port: String
        /// The source of reports that ports come and go; nil: udevd if it runs, otherwise the kernel.
        public var hotplug: PortMonitor.Source?
        /// Start even if the port is missing, and wait for it.
        public var waitsForPort = false
        /// The first mode; nil: system, unless the rig is real and has never been checked.
        public var mode: TrackingMode?
        /// Talk to the dock and decide everything, but write no motion.
        public var dryRun = false
        /// What to do when the subject is lost.
        public var policy = Pursuit.Policy()
        /// The frames do not come from a camera on this head, whatever the profile says: a simulated head with a real camera, a
        /// film. Tracking then treats the camera as fixed, and the log says so at the first frame.
        public var cameraIsElsewhere = false
        /// The guard that stops the dock when this process cannot, started before the process had other threads; nil: the
        /// session starts one itself. It ends with the session.
        public var guardian: DockGuard?

        /// A rig on a port, with defaults for the rest.
        public init(profile: RigProfile, port: String) {
            self.profile = profile
            self.port = port
        }
    }

    /// The face and its terminal.
    public struct Face: Sendable {
        /// Run without face and keys.
        public var headless = false
        /// The look of the eyes.
        public var style = EyeStyle.block
        /// Colours; nil: as many as the terminal supports.
        public var depth: ColourDepth?
        /// The characters that the face is drawn with; nil: as the terminal supports.
        public var glyphs: FaceGlyphs?
        /// The face as pixels; nil: if the terminal supports them.
        public var graphics: FaceGraphics?
        /// A face that only blinks and moves its eyes.
        public var calm = false
        /// Whether each frame is one synchronized update of the terminal.
        public var synchronizes = true
        /// The first expression.
        public var expression = Expression.normal
        /// The expressions that the face knows; `ExpressionLibrary` finds those that users have written.
        public var expressions = ExpressionBook()
        /// How long an expression that a tap or a key chose remains, seconds; 0: until another choice.
        public var choiceTime: Seconds = 3
        /// Whether the head moves a little with expressions.
        public var gestures = false
        /// Show a plan of the room over the face from the start: the head, what its camera sees, the people.
        public var showsPlan = false
        /// Seed of all random choices.
        public var seed: UInt64 = 1

        /// A face as the terminal supports it.
        public init() {}
    }

    /// The files that a session reads and writes.
    public struct Storage: Sendable {
        /// Folder of presets and taught motions; nil: the user's default.
        public var dataFolder: String?
        /// Folder of the flight recorder's traces; nil: the user's default, or none if a program embeds the session.
        public var traceFolder: String?
        /// File for a trace of the whole session, at most `traceLimit` bytes; nil: none.
        public var traceFile: String?
        /// Largest size of a session's trace, bytes.
        public var traceLimit = 1 << 30
        /// Folder of the stamps of `dockface check`; nil: the user's default.
        public var checksFolder: String?

        /// The user's default folders.
        public init() {}
    }

    /// The process in which a session runs.
    public struct Host: Sendable {
        /// Whether the session owns the process, with its signals and its standard input. False if a program embeds it.
        public var ownsProcess = true
        /// Name of the rig before every log line, if a program drives several; nil: lines without a name, or the log of the
        /// program that embeds the session.
        public var logName: String?
        /// End after this time, seconds; nil: never.
        public var seconds: Seconds?
        /// Reads the settings again after HUP, if no face uses the terminal; nil: HUP ends the session like TERM.
        public var reload: (@Sendable () -> Reload)?
        /// With `reload`: called when a signal asks the process to end. This may be after the session, which may have ended for
        /// a restart; the restart must then not happen.
        public var onEndSignal: (@Sendable () -> Void)?

        /// A process that the session owns.
        public init() {}
    }
}

/// The results of a session.
public struct SessionSummary: Sendable, Equatable {
    /// Number of frames of detections.
    public var frames = 0
    /// Number of distinct subjects.
    public var subjects = 0
    /// The final state of the loop: counters, latency, and whether the stop was the last message.
    public var loop = LoopEnd()
    /// The session ended because its settings changed: the program should restart with them.
    public var restarts = false

    /// A summary without events.
    public init() {}
}
