internal import ControlProtocol
internal import DockControl
internal import FaceTracker
internal import Geometry
internal import RobotFace

/// The session as a value: the screen, the input and the newest state of the dock. It receives events and returns
/// effects. Nothing here reads a clock, a key or a port.
struct SessionState: Sendable {
    /// The options of a session.
    struct Options: Sendable {
        /// Whether a terminal shows a face.
        var hasFace: Bool
        /// Whether the screen turns with the dock or is fixed on the desk.
        var display: RigProfile.Mount
        /// Whether the session ends with the detections.
        var endsWithInput: Bool
        /// Whether nothing moves and the log reports what would move.
        var dryRun: Bool
        /// Whether the frames do not come from a camera on this head, even if the profile says so.
        var cameraIsElsewhere = false
        /// Whether the head is slower while a face or a hand is near.
        var watchesNear = false
        /// The seed of the random faces.
        var seed: UInt64
        /// The time for which a face that a tap or a key chose remains, in seconds; 0 means until another choice.
        var faceTime = Mood.passing
        /// The rig: its model, its port as the user named it, its cameras.
        var rig = RigReading()
        /// The source of the detections.
        var source = "none"
        /// The camera on the dock, or nil if there is none.
        var camera: (any CameraControl)?
        /// The available expressions.
        var expressions = ExpressionBook()
        /// Whether the plan of the room is shown from the start.
        var showsPlan = false
        /// Whether the overlay is shown from the start.
        var showsOverlay = false
        /// What a person can do next, in the status row while it is empty, or nil.
        var hint: String?
        /// Whether the run has a dock, present or not.
        var hasDock: Bool { rig.port != "none" }
    }

    let options: Options
    var dock = DockView()
    var tracking = TrackingView()
    var arbiter = Arbiter()
    var custom = CustomTracking()
    /// The rule by which the session began, and the mode that is still pending.
    var start = StartRule()
    var face: FaceDesk
    var motions = MotionDesk()
    var desk: CameraDesk
    var input = TerminalInput()
    var screen = Screen()
    var audience = Audience()
    /// What other programs show.
    var shown = ShowDesk()
    private var beganAt: Seconds?
    var log = LogLimits()

    /// The newest state of the dock's loop.
    var snapshot: LoopSnapshot { dock.snapshot }

    init(options: Options) {
        self.options = options
        face = FaceDesk(options)
        desk = CameraDesk(for: options.camera)
        screen.show(.plan, options.showsPlan)
        screen.show(.overlay, options.showsOverlay)
    }

    /// Returns the time since the first event, in seconds.
    func uptime(now: Seconds) -> Seconds { now - (beganAt ?? now) }

    mutating func handle(_ event: SessionEvent, now: Seconds) -> [SessionEffect] {
        if beganAt == nil { beganAt = now }
        let takeovers = arbiter.takeovers
        var effects: [SessionEffect] = []
        switch event {
        case .input(let input): effects = keys(input, now: now)
        case .screen(let columns, let rows): screen.size = (columns, rows)
        case .line(let line, let ticket):
            // A scene's own words must not act against a person who has stopped the head or taken it over.
            if let ticket, ticket.isQuiet, !admitsCues {
                effects = Self.answered(ticket)
            } else {
                effects = command(line, ticket ?? .words, now: now)
            }
        case .overtaken(let line, let ticket): effects = overtaken(line, ticket, now: now)
        case .stopAnswered(let answer, let ticket): effects = finish(ticket, answer, now: now)
        case .call(let command, let ticket): effects = call(command, ticket, now: now)
        case .clientHeard(let client): arbiter.renew(client, now: now)
        case .clientClosed(let client):
            effects = (arbiter.disconnected(client).map { [.end($0.lost)] } ?? []) + showEnded(client, now: now)
        case .answer(let ticket, let answer): effects = answered(ticket, answer, now: now)
        case .served(let ticket, let request, let result): effects = served(ticket, request, result, now: now)
        case .kept(let ticket, let library, let answer): effects = written(library, ticket, answer, now: now)
        case .traced(let tickets, let answer): effects = traced(tickets, answer, now: now)
        case .audience(let interest): audience.programs = interest
        case .snapshot(let new): effects = receive(new, now: now)
        case .loop(let happened): effects = receive(happened, now: now)
        case .tracked(let frame): effects = receive(frame, now: now)
        case .tracking(let happened): effects = receive(happened, now: now)
        case .vision(let health): tracking.record(health, now: now)
        case .extensions(let children): shown.extensions.setChildren(children)
        case .tick: effects = tick(now: now)
        }
        if let lost = arbiter.expire(now: now)?.lost { effects.append(.end(lost)) }
        if arbiter.takeovers != takeovers { start.acted() }
        if snapshot.dock == .ready, let mode = start.due(now: now) {
            var ticket = Ticket(asker: .client(Arbiter.library))
            ticket.firstMode = mode
            effects.append(.motion(.setMode(mode), ticket))
        }
        return log.limited(effects, of: event, now: now) + publishAccessory() + refreshScreen(now: now)
    }

