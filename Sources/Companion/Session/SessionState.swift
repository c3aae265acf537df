internal import DockControl
internal import FaceTracker
internal import Geometry
internal import RobotFace

/// The session as a value: the screen, the input and the newest state of the dock. Events go in, effects come out; nothing here
/// reads a clock, a key or a port.
struct SessionState: Sendable {
    /// How the session runs.
    struct Options: Sendable {
        /// Whether a terminal shows a face.
        var hasFace: Bool
        /// Whether the screen turns with the dock or stands on the desk.
        var display: RigProfile.Mount
        /// Whether the session ends with the detections.
        var endsWithInput: Bool
        /// Nothing moves; the log reports what would move.
        var dryRun: Bool
        /// Seed of the random faces.
        var seed: UInt64
        /// How long a face that a tap or a key chose remains, seconds; 0: until another choice.
        var faceTime = Mood.passing
        /// The port, as the user named it.
        var port = ""
        /// The name of the rig model.
        var rig = ""
        /// Where detections come from.
        var source = "none"
        /// The camera on the dock; nil: none.
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
    /// How the session began, and the mode that is still pending.
    var start = StartRule()
    var frameRate = FrameRate()
    var library = MotionLibrary()
    var teacher = MotionTeacher()
    /// Who started the recording of a taught motion.
    var teacherAsker: Asker?
    /// A taught motion that is not written yet, so that a full disk does not lose it.
    var unsaved: MotionScript?
    var desk: CameraDesk
    /// State of camera and detectors; nil: the session does not run them.
    var vision: VisionHealth?
    /// Whether `setSystemTrackingEnabled(false)` was the last mode change: the next `track` then enters mode custom.
    var customMayBegin = false
    var gesturesOn = false
    /// Whether the followed person spoke in the last frame.
    private var sawSpeech = false
    /// The last motions that ended, newest last.
    var endings: [EndedMotion] = []
    /// Topics that programs subscribe to, and topics that `watch` prints.
    var audience: Set<Topic> = []
    var watched: Set<Topic> = []
    var beganAt: Seconds?
    var pictureSize: PictureSize?
    var lastFrame: TrackedFrame?
    var frames = 0
    /// Number of distinct subjects; ids only grow and are never reused.
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

    /// Shortest time between two tracking states, seconds (DockKit: ten states a second).
    static let trackingPeriod: Seconds = 0.1

    /// Number of motion endings to keep, so that a slow reader does not miss its own.
    static let rememberedEndings = 8

    /// How long an answer stays on the screen, seconds.
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

    // MARK: detector events

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
            // A screen on the desk does not turn with the dock: the eyes use the direction in the room.
            let direction = options.display == .fixed ? frame.world ?? bearing : bearing
            effects.append(
                .face(
                    FaceWish(
                        gaze: .at(
                            GazeTarget(bearing: direction.pan, elevation: direction.tilt, faceWidth: frame.width)))))
            let sight = Sight(subject: followed.id, width: frame.width, looking: followed.looking)
            // Only the face shows this reaction: the head may be following and must not be disturbed.
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
        case .selectionLost:
            return say("selectionLost: the selected subject did not return; selection is automatic again", now: now)
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

    /// Shows an expression. The head moves with it if gestures are on.
    mutating func show(_ expression: Expression, moves: Bool = true) -> [SessionEffect] {
        var effects: [SessionEffect] = [.face(FaceWish(expression: expression))]
        if moves, gesturesOn, snapshot.dock == .ready, let script = MotionScript.gesture(of: expression) {
            effects.append(.motion(.gesture(script), nil))
        }
        if hears(.face) { effects.append(.publish(.face)) }
        return effects
    }

    // MARK: listeners

    func hears(_ topic: Topic) -> Bool { audience.contains(topic) || watched.contains(topic) }

    func notice(_ notice: SessionNotice) -> [SessionEffect] { [.notice(notice)] }

    /// Publishes topic `accessory` if the dock, the mode or the limits have changed.
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
