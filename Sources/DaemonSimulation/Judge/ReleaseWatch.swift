internal import DockControl

/// Motors that somebody let go of hold again only when somebody asks for it: a hand may be at the head.
struct ReleaseWatch {
    private var isOffAsked = false
    /// Calls for torque that have not been answered yet.
    private var callsOn = 0
    /// `torque off` was asked for and has been written.
    private(set) var isReleased = false

    mutating func commanded(_ command: MotionCommand) {
        if command == .torque(false) { isOffAsked = true }
        if command == .torque(true) { callsOn += 1 }
    }

    mutating func answered(_ command: MotionCommand, _ answer: MotionAnswer) {
        let isDone = if case .success = answer { true } else { false }
        if command == .torque(false) { isOffAsked = false }
        guard command == .torque(true) else { return }
        callsOn -= 1
        if isDone { isReleased = false }
    }

    /// A `torque` was written; what is wrong, nil: nothing.
    mutating func wrote(torque on: Bool) -> String? {
        guard on else {
            isReleased = isReleased || isOffAsked
            return nil
        }
        return isReleased && callsOn == 0 ? "torque on, and nobody has asked for it since it was let go" : nil
    }
}
