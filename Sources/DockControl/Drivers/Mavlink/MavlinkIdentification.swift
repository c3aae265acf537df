internal import Geometry

/// Finds out which gimbal it is: not every gimbal answers the question.
struct MavlinkIdentification: Sendable {
    /// Time between two requests, seconds.
    static let interval: Seconds = 0.5
    /// A gimbal that sends messages and never identifies itself is used without an identity after this time, seconds; one that
    /// refuses to, at once.
    static let namelessTime: Seconds = 4

    /// Whether the gimbal identifies itself; nil: unknown yet. It stays as it is: on a bad line, the gimbal must not become
    /// another one.
    private var hasName: Bool?
    private var heardAt: Seconds?
    private var nextRequest: Seconds = 0

    /// The gimbal is greeted again.
    mutating func restart(now: Seconds) { (heardAt, nextRequest) = (nil, now) }

    /// Whether the gimbal is to be asked now; the next request is due an interval later.
    mutating func isRequestDue(now: Seconds) -> Bool {
        guard now >= nextRequest else { return false }
        nextRequest = now + Self.interval
        return true
    }

    /// The gimbal has sent a message.
    mutating func heard(now: Seconds) { if heardAt == nil { heardAt = now } }

    /// Gives up waiting for the identity of a gimbal that has sent other messages for long enough.
    mutating func giveUp(now: Seconds) {
        if hasName == nil, let heardAt, now - heardAt > Self.namelessTime { hasName = false }
    }

    /// The gimbal refuses to identify itself.
    mutating func refused() { if hasName == nil { hasName = false } }

    /// The identity in GIMBAL_DEVICE_INFORMATION; nil: the gimbal has been used without one already.
    mutating func identity(in frame: MavlinkFrame, _ names: MavlinkNames) -> DockIdentity? {
        guard hasName != false else { return nil }
        hasName = true
        let words = [frame.text(48, count: 32), frame.text(80, count: 32)].filter { !$0.isEmpty }
        // Major, minor and patch, from the lowest byte upwards.
        let firmware = "\(frame.byte(12)).\(frame.byte(13)).\(frame.byte(14))"
        let number = (0..<8).reversed().map { Self.hexadecimal(frame.byte($0)) }.joined()
        return DockIdentity(
            model: words.isEmpty ? "MAVLink gimbal" : words.joined(separator: " "), firmware: firmware,
            // 0: the gimbal has no number.
            uid: number.contains { $0 != "0" } ? number : Self.uid(names))
    }

    /// The identity of a gimbal that does not identify itself; nil: it does, or may still.
    func substitute(_ names: MavlinkNames) -> DockIdentity? {
        guard hasName == false else { return nil }
        return DockIdentity(model: "MAVLink gimbal", firmware: "unknown", uid: Self.uid(names))
    }

    private static func uid(_ names: MavlinkNames) -> String { "mavlink-\(names.gimbalSystem)-\(names.gimbal)" }

    private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
