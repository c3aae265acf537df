internal import DockControl
internal import FaceTracker
internal import Geometry
internal import RobotFace

/// Everything that can happen to a session.
enum SessionEvent: Sendable {
    /// A key, from the controlling terminal.
    case input(InputEvent)
    /// A line of command words.
    case line(String)
    /// What came of a command; the words are for the person who gave it.
    case answer(MotionAnswer)
    /// What came of a tap or a selection: the id, or nil.
    case selected(PipelineRequest, Int?)
    /// The loop's newest state.
    case snapshot(LoopSnapshot)
    /// Something happened at the dock.
    case loop(LoopEvent)
    /// A frame was tracked.
    case tracked(TrackedFrame)
    /// Something about the detections.
    case tracking(TrackingEvent)
    /// A quarter of a second has passed.
    case tick
}

/// What the session wants done.
enum SessionEffect: Sendable, Equatable {
    /// To the dock's loop. `answers`: somebody waits for the words of what came of it.
    case motion(MotionCommand, answers: Bool)
    /// To the tracking.
    case tap(Point)
    /// To the tracking.
    case select([Int])
    /// To the face.
    case face(FaceWish)
    /// A line for whoever typed: "ok ..." or "error ...: what to do".
    case answer(String)
    /// For the log.
    case log(LogLevel, String)
    /// End the program.
    case quit
}

/// How loud a line of the log is.
enum LogLevel: Sendable, Equatable { case info, warning, error }
