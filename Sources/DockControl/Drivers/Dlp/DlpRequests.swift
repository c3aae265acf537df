internal import Geometry

/// Settings on their way to the dock. Each is repeated every 40 ms, at most three times, until it is acknowledged. The torque is
/// repeated until it is acknowledged, less and less often: nothing moves without it, and a person who wants it off has a hand on
/// the head.
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
    /// Whether `torque` requests on or off.
    private(set) var torque = true
    private var slots = [Slot](repeating: Slot(), count: Kind.allCases.count)

    mutating func clear() { for index in slots.indices { slots[index] = Slot() } }

    mutating func ask(_ kind: Kind) { slots[kind.rawValue] = Slot(isOpen: true) }

    mutating func ask(torque on: Bool) {
        torque = on
        ask(.torque)
    }

    /// The torque does not match the request, whatever was acknowledged: it is requested again, at the same slow pace.
    mutating func reopenTorque() { slots[Kind.torque.rawValue].isOpen = true }

    /// Whether a setting still waits for its acknowledgement.
    func isOpen(_ kind: Kind) -> Bool { slots[kind.rawValue].isOpen }

    /// The next setting to send now.
    func due(now: Seconds) -> Kind? { Kind.allCases.first { isAllowed($0) && now >= slots[$0.rawValue].due } }

    mutating func sent(_ kind: Kind, sequence: UInt8, now: Seconds) {
        var slot = slots[kind.rawValue]
        slot.tries += 1
        slot.sequence = sequence
        // Torque on is repeated at least twice a second, torque off five times.
        let slowest = torque ? 12 : 5
        slot.due = now + DlpDriver.retryInterval * Double(kind == .torque ? min(slot.tries, slowest) : 1)
        if kind != .torque, slot.tries > DlpDriver.retries { slot.isOpen = false }
        slots[kind.rawValue] = slot
    }

    /// Takes an acknowledgement of the frame with that number and returns the setting.
    mutating func done(sequence: UInt8) -> Kind? {
        for kind in Kind.allCases where slots[kind.rawValue].isOpen && slots[kind.rawValue].sequence == sequence {
            slots[kind.rawValue].isOpen = false
            return kind
        }
        return nil
    }

    /// Takes a rejection of the frame with that number. The setting is given up, and the profile's value applies. Only the torque
    /// is requested again and again, because the cause may pass.
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

    /// Torque on is sent after the limits: nothing may move before the dock knows them, or has had the chance to.
    private func isAllowed(_ kind: Kind) -> Bool {
        guard slots[kind.rawValue].isOpen else { return false }
        return kind != .torque || !torque
            || !(slots[Kind.panLimits.rawValue].isOpen || slots[Kind.tiltLimits.rawValue].isOpen)
    }
}
