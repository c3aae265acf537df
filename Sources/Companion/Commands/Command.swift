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
    /// Sets DockKit's switch: true selects mode `system`. False selects `manual`, and a later `track` then enters
    /// `custom`.
    case setSystemTracking(Bool)
    /// Selects the subject at a point, normalised.
    case tap(Point)
    /// Selects subjects by ID; an empty list selects automatically.
    case select([Int])
    /// A client's own observations for custom tracking.
    case track(ObservationFrame)
    /// A named pose.
    case preset(PresetCommand)
    /// Teaching a motion by hand.
    case teach(TeachCommand)
    /// The camera on the dock.
    case camera(CameraCommand)
    /// A layer, an indicator or a cue of a program.
    case show(ShowCommand)
    /// Shows the expression with this name, number or synonym: one of the 21, or one that the user added.
    case face(String)
    /// Shows the next expression.
    case nextFace
    /// Lets events choose the face again.
    case automaticFace
    /// Switches random expressions on or off, or toggles them if nil.
    case randomFaces(Bool?)
    /// Lets the head move a little with expressions.
    case gestures(Bool)
    /// Makes the client the only writer.
    case acquireControl
    /// Ends the client's role as the only writer.
    case releaseControl
    /// Gives the dock back to programs, after a person has stopped it or moved it by hand.
    case giveBack
    /// Switches to another source of detections, or lists the sources if nil.
    case source(String?)
    /// Reports the state.
    case status(why: Bool)
    /// Reports how long each stage takes from a frame to its effect.
    case latency
    /// Reports metrics for a monitoring system.
    case metrics
    /// Writes the last half minute to a trace file.
    case trace
    /// Reports events from now on, or ends the reports if nil.
    case watch([Topic]?)
    /// Lists the command words.
    case help
    /// Ends the daemon.
    case quit
}

/// Named poses.
public enum PresetCommand: Sendable, Equatable {
    /// Saves the current pose under a name.
    case save(String)
    /// Goes to the pose.
    case go(String)
    /// Deletes the pose.
    case delete(String)
    /// Lists all poses.
    case list
}

/// Motions taught by hand.
public enum TeachCommand: Sendable, Equatable {
    /// Starts a recording.
    case record(String)
    /// Ends the recording; false discards it.
    case finish(keep: Bool)
    /// Deletes a motion.
    case delete(String)
    /// Lists all motions.
    case list
}

/// Commands for the camera on the dock.
public enum CameraCommand: Sendable, Equatable {
    /// Sets the magnification, where 1 is none.
    case magnify(Double)
    /// Turns the zoom wheel by steps of 0.2; positive steps zoom in.
    case zoom(steps: Int)
    /// Starts (true) or ends (false) a recording, or toggles it if nil.
    case shutter(Bool?)
    /// Switches to the next camera.
    case flip
}

/// The sender of a request; `Arbiter` defines the precedence.
public enum RequestOrigin: Sendable, Hashable {
    /// The keys of the controlling terminal, or a button on the dock.
    case keys
    /// Command words.
    case words
    /// A program, by the number of its connection; 0 is the library in this process.
    case client(Int)

    /// Whether the sender is a person.
    var isPerson: Bool { if case .client = self { false } else { true } }
}

/// A line that is not a command: what is wrong, and what to type instead.
public struct CommandError: Error, Sendable, Equatable {
    /// What is wrong.
    public var message: String
    /// What to type instead.
    public var hint: String

    /// Creates an error. Both texts are made safe to show, one line each, because they may quote any input.
    init(message: String, hint: String) {
        self.message = ForeignText.line(message)
        self.hint = ForeignText.line(hint)
    }
}
