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
        /// The name of the rig model.
        var rig = ""
        /// Where detections come from.
        var source = "none"
        /// The camera on the dock; nil: there is none.
        var camera: (any CameraControl)?
    }

    let options: Options
    var snapshot = LoopSnapshot()
    var mood: Mood
    var chevrons = ChevronKeys()
    var arbiter = Arbiter()
    var pace = ObservationPace()
    var frameRate = FrameRate()
    var library = MotionLibrary()
    var teacher = MotionTeacher()
    var desk: CameraDesk
    /// `setSystemTrackingEnabled(false)` was the last word about the mode: a `track` enters mode custom.
    var customMayBegin = false
    var gesturesOn = false
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
    var mouseDownAt: Seconds?
    var screen: (columns: Int, rows: Int)?
    var clearAskedAt: Seconds?
    var speed = 1.0
    private var hasGreeted = false
    private var lastStatusLine = ""
    private var lastLabels: [TextOverlay.Label] = []
    private var nextPreview: Seconds = 0
    private var nextTracking: Seconds = 0
    private var lastAccessory = AccessoryFacts()

    /// Tracking states are told so often, seconds (DockKit: ten times a second).
    static let trackingPeriod: Seconds = 0.1

    /// So many endings are told: a reader who is slow shall not miss its own.
    static let rememberedEndings = 8

    /// Answers stay on the screen for so long, seconds.
    static let messageTime: Seconds = 3

    init(options: Options) {
        self.options = options
        mood = Mood(seed: options.seed)
        desk = CameraDesk(for: options.camera)
    }

    mutating func handle(_ event: SessionEvent, now: Seconds) -> [SessionEffect] {
        if beganAt == nil { beganAt = now }
        var effects: [SessionEffect] = []
        switch event {
        case .input(let input): effects = keys(input, now: now)
        case .screen(let columns, let rows): screen = (columns, rows)
        case .line(let line, let ticket): effects = command(line, ticket ?? .words, now: now)
        case .call(let command, let ticket): effects = call(command, ticket, now: now)
        case .heard(let client): arbiter.renew(client, now: now)
        case .gone(let client): effects = lost(arbiter.gone(client), now: now)
        case .answer(let ticket, let answer): effects = answered(ticket, answer, now: now)
        case .served(let ticket, let request, let result): effects = served(ticket, request, result, now: now)
        case .kept(let ticket, let library, let answer):
            self.library = library
            effects = finish(ticket, answer, now: now)
        case .audience(let topics): audience = topics
        case .snapshot(let new): effects = take(new, now: now)
        case .loop(let happened): effects = take(happened, now: now)
        case .tracked(let frame): effects = take(frame, now: now)
        case .tracking(let happened): effects = take(happened, now: now)
        case .tick: effects = tick(now: now)
        }
        effects += lost(arbiter.expire(now: now), now: now)
        return effects + publishAccessory(now: now) + refreshScreen(now: now)
    }

    // MARK: what the dock and the detector say

    private mutating func take(_ new: LoopSnapshot, now: Seconds) -> [SessionEffect] {
        let before = snapshot
        snapshot = new
        var effects: [SessionEffect] = []
        if new.phase == .detectorStale, before.phase != .detectorStale {
            effects.append(
                .log(.warning, "no frames from the detector: the dock stands still; check the detector stage"))
            effects.append(.face(FaceWish(gaze: .nobody)))
        }
        if let script = new.motion, new.isScript, before.motion != script, let motion = EyeMotion(rawValue: script.name)
        {
            effects.append(
                .face(FaceWish(motion: .play(motion, duration: script.duration, start: script.start))))
        } else if !new.isScript, before.isScript {
            effects.append(.face(FaceWish(motion: .cancel)))
        }
        if let pose = new.pose, teacher.take(pose, now: new.time) {
            effects += say("a minute is recorded, that is the most: `motion finish` keeps it", now: now)
        }
        if hears(.motion) { effects.append(.publish(.motion, status(now: now))) }
        if options.dryRun, new.command != .zero, now >= nextPreview {
            nextPreview = now + 1
            effects.append(.log(.info, "dry run: would turn " + Self.degrees(new.command, unit: "deg/s")))
        }
        return effects
    }

    private mutating func take(_ happened: LoopEvent, now: Seconds) -> [SessionEffect] {
        switch happened {
        case .dock(let state, let identity): return dockChanged(state, identity, now: now)
        case .accessory(let event): return pressed(event, now: now)
        case .battery(let battery): return took(battery, now: now)
        case .motionEnded(let over):
            endings = Array((endings + [over]).suffix(Self.rememberedEndings))
            arbiter.ended(over.id)
            return hears(.motion) ? [.publish(.motion, status(now: now))] : []
        case .inputEnded: return []
        case .note(let text): return [.log(.warning, text)]
        case .lost(let count): return [.log(.warning, "\(count) events of the dock were lost")]
        }
    }

    private mutating func took(_ battery: BatteryState, now: Seconds) -> [SessionEffect] {
        if let index = snapshot.batteries.firstIndex(where: { $0.name == battery.name }) {
            snapshot.batteries[index] = battery
        } else {
            snapshot.batteries.append(battery)
        }
        var effects: [SessionEffect] = []
        let isTired = snapshot.batteries.contains { $0.isLow && $0.charge != .charging }
        if isTired, !mood.isTired {
            effects.append(.log(.warning, "the battery \"\(battery.name)\" is low: half speed until it is charged"))
        }
        if let wish = mood.tire(isTired) { effects += show(wish, now: now) }
        if hears(.battery) { effects.append(.publish(.battery, status(now: now))) }
        return effects
    }

    /// A person did something at the dock.
    private mutating func pressed(_ event: AccessoryEvent, now: Seconds) -> [SessionEffect] {
        var effects: [SessionEffect] = [.log(.info, "the dock's \(Self.words(event))")]
        switch event {
        case .button(let id, let pressed): effects += notice(.button(id: id, pressed: pressed))
        case .cameraShutter: effects += notice(.cameraShutter)
        case .cameraFlip: effects += notice(.cameraFlip)
        case .cameraZoom(let steps): effects += notice(.cameraZoom(factor: Double(steps) * CameraDesk.step))
        case .trackingButton(let pressed):
            guard pressed else { return effects }
            let enabled = snapshot.mode != .system
            effects += notice(.trackingButton(enabled: enabled))
            // It is a hand at the dock: as strong as the keys.
            if !enabled { arbiter.tookOver(.keys, now: now) }
            return effects + call(.motion(.setMode(enabled ? .system : .manual)), .keys, now: now)
        }
        return effects + cameraChanged(desk.take(event, now: now)?.actions ?? [])
    }

    private mutating func dockChanged(
        _ state: DockState, _ identity: DockIdentity?, now: Seconds
    ) -> [SessionEffect] {
        // The snapshot has it already: an event that comes late, through a task, must not bring back what is over.
        switch state {
        case .ready:
            let name = identity.map { "\($0.model) \($0.uid), firmware \($0.firmware)" } ?? "dock"
            return [.log(.info, "dock ready: \(name)")]
        case .greeting: return []
        case .detached(let reason):
            let what: String
            switch reason {
            case .notFound: what = "no dock yet: plug it in, dockface waits for it"
            case .unplugged: what = "the dock is gone: stopped; plug it in again, dockface waits for it"
            case .otherDevice:
                what = "another dock came back: nothing is sent to it; plug the right one in, or start anew"
            case .noAnswer:
                what = "the port is open and nothing answers: is it the right port, is the dock switched on?"
            }
            return [.log(.warning, what)]
        case .faulted(let fault):
            return [.log(.error, "stopped and latched (\(fault.rawValue)): make sure all is well, then type `clear`")]
        }
    }

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
            if let wish = mood.sees(followed.id, now: now) { effects += show(wish, now: now) }
        } else {
            effects.append(.face(FaceWish(gaze: .nobody)))
        }
        if now >= nextTracking, hears(.tracking) {
            nextTracking = max(nextTracking + Self.trackingPeriod, now)
            effects.append(.publish(.tracking, status(now: now)))
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
        if let wish = mood.tick(now: now) { effects += show(wish, now: now) }
        return effects
    }

    /// Shows an expression, and lets the head move with it where that is wanted.
    mutating func show(_ expression: Expression, now: Seconds) -> [SessionEffect] {
        var effects: [SessionEffect] = [.face(FaceWish(expression: expression))]
        if gesturesOn, snapshot.dock == .ready, let script = MotionScript.gesture(of: expression) {
            effects.append(.motion(.gesture(script), nil))
        }
        if hears(.face) { effects.append(.publish(.face, status(now: now))) }
        return effects
    }

    // MARK: who listens

    func hears(_ topic: Topic) -> Bool { audience.contains(topic) || watched.contains(topic) }

    func notice(_ notice: SessionNotice) -> [SessionEffect] { [.notice(notice)] }

    /// What of the dock, the mode and the limits has changed.
    private mutating func publishAccessory(now: Seconds) -> [SessionEffect] {
        guard hears(.accessory) else { return [] }
        let facts = AccessoryFacts(self)
        guard facts != lastAccessory else { return [] }
        lastAccessory = facts
        return [.publish(.accessory, status(now: now))]
    }

    // MARK: out

    /// For whoever typed: on the screen for three seconds, else on standard output.
    mutating func say(_ text: String, now: Seconds) -> [SessionEffect] {
        message = (text, now + Self.messageTime)
        return [.answer(text)]
    }

    private mutating func refreshScreen(now: Seconds) -> [SessionEffect] {
        guard options.hasFace else { return [] }
        var effects: [SessionEffect] = []
        let line =
            typed.map { ":" + $0 + "▏" } ?? message?.text
            ?? (showsStatus || !snapshot.isWell ? shortStatus(now: now) : "")
        if line != lastStatusLine {
            lastStatusLine = line
            effects.append(.face(FaceWish(statusLine: line)))
        }
        let labels = (showsOverlay ? overlay : []) + cameraMarks
        if labels != lastLabels {
            lastLabels = labels
            effects.append(.face(FaceWish(labels: labels)))
        }
        return effects
    }

    /// That the camera records, and how far it zooms, is for everybody in front of it to see.
    private var cameraMarks: [TextOverlay.Label] {
        guard let camera = desk.state else { return [] }
        var labels: [TextOverlay.Label] = []
        if camera.isRecording { labels.append(TextOverlay.Label(x: 0.02, y: 0, text: "● REC")) }
        if camera.magnification > 1 {
            labels.append(TextOverlay.Label(x: 0.9, y: 0, text: "\(camera.magnification)x"))
        }
        return labels
    }

    /// Which point of the picture a cell of the overlay shows.
    func place(column: Int, row: Int) -> Point? {
        guard let screen, screen.columns > 1, screen.rows > 1 else { return nil }
        return Point(
            x: (Double(column) / Double(screen.columns - 1)).clamped(to: 0...1),
            y: (Double(row) / Double(screen.rows - 1)).clamped(to: 0...1))
    }

    private var overlay: [TextOverlay.Label] {
        guard let frame = lastFrame else { return [] }
        var labels = [TextOverlay.Label(x: frame.setPoint.x, y: frame.setPoint.y, text: "+")]
        labels += frame.subjects.map { subject in
            let mark = subject.id == frame.followed?.id ? "[#\(subject.id)]" : "#\(subject.id)"
            return TextOverlay.Label(
                x: subject.rect.center.x, y: subject.rect.center.y, text: subject.coasting ? mark + "?" : mark)
        }
        let region = snapshot.framing.region
        if region != .full {
            labels.append(TextOverlay.Label(x: region.x, y: region.y, text: "┌"))
            labels.append(TextOverlay.Label(x: region.maxX, y: region.y, text: "┐"))
            labels.append(TextOverlay.Label(x: region.x, y: region.maxY, text: "└"))
            labels.append(TextOverlay.Label(x: region.maxX, y: region.maxY, text: "┘"))
        }
        return labels
    }

    static func degrees(_ value: PanTilt, unit: String) -> String {
        func text(_ radians: Double) -> String {
            let tenths = Int((radians.inDegrees * 10).rounded())
            return (tenths < 0 ? "-" : "+") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
        }
        return "pan \(text(value.pan)) tilt \(text(value.tilt)) \(unit)"
    }

    private static func words(_ event: AccessoryEvent) -> String {
        switch event {
        case .button(let id, let pressed): "button \(id) was \(pressed ? "pressed" : "released")"
        case .cameraShutter: "shutter button was pressed"
        case .cameraFlip: "flip button was pressed"
        case .cameraZoom(let steps): "zoom wheel was turned by \(steps)"
        case .trackingButton(let pressed): "tracking button was \(pressed ? "pressed" : "released")"
        }
    }
}

extension LoopSnapshot {
    /// Nothing that a person has to look after.
    fileprivate var isWell: Bool { dock == .ready || dock == .greeting }
}
