internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry
internal import RobotFace

/// Everything that can happen to a session.
enum SessionEvent: Sendable {
    /// A key, from the controlling terminal.
    case input(InputEvent)
    /// The terminal's size, cells; sent before a mouse event.
    case screen(columns: Int, rows: Int)
    /// A line of command words; nil: from standard input.
    case line(String, Ticket?)
    /// The same from standard input, but a later stop was carried out before it.
    case overtaken(String)
    /// The result of a stop that was carried out before its turn; reported now.
    case stopAnswered(Answer)
    /// A program's command.
    case call(Command, Ticket)
    /// A program sent a request, so it is alive.
    case clientHeard(client: Int)
    /// A program's connection ended.
    case clientClosed(client: Int)
    /// The result of a command that concerns motion.
    case answer(Ticket, MotionAnswer)
    /// The result of a tap, a selection or an observation.
    case served(Ticket, PipelineRequest, Result<Int, DockError>)
    /// The result of saving a preset or a motion; nil: nothing has changed.
    case kept(Ticket, MotionLibrary?, Answer)
    /// The result of writing a trace, and who requested it; nil: a fault did.
    case traced([Ticket]?, Answer)
    /// The topics with at least one listener.
    case audience(Set<Topic>)
    /// The loop's newest state.
    case snapshot(LoopSnapshot)
    /// Something happened at the dock.
    case loop(LoopEvent)
    /// A frame was tracked.
    case tracked(TrackedFrame)
    /// An event about the detections.
    case tracking(TrackingEvent)
    /// The state of camera or detectors has changed.
    case vision(VisionHealth)
    /// A quarter of a second has passed.
    case tick
}

/// What the session wants done.
enum SessionEffect: Sendable, Equatable {
    /// To the dock's loop; the sender may wait for the result.
    case motion(MotionCommand, Ticket?)
    /// To the dock's loop: end all motion under this lease. No queue refuses this.
    case end(LostLease)
    /// To the tracking.
    case ask(PipelineRequest, Ticket)
    /// Write a change of presets or motions, then report.
    case keep(LibraryChange, Ticket)
    /// Write the last half minute to a trace file, then report.
    case trace(Ticket)
    /// Switch to another source of detections.
    case use(String)
    /// To the camera on the dock.
    case camera([CameraAction])
    /// To the face.
    case face(FaceChange)
    /// A line for the person who typed: "ok ..." or "error ...: what to do".
    case answer(String)
    /// The result of a call.
    case reply(call: Int, Answer)
    /// Something changed that a listener subscribed to.
    case publish(Topic)
    /// Report these topics on standard output from now on.
    case watch(Set<Topic>)
    /// Something happened that a listener subscribed to.
    case notice(SessionNotice)
    /// For the log.
    case log(LogLevel, String)
    /// End the program.
    case quit
}

/// An event that happened once: a button of the dock, or a change of its camera (DockKit's accessory events).
public enum SessionNotice: Sendable, Equatable {
    /// A maker-specific button, by number.
    case button(id: Int, pressed: Bool)
    /// The shutter button.
    case cameraShutter
    /// The button that switches cameras.
    case cameraFlip
    /// The zoom wheel: steps of 0.2, + = in.
    case cameraZoom(factor: Double)
    /// The tracking button: system tracking is now on or off.
    case trackingButton(enabled: Bool)
    /// The camera was changed.
    case camera(CameraState)
}
