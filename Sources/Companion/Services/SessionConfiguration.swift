public import DockControl
public import Geometry
public import RobotFace

/// Everything that a session needs to know before it begins; the program fills it from its command line.
public struct SessionConfiguration: Sendable {
    /// Where the detections come from.
    public enum Detections: Sendable, Equatable {
        /// None: only commands move the dock.
        case none
        /// Standard input, shared with command words.
        case standardInput
        /// An open descriptor that somebody else writes detections to.
        case descriptor(Int32)

        /// What they are read from; nil: nothing.
        public var descriptor: Int32? {
            switch self {
            case .none: nil
            case .standardInput: 0
            case .descriptor(let own): own
            }
        }

        /// A word for `status`.
        var name: String {
            switch self {
            case .none: "none"
            case .standardInput: "stdin"
            case .descriptor: "stream"
            }
        }
    }

    /// Where programs reach the session.
    public enum Control: Sendable, Equatable {
        /// Nowhere.
        case none
        /// At the user's usual socket, where no other dockface has it.
        case usual
        /// At this socket, or not at all.
        case socket(String)
    }

    /// The rig.
    public var profile: RigProfile
    /// The port, as `PortName` reads it: a path, "usb:SERIAL", "place:PLACE" or "tcp:HOST:PORT".
    public var port: String
    /// Who says when ports come and go; nil: udevd where it runs, else the kernel.
    public var hotplug: PortMonitor.Source?
    /// Where the detections come from.
    public var detections = Detections.none
    /// The camera and the detectors that the session runs itself, whose pipe `detections` is; nil: somebody else brings detections.
    public var vision: Vision?
    /// Who steers at first; nil: the detector, unless the rig is real and has never been checked.
    public var mode: TrackingMode?
    /// No face and no keys.
    public var headless = false
    /// Talk to the dock, decide everything, and write no motion.
    public var dryRun = false
    /// End after so many seconds; nil: never.
    public var seconds: Seconds?
    /// The look of the eyes.
    public var style = EyeStyle.block
    /// Colours; nil: what the terminal can.
    public var depth: ColourDepth?
    /// What the face is drawn with; nil: what the terminal can.
    public var glyphs: FaceGlyphs?
    /// The face as pixels; nil: where the terminal has them.
    public var graphics: FaceGraphics?
    /// A face that only blinks and looks.
    public var calmFace = false
    /// So long a face holds that a tap or a key has chosen, seconds; 0: until something else is chosen.
    public var faceTime: Double = 3
    /// Each picture of the face is one synchronized update of the terminal.
    public var synchronizesFace = true
    /// The face at first.
    public var expression = Expression.normal
    /// The expressions that it knows; `ExpressionLibrary` finds those that people have written.
    public var expressions = ExpressionBook()
    /// Seed of all that is random.
    public var seed: UInt64 = 1
    /// What to do when the subject is lost.
    public var policy = Pursuit.Policy()
    /// Where programs reach the session.
    public var control = Control.none
    /// A group whose members may use the control socket, too; nil: only this user and root.
    public var controlGroup: String?
    /// The camera on the dock, driven by the dock's buttons and by words; nil: there is none.
    public var camera: (any CameraControl)?
    /// The head moves a little with expressions.
    public var gestures = false
    /// What `status` calls the detections' source; nil: by their kind.
    public var source: String?
    /// Go on when the detections have ended, also without a face: programs may steer.
    public var outlivesInput = false
    /// Begin also if the port is not there yet, and wait for it.
    public var waitsForPort = false
    /// Folder of presets and taught motions; nil: the user's usual one.
    public var dataFolder: String?
    /// Folder of the flight recorder's traces; nil: the user's usual one, or none where a program embeds the session.
    public var traceFolder: String?
    /// The whole session is written to this file from its beginning, at most `traceLimit` bytes; nil: it is not.
    public var traceFile: String?
    /// The file of a session's trace grows no larger, bytes.
    public var traceLimit = 1 << 30
    /// Folder of the stamps of `dockface check`; nil: the user's usual one.
    public var checksFolder: String?
    /// The process is this session's: its signals and its standard input are. False where a program embeds it.
    public var ownsProcess = true
    /// Name of the rig before every line of the log, where a program drives several; nil: lines without a name, or the log of
    /// the program that embeds the session.
    public var logName: String?
    /// Stops the dock where this process cannot any more, begun before the process had other threads; nil: the session begins
    /// one itself. It ends with the session.
    public var guardian: DockGuard?
    /// What it begins with besides: limits, speed, framing, face.
    public var tuning = Tuning()
    /// Reads the settings again when HUP comes and no face has the terminal; nil: HUP is an end like TERM.
    public var reload: (@Sendable () -> Reload)?
    /// With `reload`: called when a signal wants the process to end, also after the session, which may have ended for a new
    /// beginning that must not be then.
    public var onEndSignal: (@Sendable () -> Void)?
    /// Called for every tracked frame, on the loop's thread after it has written; must not wait.
    public var onFrame: (@Sendable (TrackedFrame) -> Void)?

    /// A rig on a port, and defaults for the rest.
    public init(profile: RigProfile, port: String) {
        self.profile = profile
        self.port = port
    }
}

/// What a session came to.
public struct SessionSummary: Sendable, Equatable {
    /// Frames of detections.
    public var frames = 0
    /// Different subjects.
    public var subjects = 0
    /// How the loop ended: counters, latency, and whether the stop was last.
    public var loop = LoopEnd()
    /// It ended because its settings changed: the program is to begin anew with them.
    public var beginsAnew = false

    /// Nothing happened.
    public init() {}
}
