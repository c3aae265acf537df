internal import DockControl
internal import FaceTracker
internal import Geometry
internal import RobotFace

/// The session as a value: what is shown, what is typed, what was last heard of the dock. Events go in, effects come out;
/// nothing here reads a clock, a key or a port.
struct SessionState: Sendable {
    /// How the session is run.
    struct Options: Sendable {
        /// There is a face on a terminal.
        var hasFace: Bool
        /// The screen turns with the dock, or stands on the desk.
        var display: RigProfile.Mount
        /// End when the detections end.
        var endsWithInput: Bool
        /// Nothing moves; say what would.
        var dryRun: Bool
        /// Seed of the random faces.
        var seed: UInt64
        /// So long a face holds that a tap or a key has chosen, seconds; 0: until something else is chosen.
        var faceTime = Mood.passing
        /// The port as it was named.
        var port = ""
        /// The name of the rig model.
        var rig = ""
        /// Where detections come from.
        var source = "none"
        /// The camera on the dock; nil: there is none.
        var camera: (any CameraControl)?
        /// The expressions that the face knows.
        var expressions = ExpressionBook()
    }

    let options: Options
    var snapshot = LoopSnapshot()
    var mood: Mood
    var chevrons = ChevronKeys()
    var arbiter = Arbiter()
    var pace = ObservationPace()
    /// How it began, and which mode is owed.
    var start = StartRule()
    var frameRate = FrameRate()
    var library = MotionLibrary()
    var teacher = MotionTeacher()
    /// Who began to teach.
    var teacherAsker: Asker?
    /// A motion that was taught and is not written yet: a full disk shall not cost it.
    var unsaved: MotionScript?
    var desk: CameraDesk
    /// How camera and detectors do; nil: they are somebody else's.
    var vision: VisionHealth?
    /// `setSystemTrackingEnabled(false)` was the last word about the mode: a `track` enters mode custom.
    var customMayBegin = false
    var gesturesOn = false
    /// Whoever is followed was speaking in the last frame.
    private var sawSpeech = false
    /// The last motions that ended, the newest last.
    var endings: [EndedMotion] = []
    /// Topics that programs listen to, and those that `watch` tells.
    var audience: Set<Topic> = []
    var watched: Set<Topic> = []
    var beganAt: Seconds?
    var pictureSize: PictureSize?
    var lastFrame: TrackedFrame?
    var frames = 0
    /// How many different subjects there were; ids only grow and are never used again.
    var subjects = 0
    private var highestID = -1
    var showsHelp = false, showsStatus = false, showsOverlay = false
    var typed: String?
    var message: (text: String, until: Seconds)?
    var mouseDown: MouseDown?
    var screen: (columns: Int, rows: Int)?
    var clearAskedAt: Seconds?
    var speed = 1.0
    private var hasGreeted = false
    var lastStatusLine = ""
    var lastLabels: [TextOverlay.Label] = []
    var nextPreview: Seconds = 0
    private var nextTracking: Seconds = 0
    private var lastAccessory = AccessoryFacts()
    private var log = LogLimits()

    /// Tracking states are told so often, seconds (DockKit: ten times a second).
    static let trackingPeriod: Seconds = 0.1

    /// So many endings are told: a reader who is slow shall not miss its own.
    static let rememberedEndings = 8

    /// Answers stay on the screen for so long, seconds.
    static let messageTime: Seconds = 3

    init(options: Options) {
        self.options = options
        mood = Mood(seed: options.seed, expressions: options.expressions)
        desk = CameraDesk(for: options.camera)
    }