    /// Whether a scene may act. It may while the dock tracks by itself, and before the dock is ready for the first
    /// time.
    var admitsCues: Bool {
        switch snapshot.dock {
        case .ready: snapshot.mode == .system
        case .faulted: false
        case .greeting, .detached: true
        }
    }

    // MARK: detector events

    /// The text that explains why the head does not behave as with a camera that it carries.
    static let cameraIsElsewhere =
        "the frames do not come from a camera on this head, so tracking treats the camera as fixed (camera.mount = \"fixed\"): the head looks where the faces are, and the picture does not move with it"

    private mutating func receive(_ frame: TrackedFrame, now: Seconds) -> [SessionEffect] {
        start.frame(now: now)
        var effects: [SessionEffect] = []
        if options.cameraIsElsewhere, tracking.frame == nil { effects.append(.log(.info, Self.cameraIsElsewhere)) }
        tracking.record(frame, now: now)
        effects += face.look(at: frame, now: now).flatMap { react($0) } + watchNear(now: now)
        if audience.trackingIsDue(now: now) {
            effects.append(.publish(.tracking))
        } else if audience.programs.everyFrame {
            effects.append(.publishFrame)
        }
        return effects
    }

    private mutating func receive(_ happened: TrackingEvent, now: Seconds) -> [SessionEffect] {
        switch happened {
        case .command(let line): return command(line, .words, now: now)
        case .pictureSize(let size):
            tracking.pictureSize = size
            return []
        case .problem(let text): return [.log(.warning, text)]
        case .selectionLost:
            return say("selectionLost: the selected subject did not return; selection is automatic again", now: now)
        case .status(let level, let text): return [.log(level == "info" ? .info : .warning, text)]
        case .ended:
            let end: [SessionEffect] = options.endsWithInput ? [.quit] : []
            return [.log(.info, "the detections have ended")] + end
        }
    }

    private mutating func tick(now: Seconds) -> [SessionEffect] {
        screen.tick(now: now)
        var effects = expireShown(now: now) + watchNear(now: now)
        if let action = input.tick(isFrameShown: screen.shows(.overlay), now: now) {
            effects += perform(action, now: now)
        }
        if let expression = face.mood.tick(now: now) { effects += show(expression) }
        if tracking.forgetSilent(now: now) {
            effects.append(.face(FaceChange(gaze: .noPerson)))
            if audience.hears(.tracking) { effects.append(.publish(.tracking)) }
        }
        return effects
    }

    // MARK: listeners

    func notice(_ notice: SessionNotice) -> [SessionEffect] { [.notice(notice)] }

    /// Publishes topic `accessory` if the dock, the mode or the limits have changed.
    private mutating func publishAccessory() -> [SessionEffect] {
        guard audience.hears(.accessory), audience.accessoryIsDue(AccessoryFacts(self)) else { return [] }
        return [.publish(.accessory)]
    }

    static func degrees(_ value: PanTilt, unit: String) -> String {
        func text(_ radians: Double) -> String {
            let tenths = Int((radians.inDegrees * 10).rounded())
            return (tenths < 0 ? "-" : "+") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
        }
        return "pan \(text(value.pan)) tilt \(text(value.tilt)) \(unit)"
    }
}
