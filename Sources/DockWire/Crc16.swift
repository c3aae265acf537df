/// CRC-16/MCRF4XX over a sequence of bytes: the checksum of DLP/1, MAVLink and Klipper.
///
/// Polynomial 0x1021, bit-reversed, start value 0xFFFF, no final XOR; the check value of "123456789" is 0x6F91.
public struct Crc16: Sendable {
    /// The checksum of the bytes so far.
    public private(set) var value: UInt16 = 0xFFFF

    /// The checksum of no bytes.
    public init() {}

    /// Adds one byte.
    public mutating func update(_ byte: UInt8) {
        value ^= UInt16(byte)
        for _ in 0..<8 {
            let carry = value & 1
            value >>= 1
            if carry != 0 { value ^= 0x8408 }
        }
    }
}

/// The CRC-16/MCRF4XX of all bytes.
public func crc16(_ bytes: Span<UInt8>) -> UInt16 {
    var crc = Crc16()
    for index in bytes.indices { crc.update(bytes[index]) }
    return crc.value
}
