internal import DockControl
internal import FaceTracker
internal import Geometry
internal import RobotFace

/// The texts on the screen.
extension SessionState {
    /// Answers a person: on the screen for three seconds, or on standard output if there is no face.
    mutating func say(_ text: String, now: Seconds) -> [SessionEffect] {
        screen.say(text, now: now)
        return [.answer(text)]
    }

    mutating func refreshScreen(now: Seconds) -> [SessionEffect] {
        guard options.hasFace else { return [] }
        let room = plan
        let picture = screen.shows(.overlay) ? overlay(besidePlan: !room.isEmpty) : []
        let labels = picture + room + marks(now: now)
        let drawing = screen.shows(.overlay) ? shown.drawing(seenFrom: pictureView) : .empty
        return screen.refresh(row: row(now: now), labels: labels, drawing: drawing).map { .face($0) }
    }

    /// Returns the line that is being typed, otherwise the last message, otherwise the status if a person should see
    /// it.
    private func row(now: Seconds) -> String {
        let columns = screen.size?.columns ?? 80
        if let typed = input.typed.row(columns: columns) { return typed }
        if let message = screen.messageText { return message.clipped(to: columns) }
        guard screen.shows(.status) || options.hasDock && !snapshot.isWell else {
            return options.hint?.clipped(to: columns) ?? ""
        }
        return Self.fitting(facts(now: now), columns: columns).clipped(to: columns)
    }

    /// The plan of the room; empty unless it is switched on and the head's pose is known.
    private var plan: [TextOverlay.Label] {
        guard screen.shows(.plan), let size = screen.size, let frame = tracking.frame, let plan = RoomPlan(frame) else {
            return []
        }
        return plan.labels(columns: size.columns, rows: size.rows)
    }

    /// Returns how far a subject is, and the detector's confidences that this is a face, that it looks at the camera, and
    /// that it speaks: "~2.0 m, 96 %, looking 80 %". The legend names the first two.
    private static func facts(of subject: TrackedSubject, in frame: TrackedFrame) -> String {
        func percent(_ name: String, _ value: Double?) -> String? {
            value.map { "\(name)\(Int(($0 * 100).rounded())) %" }
        }
        let facts = [
            frame.distance(of: subject).map { words($0) }, percent("", subject.score),
            percent("looking ", subject.looking), percent("speaking ", subject.speaking),
        ]
        return facts.compactMap { $0 }.joined(separator: ", ")
    }

    /// Returns a distance in words: "1.3 m", or "~1.3 m" if it is an estimate.
    static func words(_ distance: SubjectDistance) -> String {
        let tenths = Int((distance.metres * 10).rounded())
        return (distance.source == .size ? "~" : "") + "\(tenths / 10).\(tenths % 10) m"
    }

    /// The framing, the pose, the batteries and the connection.
    private var rigWords: String {
        var parts = ["framing \(snapshot.framing.mode.rawValue)"]
        if let pose = snapshot.pose { parts.append(Self.degrees(pose, unit: "deg")) }
        parts += snapshot.device.batteries.map { Self.words($0, among: snapshot.device.batteries.count) }
        switch snapshot.dock {
        case .ready: parts.append("dock ready")
        case .greeting: parts.append("greeting the dock")
        case .detached(let reason): parts.append("no dock (\(reason.rawValue))")
        case .faulted(let fault): parts.append("STOPPED (\(fault.rawValue))")
        }
        return parts.joined(separator: "  ")
    }

    /// Returns the frame, the subjects, the legend and the state of the rig. `besidePlan`: whether the plan is shown.
    private func overlay(besidePlan: Bool) -> [TextOverlay.Label] {
        let vision = tracking.vision
        guard let frame = tracking.frame else {
            return vision.map { [TextOverlay.Label(x: 0.02, y: 0.11, text: $0.words)] } ?? []
        }
        var labels: [TextOverlay.Label] = []
        if let size = screen.size {
            let picture = PictureOverlay(columns: size.columns, rows: size.rows)
            labels += picture.border
            for subject in frame.subjects {
                labels += picture.box(subject.rect, isFollowed: subject.id == frame.followed?.id)
            }
            labels.append(picture.legend(things: shown.showsThings, besidePlan: besidePlan))
        }
        labels.append(TextOverlay.Label(x: frame.setPoint.x, y: frame.setPoint.y, text: "+"))
        labels += frame.subjects.map { subject in
            let number = subject.id == frame.followed?.id ? "[#\(subject.id)]" : "#\(subject.id)"
            let mark = subject.coasting ? number + "?" : number, facts = Self.facts(of: subject, in: frame)
            return TextOverlay.Label(
                x: subject.rect.center.x, y: subject.rect.center.y, text: facts.isEmpty ? mark : mark + " " + facts)
        }
        labels.append(TextOverlay.Label(x: 0.02, y: 0.06, text: rigWords))
        if let vision { labels.append(TextOverlay.Label(x: 0.02, y: 0.11, text: vision.words)) }
        let region = snapshot.framing.region
        if region != .full {
            labels.append(TextOverlay.Label(x: region.x, y: region.y, text: "┌"))
            labels.append(TextOverlay.Label(x: region.maxX, y: region.y, text: "┐"))
            labels.append(TextOverlay.Label(x: region.x, y: region.maxY, text: "└"))
            labels.append(TextOverlay.Label(x: region.maxX, y: region.maxY, text: "┘"))
        }
        return labels
    }
}

extension LoopSnapshot {
    /// Whether no person needs to look after the dock.
    fileprivate var isWell: Bool { dock == .ready || dock == .greeting }
}
