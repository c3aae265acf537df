internal import ControlProtocol
public import DockControl
internal import DockTypes
public import Geometry
internal import PlainText
public import RobotFace

/// The result of a command, for people and for programs.
public struct Outcome: Sendable, Equatable {
    /// The text that follows "ok".
    public var text: String
    /// The value for programs.
    public var value: Value

    /// The value that programs receive. The cases match the results of the control API.
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
        case items(Int)
        case heard(Bool)
        case used(Int)
        /// Whether a screen shows it.
        case shown(Bool)
        case lease(Seconds, isRenewed: Bool)
        case status(SessionStatus)
        case trace(path: String, records: Int, duration: Seconds)
        case latency(LoopSnapshot)
        case metrics(SessionStatus)
    }

    /// Creates an outcome with its text and its value.
    public init(_ text: String, _ value: Value = .none) {
        self.text = text
        self.value = value
    }
}

/// The result of a command, or the reason why it failed.
public typealias Answer = Result<Outcome, DockError>
