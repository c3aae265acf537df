internal import DockWire

/// MAVLink 2 frames: `FD length incompatible compatible sequence system component id(3) payload crc(2)
/// [signature(13)]`. The CRC is CRC-16/MCRF4XX over everything after `FD`, and over a byte that identifies the layout
/// of the message.
struct MavlinkFrame: Sendable, Equatable {
    var system: UInt8
    var component: UInt8
    var message: MavlinkMessage
    /// The payload, padded to the layout that is known here, because trailing zeros are not sent.
    var payload: [UInt8]
    /// The number of payload bytes that were sent.
    var sent: Int

    static let start: UInt8 = 0xFD
    static let header = 10, checksum = 2, signature = 13
    /// The flag of a signed frame, the only flag that does not make a frame unreadable.
    static let isSigned: UInt8 = 1
    /// The number of bytes by which a newer layout may exceed the known one. It is bounded so that a false beginning
    /// does not wait for 280 bytes.
    static let growth = 16

    /// Matches the front of received bytes. The CRC of an unknown message cannot be checked, so such a message is
    /// skipped byte by byte; a false beginning with an unknown ID then costs nothing, either.
    static func match(_ bytes: UnsafeBufferPointer<UInt8>) -> FrameScanner.Match {
        guard bytes[0] == start else { return .noise(1) }
        guard bytes.count >= header else { return .incomplete }
        let length = Int(bytes[1])
        guard bytes[2] & ~isSigned == 0, let message = MavlinkMessage(rawValue: id(bytes)), length > 0,
            length <= message.size + growth
        else { return .noise(1) }
        let count = header + length + checksum + (bytes[2] & isSigned != 0 ? signature : 0)
        guard bytes.count >= count else { return .incomplete }
        let sum = crc(bytes[1..<header + length], message)
        let end = header + length
        return sum == UInt16(bytes[end]) | UInt16(bytes[end + 1]) << 8 ? .frame(count) : .noise(1)
    }

    /// Decodes a frame that `match` has found.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count >= Self.header, let message = MavlinkMessage(rawValue: Self.id(bytes)) else { return nil }
        let length = Int(bytes[1])
        guard bytes.count >= Self.header + length else { return nil }
        (system, component, self.message, sent) = (bytes[5], bytes[6], message, length)
        payload = Array(bytes[Self.header..<Self.header + min(length, message.size)])
        payload += [UInt8](repeating: 0, count: message.size - payload.count)
    }

    private static func id(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        UInt32(bytes[7]) | UInt32(bytes[8]) << 8 | UInt32(bytes[9]) << 16
    }

    private static func crc(_ bytes: some Sequence<UInt8>, _ message: MavlinkMessage) -> UInt16 {
        var crc = Crc16()
        for byte in bytes { crc.update(byte) }
        crc.update(message.extra)
        return crc.value
    }

    /// Returns a frame of ours without its trailing zeros. The first byte always remains.
    static func bytes(
        _ message: MavlinkMessage, _ payload: [UInt8], sequence: UInt8, system: UInt8, component: UInt8
    ) -> [UInt8] {
        let kept = payload[..<max(1, (payload.lastIndex { $0 != 0 } ?? 0) + 1)]
        let id = message.rawValue
        var frame: [UInt8] = [
            start, UInt8(kept.count), 0, 0, sequence, system, component, UInt8(id & 0xFF), UInt8(id >> 8 & 0xFF),
            UInt8(id >> 16 & 0xFF),
        ]
        frame += kept
        let sum = crc(frame[1...], message)
        return frame + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }

    // MARK: fields, little-endian; beyond the payload they are 0

    func byte(_ place: Int) -> UInt8 { place < payload.count ? payload[place] : 0 }
    func word(_ place: Int) -> UInt16 { UInt16(byte(place)) | UInt16(byte(place + 1)) << 8 }
    func long(_ place: Int) -> UInt32 { UInt32(word(place)) | UInt32(word(place + 2)) << 16 }
    func float(_ place: Int) -> Double { Double(Float(bitPattern: long(place))) }

    /// Returns the text up to its first zero.
    func text(_ place: Int, count: Int) -> String {
        let bytes = (place..<place + count).map(byte).prefix { $0 != 0 }
        return String(decoding: bytes.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
    }
}

/// A payload under construction, little-endian.
struct MavlinkPayload {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ value: UInt8) { bytes.append(value) }
    mutating func put(_ value: UInt16) { bytes += [UInt8(value & 0xFF), UInt8(value >> 8)] }
    mutating func put(_ value: UInt32) {
        for shift in 0..<4 { bytes.append(UInt8(value >> (8 * UInt32(shift)) & 0xFF)) }
    }
    mutating func put(_ value: Float) { put(value.bitPattern) }
}
