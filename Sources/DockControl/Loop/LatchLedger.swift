internal import Geometry

/// The state of the latch, on which the dock and the loop have to agree:
/// - the fault that latches the dock itself
/// - the emergency stop that the dock has not confirmed yet
/// - a clear that waits for the dock's answer
/// - a fault that latches once the axis has backed off
struct LatchLedger {
    /// A clear that waits for the dock's answer.
    struct Clear {
        /// Receives the answer, or nil if no client waits for it.
        let reply: (@Sendable (MotionAnswer) -> Void)?
        /// When it was sent, and when the wait for the answer ends.
        let sent: Seconds, until: Seconds
    }

    /// The time that the dock may take to answer a clear, in seconds.
    static let clearPatience: Seconds = 0.5
    /// The number of quick repeats of an emergency stop, the time between them, and the time between the later ones, in
    /// seconds. A dock that keeps no latch has nothing to confirm and gets only `blind` of them.
    static let quickRepeats = 20, quickInterval: Seconds = 0.1, interval: Seconds = 1, blind = 4

    /// The fault that latches the dock according to its reports. It is nil if there is none or the dock has not
    /// reported.
    var deviceFault: DockFault?
    /// The fault that latches when the retreat is over.
    var pendingFault: DockFault?
    /// The fault that an emergency stop replaced. Clearing the emergency stop clears both.
    private(set) var absorbed: DockFault?
    /// When the emergency stop is written again, and how many quick repeats remain.
    private var repeats: (next: Seconds, left: Int)?
    /// The pending clear, or nil if there is none.
    private(set) var clear: Clear?

    // MARK: The emergency stop

    /// Whether the emergency stop was or will be sent to the dock, which has not confirmed its latch.
    var isUnconfirmed: Bool { repeats != nil }
    /// The time of the next repeat of the emergency stop.
    var nextRepeat: Seconds { repeats?.next ?? .infinity }

    /// Repeats the emergency stop from `time` on, until the dock reports that it is latched.
    mutating func repeatEmergencyStop(from time: Seconds) {
        repeats = SafetyMutant.saysEmergencyOnce.isOn ? nil : (time, Self.quickRepeats)
    }

    /// Records that the port accepted only a part of a message, possibly of an emergency stop. An unconfirmed one is
    /// written again as soon as a set-point could be, and the attempt does not count.
    mutating func wasCut(now: Seconds) {
        guard let (next, left) = repeats else { return }
        repeats = (min(next, now + CommandPacer.closest), min(left + 1, Self.quickRepeats))
    }

    /// Records a fault that an emergency stop replaces.
    mutating func absorb(_ fault: DockFault) { if fault != .emergencyStop { absorbed = fault } }

    /// Records that the latch was cleared.
    /// - Returns: the fault that an emergency stop had replaced.
    mutating func released() -> DockFault? {
        defer { absorbed = nil }
        return absorbed
    }

    /// Ends the repeats of the emergency stop.
    mutating func endRepeats() { repeats = nil }

    /// Returns whether to write the emergency stop now.
    /// - Parameters:
    ///   - isKnown: the dock has identified itself as the known one. Another dock gets nothing.
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

    /// Begins a clear; `reply` receives its answer.
    mutating func beginClear(now: Seconds, reply: (@Sendable (MotionAnswer) -> Void)?) {
        clear = Clear(reply: reply, sent: now, until: now + Self.clearPatience)
    }

    /// Ends the clear.
    /// - Returns: the pending clear.
    mutating func endClear() -> Clear? {
        defer { clear = nil }
        return clear
    }
}
