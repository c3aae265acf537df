internal import Geometry

/// The latch as the dock and the loop have to agree on it: what the dock itself is latched by, the emergency stop that the dock has not
/// confirmed yet, a clear that waits for the dock's answer, and a fault that latches once the axis has backed off.
struct LatchLedger {
    /// A clear that waits for the dock's answer.
    struct Clear {
        /// Gets the answer; nil: no one waits for it.
        let reply: (@Sendable (MotionAnswer) -> Void)?
        /// When it was sent, and when the time for the answer is over.
        let sent: Seconds, until: Seconds
    }

    /// How long the dock may take to answer a clear, seconds.
    static let clearPatience: Seconds = 0.5
    /// Quick repeats of an emergency stop, the time between them, and the time between the ones after that, seconds. A dock that keeps no
    /// latch has nothing to confirm and gets only `blind` of them.
    static let quickRepeats = 20, quickInterval: Seconds = 0.1, interval: Seconds = 1, blind = 4

    /// What the dock reports to be latched by; nil: nothing, or it has not said.
    var deviceFault: DockFault?
    /// The fault that latches when the retreat is over.
    var pendingFault: DockFault?
    /// The fault that an emergency stop took the place of. Whoever clears the emergency stop clears both.
    private(set) var absorbed: DockFault?
    /// When the emergency stop is written again, and how many quick repeats are left.
    private var repeats: (next: Seconds, left: Int)?
    /// The clear under way; nil: none is.
    private(set) var clear: Clear?

    // MARK: The emergency stop

    /// The dock was told to latch, or is about to be, and has not confirmed it.
    var isUnconfirmed: Bool { repeats != nil }
    /// When the emergency stop is written next.
    var nextRepeat: Seconds { repeats?.next ?? .infinity }

    /// The emergency stop is written again from `time` on, until the dock reports that it is latched.
    mutating func repeatEmergencyStop(from time: Seconds) {
        repeats = SafetyMutant.saysEmergencyOnce.isOn ? nil : (time, Self.quickRepeats)
    }

    /// An emergency stop covers a fault.
    mutating func absorb(_ fault: DockFault) { if fault != .emergencyStop { absorbed = fault } }

    /// The latch was released.
    /// - Returns: the fault that an emergency stop had covered.
    mutating func released() -> DockFault? {
        defer { absorbed = nil }
        return absorbed
    }

    /// It is no longer repeated.
    mutating func endRepeats() { repeats = nil }

    /// Whether to write the emergency stop now.
    /// - Parameters:
    ///   - isKnown: the dock has said that it is ours. Another one gets nothing.
    ///   - keepsLatch: the dock confirms an emergency stop.
    mutating func isRepeatDue(now: Seconds, isKnown: Bool, keepsLatch: Bool) -> Bool {
        guard let (next, left) = repeats, now >= next else { return false }
        guard deviceFault != .emergencyStop, isKnown else {
            repeats = nil
            return false
        }
        let goesOn = keepsLatch || left > Self.quickRepeats + 1 - Self.blind
        repeats = goesOn ? (now + (left > 0 ? Self.quickInterval : Self.interval), max(0, left - 1)) : nil
        return true
    }

    // MARK: The clear

    /// A clear begins; `reply` gets its answer.
    mutating func beginClear(now: Seconds, reply: (@Sendable (MotionAnswer) -> Void)?) {
        clear = Clear(reply: reply, sent: now, until: now + Self.clearPatience)
    }

    /// The clear is over.
    /// - Returns: what was under way.
    mutating func endClear() -> Clear? {
        defer { clear = nil }
        return clear
    }
}
