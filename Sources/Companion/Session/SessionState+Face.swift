internal import DockControl
internal import Geometry
internal import RobotFace

/// Commands for the face, and its reactions.
extension SessionState {
    mutating func face(_ command: Command, _ ticket: Ticket, now: Seconds) -> [SessionEffect] {
        var effects: [SessionEffect] = []
        var words = ""
        switch command {
        case .face(let name):
            guard let expression = face.choose(name, now: now) else {
                return refuse(ticket, face.refusal(of: name, isTyped: ticket.call == nil), now: now)
            }
            effects = show(face.mood.expression)
            words = "face \(expression.name)" + (face.mood.isHurt ? ", once the stop is cleared" : "")
        case .automaticFace:
            if let expression = face.mood.resumeAutomatic(now: now) { effects = show(expression) }
            words = "face automatic: \(face.mood.expression.name)"
        case .nextFace:
            effects = nextFace(now: now)
            words = "face \(face.mood.expression.name)"
        case .randomFaces(let on):
            effects = random(on ?? !face.mood.isRandom, now: now)
            words = "random faces \(face.mood.isRandom ? "on" : "off")"
            if audience.hears(.face) { effects.append(.publish(.face)) }
        case .gestures(let on):
            face.gestures = on
            if audience.hears(.face) { effects.append(.publish(.face)) }
            return effects + finish(ticket, .success(Outcome("gestures \(on ? "on" : "off")", .gestures(on))), now: now)
        default: break
        }
        let outcome = Outcome(words, .face(face.mood.expression, isRandom: face.mood.isRandom))
        return effects + finish(ticket, .success(outcome), now: now)
    }

    mutating func nextFace(now: Seconds) -> [SessionEffect] { face.browse(now: now).map { show($0) } ?? [] }

    mutating func random(_ on: Bool, now: Seconds) -> [SessionEffect] {
        face.mood.random(on, now: now).map { show($0) } ?? []
    }

    /// Shows an expression. The head moves with it if gestures are on.
    func show(_ expression: Expression) -> [SessionEffect] {
        var effects: [SessionEffect] = [.face(FaceChange(expression: expression))]
        if face.gestures, snapshot.dock == .ready, let script = MotionScript.gesture(of: expression) {
            effects.append(.motion(.gesture(script), nil))
        }
        if audience.hears(.face) { effects.append(.publish(.face)) }
        return effects
    }

    /// Shows the face's reaction to a tracked frame. Only the face reacts, because the head may be following and must
    /// not be disturbed.
    func react(_ change: FaceChange) -> [SessionEffect] {
        [.face(change)] + (change.expression != nil && audience.hears(.face) ? [.publish(.face)] : [])
    }
}
