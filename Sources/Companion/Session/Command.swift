public import DockControl
public import Geometry
public import RobotFace

/// One thing that a person or a program asks for, whatever way it came: keys, words on standard input, later the API.
public enum Command: Sendable, Equatable {
    /// Motion, in any of its forms.
    case motion(MotionCommand)
    /// Select the subject at a point, normalised.
    case tap(Point)
    /// Select subjects by id; none = automatic.
    case select([Int])
    /// Show an expression.
    case face(Expression)
    /// Show the next expression.
    case nextFace
    /// Show random expressions; nil: the other way than now.
    case randomFaces(Bool?)
    /// Tell the state.
    case status(why: Bool)
    /// Tell the words.
    case help
    /// End.
    case quit
}

/// A line that is no command: what is wrong and what to type instead.
public struct CommandError: Error, Sendable, Equatable {
    /// What is wrong.
    public var message: String
    /// What to type instead.
    public var hint: String
}
