internal import CDeflate

/// The CRC-32 of zlib over bytes that arrive in parts.
struct Checksum: Sendable, Equatable {
    private(set) var value: UInt32 = 0

    mutating func add(_ bytes: [UInt8]) {
        value = bytes.withUnsafeBytes { libdeflate_crc32(value, $0.baseAddress, $0.count) }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        var sum = Checksum()
        sum.add(bytes)
        return sum.value
    }
}
