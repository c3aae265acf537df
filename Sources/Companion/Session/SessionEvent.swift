internal import DockControl
internal import FaceTracker
internal import Geometry
internal import RobotFace

/// Who asked for something, and where the answer goes.
struct Ticket: Sendable, Equatable {
    /// Who asked.
    var asker: Asker
    /// The number of the call that waits for the answer; nil: it is said to the person at the terminal.
    var call: Int?
    /// What a success means to a program, where the answer itself does not say it.
    var value = Outcome.Value.none
    /// The program that asked; nil: none did.
    var program: ProgramID?
    /// The mode that the session itself begins with, once all is well; nil: it is another wish.
    var firstMode: TrackingMode?
    /// A person's motion: programs wait for its end.
    var isPersonal = false
    /// What it does to the latch, once the loop has carried it out.
    var latch: LatchStep?
    /// The takeover that it was; nil: it was none.
    var takeover: Int?

    /// The same, with what a success means.
    func meaning(_ value: Outcome.Value) -> Ticket {
        var new = self
        new.value = value
        return new
    }

    /// An emergency stop latches, a clear releases.
    enum LatchStep: Sendable, Equatable { case latches, releases }

    static let keys = Ticket(asker: .keys)
    static let words = Ticket(asker: .words)
}

/// Everything that can happen to a session.
enum SessionEvent: Sendable {
    /// A key, from the controlling terminal.
    case input(InputEvent)
    /// The terminal's size, cells; told before a mouse event.
    case screen(columns: Int, rows: Int)
    /// A line of command words; nil: from standard input.
    case line(String, Ticket?)
    /// The same from standard input, after a stop that came behind it.
    case overtaken(String)
    /// What came of a stop that was carried out before its turn; told now.
    case told(Answer)
    /// A program asks.
    case call(Command, Ticket)
    /// Any request of a program came: it lives.
    case heard(client: Int)
    /// A program's connection ended.
    case gone(client: Int)
    /// What came of a command that concerns motion.
    case answer(Ticket, MotionAnswer)
    /// What came of a tap, a selection or an observation.
    case served(Ticket, PipelineRequest, Result<Int, DockError>)
    /// What came of keeping a preset or a motion; nil: all stays as it is.
    case kept(Ticket, MotionLibrary?, Answer)
    /// What came of writing a trace, and who asked for it; nil: a fault did.
    case traced([Ticket]?, Answer)
    /// The topics that anybody listens to.
    case audience(Set<Topic>)
    /// The loop's newest state.
    case snapshot(LoopSnapshot)
    /// Something happened at the dock.
    case loop(LoopEvent)
    /// A frame was tracked.
    case tracked(TrackedFrame)
    /// Something about the detections.
    case tracking(TrackingEvent)
    /// Camera or detectors do better or worse than before.
    case vision(VisionHealth)
    /// A quarter of a second has passed.
    case tick
}

/// What the session wants done.
enum SessionEffect: Sendable, Equatable {
    /// To the dock's loop; whoever asked may wait for what comes of it.
    case motion(MotionCommand, Ticket?)
    /// To the dock's loop: whatever moves under this lease ends. No queue refuses it.
    case end(LostLease)
    /// To the tracking.
    case ask(PipelineRequest, Ticket)
    /// Keep presets or motions: write them, then tell.
    case keep(LibraryChange, Ticket)
    /// Write down the last half minute, then tell.
    case trace(Ticket)
    /// Let another source of detections steer.
    case use(String)
    /// To the camera on the dock.
    case camera([CameraAction])
    /// To the face.
    case face(FaceWish)
    /// A line for whoever typed: "ok ..." or "error ...: what to do".
    case answer(String)
    /// What came of a call.
    case reply(call: Int, Answer)
    /// Something changed that is listened to.
    case publish(Topic)
    /// From now on these topics are told on standard output.
    case watch(Set<Topic>)
    /// Something happened that is listened to.
    case notice(SessionNotice)
    /// For the log.
    case log(LogLevel, String)
    /// End the program.
    case quit
}

/// How loud a line of the log is.
public enum LogLevel: String, Sendable, Equatable {
    /// For whoever is curious.
    case info
    /// Somebody should look after it.
    case warning
    /// It does not work.
    case error
}

/// Something that happened once: buttons of the dock, and the camera they drive (DockKit's accessory events).
public enum SessionNotice: Sendable, Equatable {
    /// A button of the maker's own, by number.
    case button(id: Int, pressed: Bool)
    /// The shutter button.
    case cameraShutter
    /// The button that changes cameras.
    case cameraFlip
    /// The zoom wheel: steps of 0.2, + = in.
    case cameraZoom(factor: Double)
    /// The tracking button: system tracking is on, or off, from now on.
    case trackingButton(enabled: Bool)
    /// The camera was changed.
    case camera(CameraState)
}
