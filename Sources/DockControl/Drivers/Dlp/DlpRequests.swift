internal import Geometry

/// Settings on their way to the dock. Each is repeated every 40 ms, at most three times, until it is acknowledged. The
/// torque is repeated until it is acknowledged, at growing intervals: nothing moves without it, and a person who wants
/// it off is holding the head.
struct DlpRequests: Sendable {
    /// The settings, in the order in which they are sent.
    enum Kind: Int, CaseIterable {
        case panLimits, tiltLimits, torque, motionRate
    }

    private struct Slot {
        var isOpen = false
        var tries = 0
        var sequence: UInt8?
        var due: Seconds = 0
    }

    /// The rate that `motionRate` requests, Hz.
    var motionRate = DlpDriver.restRate
    /// The torque state that `torque` requests: on or off.
    private(set) var torque = true
    private var slots = [Slot](repeating: Slot(), count: Kind.allCases.count)

    mutating func clear() { for index in slots.indices { slots[index] = Slot() } }

    mutating func ask(_ kind: Kind) { slots[kind.rawValue] = Slot(isOpen: true) }

    mutating func ask(torque on: Bool) {
        torque = on
        ask(.torque)
    }

    /// Requests the torque again, at the same slow pace, because it does not match the request even if that was
    /// acknowledged.
    mutating func reopenTorque() { slots[Kind.torque.rawValue].isOpen = true }

    /// Returns whether a setting still waits for its acknowledgement.
    func isOpen(_ kind: Kind) -> Bool { slots[kind.rawValue].isOpen }

    /// Returns the next setting to send now.
    func due(now: Seconds) -> Kind? { Kind.allCases.first { isAllowed($0) && now >= slots[$0.rawValue].due } }

    mutating func sent(_ kind: Kind, sequence: UInt8, now: Seconds) {
        var slot = slots[kind.rawValue]
        slot.tries += 1
        slot.sequence = sequence
        // Torque on is repeated at least twice a second, torque off at least five times a second.
        let slowest = torque ? 12 : 5
        slot.due = now + DlpDriver.retryInterval * Double(kind == .torque ? min(slot.tries, slowest) : 1)
        if kind != .torque, slot.tries > DlpDriver.retries { slot.isOpen = false }
        slots[kind.rawValue] = slot
    }

    /// Processes an acknowledgement of the frame with that number and returns the setting.
    mutating func done(sequence: UInt8) -> Kind? {
        guard let index = slots.firstIndex(where: { $0.isOpen && $0.sequence == sequence }) else { return nil }
        slots[index].isOpen = false
        return Kind(rawValue: index)
    }

    /// Processes a rejection of the frame with that number. The driver gives up the setting, and the profile's value
    /// applies. Only the torque is requested repeatedly, because the cause may be temporary.
    mutating func refused(sequence: UInt8) {
        guard slots[Kind.torque.rawValue].sequence != sequence else { return }
        _ = done(sequence: sequence)
    }

    mutating func done(_ kind: Kind) { slots[kind.rawValue].isOpen = false }

    /// When the next setting is due; infinity if none is open.
    var nextDue: Seconds {
        var next = Seconds.infinity
        for kind in Kind.allCases where isAllowed(kind) { next = min(next, slots[kind.rawValue].due) }
        return next
    }

    /// Returns whether a setting may be sent. Torque on is sent after the limits: nothing may move before the dock has
    /// accepted them or had the chance to.
    private func isAllowed(_ kind: Kind) -> Bool {
        guard slots[kind.rawValue].isOpen else { return false }
        return kind != .torque || !torque
            || !(slots[Kind.panLimits.rawValue].isOpen || slots[Kind.tiltLimits.rawValue].isOpen)
    }
}
