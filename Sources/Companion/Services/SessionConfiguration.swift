public import DockControl
public import DockTypes
public import Geometry
public import RobotFace

/// The configuration of a session, which the program fills from its command line.
public struct SessionConfiguration: Sendable {
    /// The source of the detections.
    public enum Detections: Sendable, Equatable {
        /// No detections: only commands move the dock.
        case none
        /// Standard input, shared with command words.
        case standardInput
        /// An open descriptor to which another party writes detections.
        case descriptor(Int32)
        /// An open descriptor to which this program writes a scene, with the scene's command words.
        case scene(Int32)

        /// The descriptor from which to read them, or nil if there is none.
        public var descriptor: Int32? {
            switch self {
            case .none: nil
            case .standardInput: 0
            case .descriptor(let own), .scene(let own): own
            }
        }

        /// Whether command words in the stream are executed. Words from a detector are not executed, because a detector
        /// can be any program.
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
        /// No socket.
        case none
        /// The user's default socket, unless another dockface has it.
        case usual
        /// This socket. If it is not available, the session does not start.
        case socket(String)
    }

    /// The rig and its port.
    public var dock: Dock
    /// The source of the detections.
    public var detections = Detections.none
    /// The camera and the detectors that the session runs itself, whose pipe is `detections`. It is nil if another
    /// party supplies detections.
    public var vision: Vision?
    /// The programs beside the daemon that it runs, or nil if there are none.
    public var extensions: ExtensionSupervisor?
    /// The name of the detections' source in `status`. If nil, it is the name of its kind.
    public var source: String?
    /// Whether to continue when the detections have ended, even without a face, because programs may still steer.
    public var outlivesInput = false
    /// The face.
    public var face = Face()
    /// The socket at which programs reach the session.
    public var control = Control.none
    /// A group whose members may also use the control socket. If nil, only this user and root may use it.
    public var controlGroup: String?
    /// The camera on the dock, driven by the dock's buttons and by words, or nil if there is none.
    public var camera: (any CameraControl)?
    /// The files that the session reads and writes.
    public var storage = Storage()
    /// The process in which the session runs.
    public var host = Host()
    /// Other initial settings: limits, speed, framing, face.
    public var tuning = Tuning()
    /// Receives every tracked frame, on the loop's thread after it has written. It must not block.
    public var onFrame: (@Sendable (TrackedFrame) -> Void)?

    /// Creates a configuration for a rig on a port, with defaults for the rest.
    public init(profile: RigProfile, port: String) { dock = Dock(profile: profile, port: port) }
}

extension SessionConfiguration {
    /// The rig, its port, and how it begins.
    public struct Dock: Sendable {
        /// The rig.
        public var profile: RigProfile
        /// The port, in the forms of `PortName`: a path, "usb:SERIAL", "place:PLACE", "tcp:HOST:PORT" or
        /// "none".
        public var port: String
        /// The name or path of the profile, as the user gave it; nil for the profile of our own dock.
        public var profileName: String?
        /// The source of reports when ports appear and disappear. If nil, it is udevd if that runs, and otherwise the
        /// kernel.
        public var hotplug: PortMonitor.Source?
        /// Whether to start even if the port is missing, and to wait for it.
        public var waitsForPort = false
        /// The first mode. If nil, it is `system`, unless the rig is real and has never been checked.
        public var mode: TrackingMode?
        /// Whether to talk to the dock and decide everything, but write no motion.
        public var dryRun = false
        /// The policy when the subject is lost.
        public var policy = Pursuit.Policy()
        /// Whether the head is slower while a face or a hand is within 0.3 m.
        public var slowsNear = false
        /// Whether the frames do not come from a camera on this head, even if the profile says so. Examples are a
        /// simulated head with a real camera, and a film. Tracking then treats the camera as fixed, and the log reports
        /// this at the first frame.
        public var cameraIsElsewhere = false
        /// The guard that stops the dock when this process cannot, started before the process had other threads. If
        /// nil, the session starts one itself. It ends with the session.
        public var guardian: DockGuard?

