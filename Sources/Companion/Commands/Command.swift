internal import ControlProtocol
public import DockControl
internal import DockTypes
public import Geometry
internal import PlainText
internal import RobotFace

/// A request of a person or a program, from any source: keys, words, the control API, the library.
public enum Command: Sendable, Equatable {
    /// Motion of any kind except named animations.
    case motion(MotionCommand)
    /// A motion script by name: built in or taught.
    case animate(String)
    /// DockKit's switch: true = mode system; false = manual, and a `track` then enters custom.
    case setSystemTracking(Bool)
    /// Select the subject at a point, normalised.
    case tap(Point)
    /// Select subjects by id; none = automatic.
    case select([Int])
    /// A client's own observations for custom tracking.
    case track(ObservationFrame)
    /// A named pose.
    case preset(PresetCommand)
    /// Teaching a motion by hand.
    case teach(TeachCommand)
    /// The camera on the dock.
    case camera(CameraCommand)
    /// Show the expression with this name, number or synonym: one of the 21, or one that the user added.
    case face(String)
    /// Show the next expression.
    case nextFace
    /// Let events choose the face again.
    case automaticFace
    /// Show random expressions; nil: toggle.
    case randomFaces(Bool?)
    /// Let the head move a little with expressions.
    case gestures(Bool)
    /// Become the only writer.
    case acquireControl
    /// Stop being the only writer.
    case releaseControl
    /// A person gives the dock back to programs, after a stop or after moving it by hand.
    case giveBack
    /// Switch to another source of detections; nil: list the sources.
    case source(String?)
    /// Report the state.
    case status(why: Bool)
    /// Report how long each stage takes from a frame to its effect.
    case latency
    /// Report metrics for a monitoring system.
    case metrics
    /// Write the last half minute to a trace file.
    case trace
    /// Report events from now on; nil: stop reporting.
    case watch([Topic]?)
    /// List the command words.
    case help
    /// End the daemon.
    case quit
}

/// Named poses.
public enum PresetCommand: Sendable, Equatable {
    /// Save the current pose under a name.
    case save(String)
    /// Go to it.
    case go(String)
    /// Delete it.
    case delete(String)
    /// List all.
    case list
}

/// Motions taught by hand.
public enum TeachCommand: Sendable, Equatable {
    /// Start recording.
    case record(String)
    /// End the recording; false: discard it.
    case finish(keep: Bool)
    /// Delete a motion.
    case delete(String)
    /// List all.
    case list
}

/// Commands for the camera on the dock.
public enum CameraCommand: Sendable, Equatable {
    /// Magnification, 1 = none.
    case magnify(Double)
    /// Steps of the zoom wheel, 0.2 each, + = in.
    case zoom(steps: Int)
    /// Start (true) or end (false) a recording; nil: toggle.
    case shutter(Bool?)
    /// Switch to the next camera.
    case flip
}

/// The sender of a request; `Arbiter` defines the precedence.
public enum Asker: Sendable, Hashable {
    /// Keys of the controlling terminal, or a button on the dock.
    case keys
    /// Command words.
    case words
    /// A program, by the number of its connection; 0 is the library in this process.
    case client(Int)

    /// Whether a person asks.
    var isPerson: Bool { if case .client = self { false } else { true } }
}

/// A line that is not a command: what is wrong, and what to type instead.
public struct CommandError: Error, Sendable, Equatable {
    /// What is wrong.
    public var message: String
    /// What to type instead.
    public var hint: String

    /// Makes both texts safe to show, one line each: they may quote any input.
    init(message: String, hint: String) {
        self.message = ForeignText.line(message)
        self.hint = ForeignText.line(hint)
    }
}
