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
    /// The terminal's size, in cells. It is sent before a mouse event.
    case screen(columns: Int, rows: Int)
    /// A line of command words. Without a ticket it is from standard input.
    case line(String, Ticket?)
    /// A line from standard input that a later stop preceded.
    case overtaken(String, Ticket)
    /// The result of a stop that was executed before its turn, which is reported now.
    case stopAnswered(Answer, Ticket)
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
    /// The result of saving a preset or a motion, or nil if nothing has changed.
    case kept(Ticket, MotionLibrary?, Answer)
    /// The result of writing a trace, and the requests for it, or nil if a fault caused it.
    case traced([Ticket]?, Answer)
    /// What listeners want.
    case audience(TopicInterest)
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
    /// The state of the extensions that the daemon runs has changed.
    case extensions([ExtensionReading])
    /// A quarter of a second has passed.
    case tick
}

/// An action that the session requests.
enum SessionEffect: Sendable, Equatable {
    /// A command for the dock's loop. The sender may wait for the result.
    case motion(MotionCommand, Ticket?)
    /// Makes the dock's loop end all motion under this lease. No queue refuses this.
    case end(LostLease)
    /// A request for tracking.
    case ask(PipelineRequest, Ticket)
    /// All distances that depth cameras have measured, for tracking's choice between people.
    case measured([MeasuredDistance])
    /// Writes a change of presets or motions, and then reports.
    case keep(LibraryChange, Ticket)
    /// Writes the last half minute to a trace file, and then reports.
    case trace(Ticket)
    /// Switches to another source of detections.
    case use(String)
    /// Actions for the camera on the dock.
    case camera([CameraAction])
    /// A change for the face.
    case face(FaceChange)
    /// A line for the person who typed: "ok ..." or "error ...: what to do".
    case answer(String)
    /// A line of standard input was answered, so the next one can be executed.
    case lineAnswered(turn: Int)
    /// The result of a call.
    case reply(call: Int, Answer)
    /// Publishes a change to which a listener has subscribed.
    case publish(Topic)
    /// Publishes a tracked frame to listeners that want every frame.
    case publishFrame
    /// Reports these topics on standard output from now on.
    case watch(Set<Topic>)
    /// Passes on an event to which a listener has subscribed.
    case notice(SessionNotice)
    /// Passes on a sentence or a sound to programs that play them.
    case cue(Cue)
    /// Passes on news of an extension to the host that runs it.
    case extensionNews(ExtensionNews)
    /// A line for the log.
    case log(LogLevel, String)
    /// Ends the program.
    case quit
}

/// An event that happened once: a button of the dock, or a change of its camera (DockKit's accessory events).
public enum SessionNotice: Sendable, Equatable {
    /// A manufacturer-specific button, by number.
    case button(id: Int, pressed: Bool)
    /// The shutter button.
    case cameraShutter
    /// The button that switches cameras.
    case cameraFlip
    /// The zoom wheel: steps of 0.2; positive steps zoom in.
    case cameraZoom(factor: Double)
    /// The tracking button. System tracking is now on or off.
    case trackingButton(enabled: Bool)
    /// The camera was changed.
    case camera(CameraState)
    /// A person, or a program by `setShutter`, wants a recording, or wants it to end. The program that records does so.
    case recording(isWanted: Bool)
    /// A face or a hand has come near the head, or is not near any more.
    case near(Bool)
}
