internal import DockControl
internal import Geometry

/// Motors whose torque was switched off must stay off until torque is requested, because a hand may be on the head.
struct ReleaseWatch {
    private var isOffAsked = false
    /// Requests for torque without an answer.
    private var callsOn = 0
    /// `torque off` was requested and has been written, or the dock has reported that it released on its own.
    private(set) var isReleased = false
    /// The dock released on its own and has reported that, and torque has not been requested since.
    private(set) var isLetGo = false
    /// Number of reports since the dock released on its own.
    private var reports: Int?
    /// After this number of reports the daemon must know that the dock has released.
    static let enough = 4
    /// Until then the daemon gets no CPU time to read them, seconds.
    private var heldUntil: Seconds = -1
    /// The sequence number of the last `torque on` that the dock has not acknowledged; nil: none. Until then the daemon
    /// repeats what was requested, and the dock is rightly without torque.
    private var unanswered: UInt8?

    /// The motors release on their own.
    mutating func letGo() { if !isReleased { reports = 0 } }

    /// The dock or the daemon restarts. As it does not know yet about the release, it may switch torque on.
    mutating func restarted() { reports = nil }

    /// The daemon gets no CPU time, and then repeats the handshake.
    mutating func held(until time: Seconds) { heldUntil = max(heldUntil, time + 0.1) }

    /// The dock has reported its torque.
    mutating func reported(isOn: Bool, at time: Seconds) {
        guard let count = reports, time > heldUntil, unanswered == nil else { return }
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

    /// The daemon begins a handshake, which replaces all earlier settings.
    mutating func greets() { unanswered = nil }

    /// The dock has accepted the frame with this number.
    mutating func acknowledged(sequence: UInt8) { if unanswered == sequence { unanswered = nil } }

    /// A `torque` was written. Returns what is wrong, or nil.
    mutating func wrote(torque on: Bool, sequence: UInt8) -> String? {
        unanswered = on ? sequence : nil
        guard on else {
            isReleased = isReleased || isOffAsked
            return nil
        }
        return isReleased && callsOn == 0 ? "torque on without a request since it was released" : nil
    }
}
