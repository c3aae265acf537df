public import DockControl
public import Geometry
internal import PlainText
public import RobotFace

/// One thing that a person or a program asks for, whatever way it came: keys, words, the control API, the library.
public enum Command: Sendable, Equatable {
    /// Motion, in any of its forms but animations.
    case motion(MotionCommand)
    /// A motion script by name: built in or taught.
    case animate(String)
    /// DockKit's switch: true = mode system; false = manual, and a `track` then enters custom.
    case setSystemTracking(Bool)
    /// Select the subject at a point, normalised.
    case tap(Point)
    /// Select subjects by id; none = automatic.
    case select([Int])
    /// Own observations for custom tracking.
    case track(ObservationFrame)
    /// A named pose.
    case preset(PresetCommand)
    /// Teaching a motion by hand.
    case teach(TeachCommand)
    /// The camera on the dock.
    case camera(CameraCommand)
    /// Show the expression of this name, number or word for it: one of the 21, or one that was added.
    case face(String)
    /// Show the next expression.
    case nextFace
    /// What happens chooses the face again.
    case automaticFace
    /// Show random expressions; nil: the other way than now.
    case randomFaces(Bool?)
    /// Let the head move a little with expressions.
    case gestures(Bool)
    /// Become the one writer.
    case acquireControl
    /// Be it no longer.
    case releaseControl
    /// A person gives the dock back to programs, after a stop or after moving it by hand.
    case giveBack
    /// Let another source of detections steer; nil: tell which there are.
    case source(String?)
    /// Tell the state.
    case status(why: Bool)
    /// Tell what each stage from a picture to its effect takes.
    case latency
    /// Tell figures for a monitoring system.
    case metrics
    /// Write the last half minute to a file.
    case trace
    /// Tell what happens from now on; nil: no more.
    case watch([Topic]?)
    /// Tell the words.
    case help
    /// End.
    case quit
}

/// Named poses.
public enum PresetCommand: Sendable, Equatable {
    /// Keep the present pose under a name.
    case save(String)
    /// Go there.
    case go(String)
    /// Forget it.
    case delete(String)
    /// Tell them all.
    case list
}

/// Motions taught by hand.
public enum TeachCommand: Sendable, Equatable {
    /// Begin to record.
    case record(String)
    /// End it; false: throw it away.
    case finish(keep: Bool)
    /// Forget a motion.
    case delete(String)
    /// Tell them all.
    case list
}

/// What can be asked of the camera on the dock.
public enum CameraCommand: Sendable, Equatable {
    /// Magnification, 1 = none.
    case magnify(Double)
    /// Steps of the zoom wheel, 0.2 each, + = in.
    case zoom(steps: Int)
    /// Start (true) or end a recording; nil: the other way than now.
    case shutter(Bool?)
    /// The next camera.
    case flip
}

/// A stream of the session, by the name that programs subscribe to.
public enum Topic: String, Sendable, CaseIterable {
    /// The dock, the mode, framing, limits.
    case accessory
    /// Pose, velocity, motions and their ends.
    case motion
    /// Subjects.
    case tracking
    /// Supply.
    case battery
    /// Buttons and camera.
    case events
    /// The expression.
    case face
    /// Lines of the log.
    case log
}

/// Who asks; the order of precedence is `Arbiter`'s.
public enum Asker: Sendable, Hashable {
    /// Keys of the controlling terminal, or a button on the dock.
    case keys
    /// Command words.
    case words
    /// A program, by the number of its connection; 0 is the library in this very process.
    case client(Int)

    /// It is a person.
    var isPerson: Bool { if case .client = self { false } else { true } }
}

/// What came of a command, for people and for programs.
public struct Outcome: Sendable, Equatable {
    /// In words: what follows "ok".
    public var text: String
    /// For programs.
    public var value: Value

    /// What programs get to know; the cases follow the results of the control API.
    public enum Value: Sendable, Equatable {
        case none
        case mode(TrackingMode)
        case framing(FramingMode)
        case region(Rect)
        case subject(Int)
        case subjects([Int])
        case source(String)
        case tracked(subjects: Int, rate: Double?)
        case motion(MotionID, duration: Seconds)
        case limits(pan: AxisLimit, tilt: AxisLimit)
        case share(Double)
        case torque(Bool)
        case face(Expression, isRandom: Bool)
        case gestures(Bool)
        case name(String)
        case taught(String, duration: Seconds)
        case presets([String: PanTilt])
        case motions([String: Seconds])
        case magnification(Double)
        case recording(Bool)
        case device(Int)
        case lease(Seconds, isRenewed: Bool)
        case status(SessionStatus)
        case trace(path: String, records: Int, duration: Seconds)
        case latency(LoopSnapshot)
        case metrics(SessionStatus)
    }

    /// Words, and what programs get.
    public init(_ text: String, _ value: Value = .none) {
        self.text = text
        self.value = value
    }
}

/// What came of a command, or why nothing did.
public typealias Answer = Result<Outcome, DockError>

/// A line that is no command: what is wrong and what to type instead.
public struct CommandError: Error, Sendable, Equatable {
    /// What is wrong.
    public var message: String
    /// What to type instead.
    public var hint: String

    /// What is wrong and what to type instead: one line each. What they quote need not be plain.
    init(message: String, hint: String) {
        self.message = ForeignText.line(message)
        self.hint = ForeignText.line(hint)
    }
}
