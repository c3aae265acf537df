/// Packets of Protocol 2.0: `FF FF FD 00 id length(2) instruction parameters... CRC(2)`, length = parameters + 3. If
/// `FF FF FD` occurs inside, another FD is inserted after it; length and CRC refer to the bytes that are sent (ROBOTIS
/// e-Manual, Protocol 2.0).
extension DynamixelProtocol {
    enum Instruction: UInt8 {
        case ping = 0x01, read = 0x02, write = 0x03, reboot = 0x08, status = 0x55, syncRead = 0x82, syncWrite = 0x83
    }

    static let header: [UInt8] = [0xFF, 0xFF, 0xFD, 0x00]
    static let broadcast: UInt8 = 0xFE
    /// The highest length field of the packets that we send or wait for.
    static let longestBody = 96
    /// The length of our longest packet, in bytes.
    static let longestFrame = 48

    static func frame(_ instruction: Instruction, to id: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        let body = stuffed([instruction.rawValue] + parameters)
        let length = UInt16(truncatingIfNeeded: body.count + 2)
        let frame = header + [id, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)] + body
        let sum = crc(frame)
        return frame + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
    }

    static func stuffed(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes {
            result.append(byte)
            if result.suffix(3) == [0xFF, 0xFF, 0xFD] { result.append(0xFD) }
        }
        return result
    }

    static func unstuffed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = [], isExtra = false
        for byte in bytes {
            if isExtra, byte == 0xFD {
                isExtra = false
                continue
            }
            result.append(byte)
            isExtra = result.suffix(3) == [0xFF, 0xFF, 0xFD]
        }
        return result
    }

    /// Returns the CRC-16 with the polynomial 8005, from 0, not reflected.
    static func crc(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x8005 }
        }
    }

    static func match(_ bytes: UnsafeBufferPointer<UInt8>) -> FrameScanner.Match {
        for index in 0..<min(header.count, bytes.count) where bytes[index] != header[index] { return .noise(1) }
        guard bytes.count >= 7 else { return .incomplete }
        let length = Int(bytes[5]) | Int(bytes[6]) << 8
        guard bytes[4] <= 0xFE, (3...longestBody).contains(length) else { return .noise(1) }
        guard bytes.count >= length + 7 else { return .incomplete }
        let sum = crc(bytes[..<(length + 5)])
        return UInt16(bytes[length + 5]) | UInt16(bytes[length + 6]) << 8 == sum ? .frame(length + 7) : .noise(1)
    }

    func match(_ bytes: UnsafeBufferPointer<UInt8>) -> FrameScanner.Match { Self.match(bytes) }

    func packet(_ frame: UnsafeBufferPointer<UInt8>) -> ServoPacket? {
        guard frame[7] == Instruction.status.rawValue else { return nil }
        let body = Self.unstuffed(frame[7..<frame.count - 2])
        guard body.count >= 2 else { return nil }
        return ServoPacket(id: frame[4], errors: body[1], parameters: Array(body[2...]))
    }

    /// The header, ID, length, instruction, error and CRC.
    var answerOverhead: Int { 11 }

    private static func place(_ memory: ServoMemory) -> [UInt8] {
        bytes(Int32(memory.address), 2) + bytes(Int32(memory.count), 2)
    }

    func read(_ memory: ServoMemory, of id: UInt8) -> [UInt8] { Self.frame(.read, to: id, Self.place(memory)) }

    func write(_ write: ServoWrite, to id: UInt8) -> [UInt8] {
        Self.frame(.write, to: id, Self.bytes(Int32(write.memory.address), 2) + write.bytes)
    }

    func read(_ memory: ServoMemory, of ids: [UInt8]) -> [UInt8]? {
        Self.frame(.syncRead, to: Self.broadcast, Self.place(memory) + ids)
    }

    func write(_ memory: ServoMemory, _ values: [(id: UInt8, bytes: [UInt8])]) -> [UInt8] {
        let place = Self.bytes(Int32(memory.address), 2) + Self.bytes(Int32(values.first?.bytes.count ?? 0), 2)
        return Self.frame(.syncWrite, to: Self.broadcast, place + values.flatMap { [$0.id] + $0.bytes })
    }

    /// Returns zeros: a frame that is completed with them is invalid. One in 65,536 may be executed by chance, but not
    /// twice.
    func filler(behind frame: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: Self.longestFrame) }
}
