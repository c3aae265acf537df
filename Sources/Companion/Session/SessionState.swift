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
    }

    let options: Options
    var snapshot = LoopSnapshot()
    var mood: Mood
    var chevrons = ChevronKeys()
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
    var clearAskedAt: Seconds?
    var speed = 1.0
    private var hasGreeted = false
    private var lastStatusLine = ""
    private var lastLabels: [TextOverlay.Label] = []
    private var nextPreview: Seconds = 0

    /// Answers stay on the screen for so long, seconds.
    static let messageTime: Seconds = 3

    init(options: Options) {
        self.options = options
        mood = Mood(seed: options.seed)
    }

    mutating func handle(_ event: SessionEvent, now: Seconds) -> [SessionEffect] {
        var effects: [SessionEffect] = []
        switch event {
        case .input(let input): effects = keys(input, now: now)
        case .line(let line): effects = command(line, now: now)
        case .answer(.success(let words)): effects = say("ok " + words.text, now: now)
        case .answer(.failure(let error)): effects = say("error \(error.message): \(error.hint)", now: now)
        case .selected(let request, let id): effects = selected(request, id, now: now)
        case .snapshot(let new): effects = take(new, now: now)
        case .loop(let happened): effects = take(happened, now: now)
        case .tracked(let frame): effects = take(frame, now: now)
        case .tracking(let happened): effects = take(happened, now: now)
        case .tick: effects = tick(now: now)
        }
        return effects + refreshScreen(now: now)
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
        if options.dryRun, new.command != .zero, now >= nextPreview {
            nextPreview = now + 1
            effects.append(.log(.info, "dry run: would turn " + Self.degrees(new.command, unit: "deg/s")))
        }
        return effects
    }

    private mutating func take(_ happened: LoopEvent, now: Seconds) -> [SessionEffect] {
        switch happened {
        case .dock(let state, let identity): return dockChanged(state, identity, now: now)
        case .accessory(let event): return [.log(.info, "the dock's \(Self.words(event))")]
        case .battery(let battery):
            return battery.isLow ? [.log(.warning, "the dock's battery is low")] : []
        case .motionEnded, .inputEnded: return []
        case .note(let text): return [.log(.warning, text)]
        case .lost(let count): return [.log(.warning, "\(count) events of the dock were lost")]
        }
    }

    private mutating func dockChanged(
        _ state: DockState, _ identity: DockIdentity?, now: Seconds
    ) -> [SessionEffect] {
        snapshot.dock = state
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
            if let wish = mood.sees(followed.id, now: now) { effects.append(.face(FaceWish(expression: wish))) }
        } else {
            effects.append(.face(FaceWish(gaze: .nobody)))
        }
        return effects
    }

    private mutating func take(_ happened: TrackingEvent, now: Seconds) -> [SessionEffect] {
        switch happened {
        case .command(let line): return command(line, now: now)
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
        if let wish = mood.tick(now: now) { return [.face(FaceWish(expression: wish))] }
        return []
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
            ?? (showsStatus || !snapshot.isWell ? statusWords(why: false) : "")
        if line != lastStatusLine {
            lastStatusLine = line
            effects.append(.face(FaceWish(statusLine: line)))
        }
        let labels = showsOverlay ? overlay : []
        if labels != lastLabels {
            lastLabels = labels
            effects.append(.face(FaceWish(labels: labels)))
        }
        return effects
    }

    private var overlay: [TextOverlay.Label] {
        guard let frame = lastFrame else { return [] }
        var labels = frame.subjects.map { subject in
            let mark = subject.id == frame.followed?.id ? "[#\(subject.id)]" : "#\(subject.id)"
            return TextOverlay.Label(
                x: subject.rect.center.x, y: subject.rect.center.y, text: subject.coasting ? mark + "?" : mark)
        }
        labels.append(TextOverlay.Label(x: frame.setPoint.x, y: frame.setPoint.y, text: "+"))
        return labels
    }

    /// The state in words.
    func statusWords(why: Bool) -> String {
        var parts = ["mode \(snapshot.mode.rawValue)"]
        switch snapshot.dock {
        case .ready: parts.append("dock ready")
        case .greeting: parts.append("greeting the dock")
        case .detached(let reason): parts.append("no dock (\(reason.rawValue))")
        case .faulted(let fault): parts.append("STOPPED (\(fault.rawValue)): clear it")
        }
        if let script = snapshot.motion { parts.append(snapshot.isScript ? "animation \(script.name)" : script.name) }
        if snapshot.phase != .idle {
            let id = lastFrame?.followed.map { " #\($0.id)" } ?? ""
            parts.append(snapshot.phase.rawValue + id)
        }
        parts.append("framing \(snapshot.framing.mode.rawValue)")
        if let pose = snapshot.pose { parts.append(Self.degrees(pose, unit: "deg")) }
        if let level = snapshot.batteries.first?.level { parts.append("battery \(Int((level * 100).rounded())) %") }
        parts.append("face \(mood.expression.name)")
        if why { parts.append("why: " + snapshot.reason.rawValue) }
        return parts.joined(separator: ", ")
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
