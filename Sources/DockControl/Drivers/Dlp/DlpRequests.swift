internal import Geometry

/// Settings on their way to the dock: each is repeated every 40 ms, three times, until it is acknowledged; the torque
/// until it is, more and more slowly: nothing moves without it, and who wants it off has a hand at the head.
struct DlpRequests: Sendable {
    /// The settings; the order is the order of sending.
    enum Kind: Int, CaseIterable {
        case panLimits, tiltLimits, torque, motionRate
    }

    private struct Slot {
        var isOpen = false
        var tries = 0
        var sequence: UInt8?
        var due: Seconds = 0
    }

    /// The rate that `motionRate` asks for, Hz.
    var motionRate = DlpDriver.restRate
    /// Whether `torque` asks for on or off.
    private(set) var torque = true
    private var slots = [Slot](repeating: Slot(), count: Kind.allCases.count)

    mutating func clear() { for index in slots.indices { slots[index] = Slot() } }

    mutating func ask(_ kind: Kind) { slots[kind.rawValue] = Slot(isOpen: true) }

    mutating func ask(torque on: Bool) {
        torque = on
        ask(.torque)
    }

    /// The torque is not what it was asked to be, whatever was acknowledged: asked again, in the same slow rhythm.
    mutating func reopenTorque() { slots[Kind.torque.rawValue].isOpen = true }

    /// Whether it still waits for its acknowledgement.
    func isOpen(_ kind: Kind) -> Bool { slots[kind.rawValue].isOpen }

    /// The next setting to send now, and whether it is its last try.
    func due(now: Seconds) -> (Kind, isLast: Bool)? {
        for kind in Kind.allCases where isAllowed(kind) {
            let slot = slots[kind.rawValue]
            if now >= slot.due { return (kind, kind != .torque && slot.tries + 1 > DlpDriver.retries) }
        }
        return nil
    }

    mutating func sent(_ kind: Kind, sequence: UInt8, now: Seconds) {
        var slot = slots[kind.rawValue]
        slot.tries += 1
        slot.sequence = sequence
        // On at least twice a second, off five times.
        let slowest = torque ? 12 : 5
        slot.due = now + DlpDriver.retryInterval * Double(kind == .torque ? min(slot.tries, slowest) : 1)
        if kind != .torque, slot.tries > DlpDriver.retries { slot.isOpen = false }
        slots[kind.rawValue] = slot
    }

    /// An acknowledgement came for the frame with that number; which setting it was.
    mutating func done(sequence: UInt8) -> Kind? {
        for kind in Kind.allCases where slots[kind.rawValue].isOpen && slots[kind.rawValue].sequence == sequence {
            slots[kind.rawValue].isOpen = false
            return kind
        }
        return nil
    }

    /// The frame with that number was refused: the setting is given up, and the profile's value holds; only the torque is
    /// asked for again and again, since the cause may pass.
    mutating func refused(sequence: UInt8) {
        guard slots[Kind.torque.rawValue].sequence != sequence else { return }
        _ = done(sequence: sequence)
    }

    mutating func done(_ kind: Kind) { slots[kind.rawValue].isOpen = false }

    /// When the next setting is due; far away if none is open.
    var nextDue: Seconds {
        var next = Seconds.infinity
        for kind in Kind.allCases where isAllowed(kind) { next = min(next, slots[kind.rawValue].due) }
        return next
    }

    /// Torque on comes after the limits: nothing may move before the dock knows them, or has had its chance to.
    private func isAllowed(_ kind: Kind) -> Bool {
        guard slots[kind.rawValue].isOpen else { return false }
        return kind != .torque || !torque
            || !(slots[Kind.panLimits.rawValue].isOpen || slots[Kind.tiltLimits.rawValue].isOpen)
    }
}