    mutating func handle(_ event: SessionEvent, now: Seconds) -> [SessionEffect] {
        if beganAt == nil { beganAt = now }
        let takeovers = arbiter.takeovers
        var effects: [SessionEffect] = []
        switch event {
        case .input(let input): effects = keys(input, now: now)
        case .screen(let columns, let rows): screen = (columns, rows)
        case .line(let line, let ticket): effects = command(line, ticket ?? .words, now: now)
        case .overtaken(let line): effects = overtaken(line, now: now)
        case .told(let answer): effects = finish(.words, answer, now: now)
        case .call(let command, let ticket): effects = call(command, ticket, now: now)
        case .heard(let client): arbiter.renew(client, now: now)
        case .gone(let client): effects = arbiter.gone(client).map { [.end($0.lost)] } ?? []
        case .answer(let ticket, let answer): effects = answered(ticket, answer, now: now)
        case .served(let ticket, let request, let result): effects = served(ticket, request, result, now: now)
        case .kept(let ticket, let library, let answer):
            if let library {
                self.library = library
                unsaved = nil
            }
            effects = finish(ticket, answer, now: now)
        case .traced(let tickets, let answer): effects = traced(tickets, answer, now: now)
        case .audience(let topics): audience = topics
        case .snapshot(let new): effects = take(new, now: now)
        case .loop(let happened): effects = take(happened, now: now)
        case .tracked(let frame):
            start.frame(now: now)
            effects = take(frame, now: now)
        case .tracking(let happened): effects = take(happened, now: now)
        case .vision(let health): vision = health
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

    // MARK: what the detector says

    private mutating func take(_ frame: TrackedFrame, now: Seconds) -> [SessionEffect] {
        frames += 1
        frameRate.frame(now: now)
        lastFrame = frame
        for subject in frame.subjects where subject.id > highestID {
            highestID = subject.id
            subjects += 1
        }
        var effects: [SessionEffect] = []
        if let followed = frame.followed, let bearing = frame.bearing {
            // A screen on the desk does not turn with the dock: the eyes look where the face is in the room.
            let direction = options.display == .fixed ? frame.world ?? bearing : bearing
            effects.append(
                .face(
                    FaceWish(
                        gaze: .at(
                            GazeTarget(bearing: direction.pan, elevation: direction.tilt, faceWidth: frame.width)))))
            let sight = Sight(subject: followed.id, width: frame.width, looking: followed.looking)
            // The head is about to follow, or does: what passes over the face must not turn it aside.
            if let wish = mood.sees(sight, now: now) { effects += show(wish, moves: false) }
        } else {
            effects.append(.face(FaceWish(gaze: .nobody)))
        }
        let speaks = (frame.followed?.speaking ?? 0) > 0.5
        if speaks != sawSpeech {
            sawSpeech = speaks
            effects.append(.face(FaceWish(speech: speaks)))
        }
        if now >= nextTracking, hears(.tracking) {
            nextTracking = max(nextTracking + Self.trackingPeriod, now)
            effects.append(.publish(.tracking))
        }
        return effects
    }

    private mutating func take(_ happened: TrackingEvent, now: Seconds) -> [SessionEffect] {
        switch happened {
        case .command(let line): return command(line, .words, now: now)
        case .pictureSize(let size):
            pictureSize = size
            return []
        case .problem(let text): return [.log(.warning, text)]
        case .selectionLost: return say("selectionLost: the selected subject stayed away, automatic again", now: now)
        case .status(let level, let text): return [.log(level == "info" ? .info : .warning, text)]
        case .ended:
            let end: [SessionEffect] = options.endsWithInput ? [.quit] : []
            return [.log(.info, "the detections have ended")] + end
        }
    }

    private mutating func tick(now: Seconds) -> [SessionEffect] {
        if !hasGreeted {
            hasGreeted = true
            if message == nil { message = ("?  help     q  quit", now + Self.messageTime) }
        }
        if let message, now >= message.until { self.message = nil }
        var effects: [SessionEffect] = []
        effects += holdMouse(now: now)
        if let wish = mood.tick(now: now) { effects += show(wish) }
        return effects
    }

    /// Shows an expression, and lets the head move with it where that is wanted.
    mutating func show(_ expression: Expression, moves: Bool = true) -> [SessionEffect] {
        var effects: [SessionEffect] = [.face(FaceWish(expression: expression))]
        if moves, gesturesOn, snapshot.dock == .ready, let script = MotionScript.gesture(of: expression) {
            effects.append(.motion(.gesture(script), nil))
        }
        if hears(.face) { effects.append(.publish(.face)) }
        return effects
    }

    // MARK: who listens

    func hears(_ topic: Topic) -> Bool { audience.contains(topic) || watched.contains(topic) }

    func notice(_ notice: SessionNotice) -> [SessionEffect] { [.notice(notice)] }

    /// What of the dock, the mode and the limits has changed.
    private mutating func publishAccessory() -> [SessionEffect] {
        guard hears(.accessory) else { return [] }
        let facts = AccessoryFacts(self)
        guard facts != lastAccessory else { return [] }
        lastAccessory = facts
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
