/// The serial line of a simulated gimbal: frames in and out, with their checksums.
///
/// The receiver works like the C library's: it waits for the length in the header, and discards the whole packet if the
/// checksum is wrong.
struct MavlinkGimbalLine: Sendable {
    /// A whole frame with a correct checksum.
    struct Frame: Sendable {
        let id: UInt32
        let sender: MavlinkGimbal.Owner
        /// With the zeros that the sender may have left out, and some more.
        let payload: [UInt8]

        /// The float at a place of the payload.
        func number(_ place: Int) -> Double {
            var bits: UInt32 = 0
            for index in 0..<4 { bits |= UInt32(payload[place + index]) << (8 * UInt32(index)) }
            return Double(Float(bitPattern: bits))
        }

        /// Whether the system and the component at this place of the payload are the gimbal's, or 0 for all.
        func isForGimbal(at place: Int) -> Bool {
            [0, MavlinkGimbalLine.system].contains(payload[place])
                && [0, MavlinkGimbalLine.component].contains(payload[place + 1])
        }
    }

    static let system: UInt8 = 1, component: UInt8 = 154
    /// CRC_EXTRA of the received and sent messages.
    private static let extras: [UInt32: UInt8] = [
        0: 50, 76: 152, 77: 143, 147: 154, 280: 70, 281: 48, 283: 74, 285: 137, 287: 1,
    ]

    private var heard: [UInt8] = []
    private var said: [UInt8] = []
    private var sequence: UInt8 = 0

    /// The supply was interrupted: bytes on the line are lost.
    mutating func reboot() { (heard, said) = ([], []) }

    /// Returns the output so far; each byte is returned once.
    mutating func drainOutput() -> [UInt8] {
        defer { said = [] }
        return said
    }

    /// Receives a byte; returns the frame that it completes.
    mutating func receive(_ byte: UInt8) -> Frame? {
        if heard.isEmpty, byte != 0xFD { return nil }
        heard.append(byte)
        guard heard.count >= 3 else { return nil }
        let count = 12 + Int(heard[1]) + (heard[2] & 1 != 0 ? 13 : 0)
        guard heard.count >= count else { return nil }
        let frame = heard
        heard = []
        let id = UInt32(frame[7]) | UInt32(frame[8]) << 8 | UInt32(frame[9]) << 16, end = 10 + Int(frame[1])
        guard let extra = Self.extras[id], frame[2] & ~1 == 0 else { return nil }
        let sum = Self.checksum(Array(frame[1..<end]) + [extra])
        guard Int(frame[end]) | Int(frame[end + 1]) << 8 == sum else { return nil }
        let payload = Array(frame[10..<end]) + [UInt8](repeating: 0, count: 64)
        return Frame(id: id, sender: MavlinkGimbal.Owner(frame[5], frame[6]), payload: payload)
    }

    /// Sends a message.
    mutating func say(_ id: UInt32, _ payload: [UInt8]) {
        var sent = payload
        while sent.count > 1, sent.last == 0 { sent.removeLast() }
        var frame: [UInt8] = [UInt8(sent.count), 0, 0, sequence, Self.system, Self.component]
        frame += [UInt8(id & 0xFF), UInt8(id >> 8 & 0xFF), UInt8(id >> 16 & 0xFF)] + sent
        sequence &+= 1
        let sum = Self.checksum(frame + [Self.extras[id] ?? 0])
        said += [0xFD] + frame + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }

    /// X.25, byte by byte as on mavlink.io.
    private static func checksum(_ bytes: [UInt8]) -> Int {
        var sum = 0xFFFF
        for byte in bytes {
            var mixed = (Int(byte) ^ (sum & 0xFF)) & 0xFF
            mixed = (mixed ^ (mixed << 4)) & 0xFF
            sum = ((sum >> 8) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)) & 0xFFFF
        }
        return sum
    }
}