        /// Creates a rig on a port, with defaults for the rest.
        public init(profile: RigProfile, port: String) {
            self.profile = profile
            self.port = port
        }
    }

    /// The face and its terminal.
    public struct Face: Sendable {
        /// Whether to run without face and keys.
        public var headless = false
        /// The look of the eyes.
        public var style = EyeStyle.block
        /// The colours. If nil, as many as the terminal supports are used.
        public var depth: ColourDepth?
        /// The characters with which the face is drawn. If nil, they depend on the terminal.
        public var glyphs: FaceGlyphs?
        /// The face as pixels. If nil, pixels are used if the terminal supports them.
        public var graphics: FaceGraphics?
        /// Whether the face only blinks and moves its eyes.
        public var calm = false
        /// Whether each frame is one synchronized update of the terminal.
        public var synchronizes = true
        /// The first expression.
        public var expression = Expression.normal
        /// The available expressions. `ExpressionLibrary` finds those that users have written.
        public var expressions = ExpressionBook()
        /// The time for which an expression that a tap or a key chose remains, in seconds; 0 means until another
        /// choice.
        public var choiceTime: Seconds = 3
        /// Whether the head moves a little with expressions.
        public var gestures = false
        /// Whether a plan of the room is shown over the face from the start: the head, what its camera sees, and the
        /// people.
        public var showsPlan = false
        /// Whether the camera's frame, with what other programs draw, is shown over the face from the start.
        public var showsOverlay = false
        /// What a person can do next, in the status row while it is empty, or nil.
        public var hint: String?
        /// The seed of all random choices.
        public var seed: UInt64 = 1

        /// Creates a face whose look depends on the terminal.
        public init() {}
    }

    /// The files that a session reads and writes.
    public struct Storage: Sendable {
        /// The folder of presets and taught motions. If nil, it is the user's default.
        public var dataFolder: String?
        /// The folder of the flight recorder's traces. If nil, it is the user's default, or none if a program embeds
        /// the session.
        public var traceFolder: String?
        /// The file for a trace of the whole session, at most `traceLimit` bytes, or nil if there is none.
        public var traceFile: String?
        /// The maximum size of a session's trace, in bytes.
        public var traceLimit = 1 << 30
        /// The folder of the stamps of `dockface check`. If nil, it is the user's default.
        public var checksFolder: String?

        /// Uses the user's default folders.
        public init() {}
    }

    /// The process in which a session runs.
    public struct Host: Sendable {
        /// Whether the session owns the process, with its signals and its standard input. False if a program embeds it.
        public var ownsProcess = true
        /// The name of the rig that precedes every log line, if a program drives several. If nil, lines have no name,
        /// or the log of the program that embeds the session is used.
        public var logName: String?
        /// The time after which the session ends, in seconds, or nil if it does not end by itself.
        public var seconds: Seconds?
        /// Reads the settings again after HUP, if no face uses the terminal. If nil, HUP ends the session like TERM.
        public var reload: (@Sendable () -> Reload)?
        /// Called with `reload` when a signal asks the process to end. This may happen after the end of the session,
        /// which may have ended for a restart. In that case the restart must not happen.
        public var onEndSignal: (@Sendable () -> Void)?

        /// Creates a process that the session owns.
        public init() {}
    }
}

/// The results of a session.
public struct SessionSummary: Sendable, Equatable {
    /// The number of frames of detections.
    public var frames = 0
    /// The number of distinct subjects.
    public var subjects = 0
    /// The final state of the loop: counters, latency, and whether the stop was the last message.
    public var loop = LoopEnd()
    /// Whether the session ended because its settings changed, so that the program should restart with them.
    public var restarts = false

    /// Creates a summary without events.
    public init() {}
}
