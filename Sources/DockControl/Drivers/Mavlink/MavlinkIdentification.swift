internal import Geometry

/// Determines which gimbal it is. Not every gimbal answers the question.
struct MavlinkIdentification: Sendable {
    /// The time between two requests, in seconds.
    static let interval: Seconds = 0.5
    /// The time after which a gimbal that sends messages without identifying itself is used without an identity, in
    /// seconds. A gimbal that refuses to identify itself is used at once.
    static let namelessTime: Seconds = 4

    /// Whether the gimbal identifies itself, or nil if not yet known. The value then never changes: on a bad line, the
    /// gimbal must not appear to become another one.
    private var hasName: Bool?
    private var heardAt: Seconds?
    private var nextRequest: Seconds = 0

    /// Starts again: the gimbal is greeted at `now`.
    mutating func restart(now: Seconds) { (heardAt, nextRequest) = (nil, now) }

    /// Returns whether to ask the gimbal now. The next request is due an interval later.
    mutating func isRequestDue(now: Seconds) -> Bool {
        guard now >= nextRequest else { return false }
        nextRequest = now + Self.interval
        return true
    }

    /// Records that the gimbal has sent a message.
    mutating func heard(now: Seconds) { if heardAt == nil { heardAt = now } }

    /// Gives up waiting for the identity of a gimbal that has sent other messages for long enough.
    mutating func giveUp(now: Seconds) {
        if hasName == nil, let heardAt, now - heardAt > Self.namelessTime { hasName = false }
    }

    /// Records that the gimbal refuses to identify itself.
    mutating func refused() { if hasName == nil { hasName = false } }

    /// Returns the identity in GIMBAL_DEVICE_INFORMATION, or nil if the gimbal is already used without an identity.
    mutating func identity(in frame: MavlinkFrame, _ names: MavlinkNames) -> DockIdentity? {
        guard hasName != false else { return nil }
        hasName = true
        let words = [frame.text(48, count: 32), frame.text(80, count: 32)].filter { !$0.isEmpty }
        // Major, minor and patch, starting with the lowest byte.
        let firmware = "\(frame.byte(12)).\(frame.byte(13)).\(frame.byte(14))"
        let number = (0..<8).reversed().map { Self.hexadecimal(frame.byte($0)) }.joined()
        return DockIdentity(
            model: words.isEmpty ? "MAVLink gimbal" : words.joined(separator: " "), firmware: firmware,
            // A value of 0 means that the gimbal has no number.
            uid: number.contains { $0 != "0" } ? number : Self.uid(names))
    }

    /// Returns the identity of a gimbal that does not identify itself, or nil if it does or still may.
    func substitute(_ names: MavlinkNames) -> DockIdentity? {
        guard hasName == false else { return nil }
        return DockIdentity(model: "MAVLink gimbal", firmware: "unknown", uid: Self.uid(names))
    }

    private static func uid(_ names: MavlinkNames) -> String { "mavlink-\(names.gimbalSystem)-\(names.gimbal)" }

    private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
