/// Packets of FeeTech's servo bus: `FF FF id length code parameters... checksum`, length = parameters + 2, checksum =
/// the complement of the sum of all bytes after the header (FeeTech, communication protocol of the SCS and STS series).
/// In packets to a servo the code is an instruction, in packets from a servo the error bits.
extension FeetechProtocol {
    enum Instruction: UInt8 {
        case ping = 0x01, read = 0x02, write = 0x03, syncRead = 0x82, syncWrite = 0x83
    }

    /// The ID that addresses all servos.
    static let broadcast: UInt8 = 0xFE
    /// The largest number of parameters in our packets and in those of a servo.
    static let mostParameters = 60
    /// The length of our longest packet, in bytes.
    static let longestFrame = 26

    static func frame(_ instruction: Instruction, to id: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        let body = [id, UInt8(truncatingIfNeeded: parameters.count + 2), instruction.rawValue] + parameters
        return [0xFF, 0xFF] + body + [checksum(body)]
    }

    /// Returns the checksum of all bytes between header and checksum.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 { ~bytes.reduce(0, &+) }

    /// Matches the front of received bytes. An ID is never FF: if the header is one byte too long, the packet begins
    /// one byte later.
    static func match(_ bytes: UnsafeBufferPointer<UInt8>) -> FrameScanner.Match {
        guard bytes[0] == 0xFF else { return .noise(1) }
        guard bytes.count > 1 else { return .incomplete }
        guard bytes[1] == 0xFF else { return .noise(1) }
        guard bytes.count > 2 else { return .incomplete }
        guard bytes[2] != 0xFF else { return .noise(1) }
        guard bytes.count > 3 else { return .incomplete }
        let length = Int(bytes[3])
        guard (2...mostParameters + 2).contains(length) else { return .noise(1) }
        guard bytes.count >= length + 4 else { return .incomplete }
        return bytes[length + 3] == checksum(bytes[2..<length + 3]) ? .frame(length + 4) : .noise(1)
    }

    func match(_ bytes: UnsafeBufferPointer<UInt8>) -> FrameScanner.Match { Self.match(bytes) }

    func packet(_ frame: UnsafeBufferPointer<UInt8>) -> ServoPacket? {
        ServoPacket(id: frame[2], errors: frame[4], parameters: Array(frame[5..<frame.count - 1]))
    }

    /// The header, ID, length, errors and checksum.
    var answerOverhead: Int { 6 }

    func read(_ memory: ServoMemory, of id: UInt8) -> [UInt8] {
        Self.frame(.read, to: id, [UInt8(memory.address), UInt8(memory.count)])
    }

    func write(_ write: ServoWrite, to id: UInt8) -> [UInt8] {
        Self.frame(.write, to: id, [UInt8(write.memory.address)] + write.bytes)
    }

    /// Returns nil for the SCS series, which does not support it.
    func read(_ memory: ServoMemory, of ids: [UInt8]) -> [UInt8]? {
        isNewer
            ? Self.frame(.syncRead, to: Self.broadcast, [UInt8(memory.address), UInt8(memory.count)] + ids) : nil
    }

    func write(_ memory: ServoMemory, _ values: [(id: UInt8, bytes: [UInt8])]) -> [UInt8] {
        Self.frame(
            .syncWrite, to: Self.broadcast,
            [UInt8(memory.address), UInt8(values.first?.bytes.count ?? 0)] + values.flatMap { [$0.id] + $0.bytes })
    }

    func filler(behind frame: [UInt8]) -> [UInt8] {
        [UInt8](repeating: Self.filler(behind: frame), count: Self.longestFrame)
    }

    /// Returns a byte that ends `frame` with a wrong checksum, wherever it was cut off. If as many of them are sent as
    /// the frame has bytes, a servo that waits for the rest of the frame loses only that rest.
    static func filler(behind frame: [UInt8]) -> UInt8 {
        guard frame.count > 5 else { return 0 }
        // The sum of the received bytes, from the ID on. If the frame was cut off before its length, the filler takes
        // the place of the length, and 0 is not a valid length.
        let first = frame[2] &+ frame[3]
        return (0..<0xFF).first { filler in
            var sum = first
            for kept in 4..<frame.count {
                let left = UInt8(truncatingIfNeeded: frame.count - 1 - kept)
                if ~(sum &+ left &* filler) == filler { return false }
                sum &+= frame[kept]
            }
            return true
        } ?? 0
    }
}
