internal import DockControl
internal import Geometry

/// Motors that somebody let go of hold again only when somebody asks for it: a hand may be at the head.
struct ReleaseWatch {
    private var isOffAsked = false
    /// Calls for torque that have not been answered yet.
    private var callsOn = 0
    /// `torque off` was asked for and has been written, or the dock has said that it let go by itself.
    private(set) var isReleased = false
    /// It let go by itself and has said so, and nobody has asked for torque since.
    private(set) var isLetGo = false
    /// It let go by itself, and has reported that so often.
    private var reports: Int?
    /// A dock that has said so in so many reports is known to have let go.
    static let enough = 4
    /// Until then the daemon gets no time to read them.
    private var heldUntil: Seconds = -1

    /// The motors let go by themselves.
    mutating func letGo() { if !isReleased { reports = 0 } }

    /// The dock, or the daemon, begins again: whoever does not know yet that it let go may switch it on.
    mutating func restarted() { reports = nil }

    /// The daemon gets no time, and the dock is greeted again then.
    mutating func held(until time: Seconds) { heldUntil = max(heldUntil, time + 0.1) }

    /// The dock has told of its torque.
    mutating func reported(isOn: Bool, at time: Seconds) {
        guard let count = reports, time > heldUntil else { return }
        reports = isOn ? nil : count + 1
        guard count + 1 >= Self.enough, !isOn, callsOn == 0 else { return }
        (isReleased, isLetGo, reports) = (true, true, nil)
    }

    mutating func commanded(_ command: MotionCommand) {
        if command == .torque(false) { isOffAsked = true }
        if command == .torque(true) { callsOn += 1 }
    }

    mutating func answered(_ command: MotionCommand, _ answer: MotionAnswer) {
        let isDone = if case .success = answer { true } else { false }
        if command == .torque(false) { isOffAsked = false }
        guard command == .torque(true) else { return }
        callsOn -= 1
        if isDone { (isReleased, isLetGo, reports) = (false, false, nil) }
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
