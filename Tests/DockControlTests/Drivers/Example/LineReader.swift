/// Decodes the bytes of a line into the fields of `$A,B,C*HH`. Skips and counts invalid bytes. Buffers at most 64
/// bytes.
struct LineReader: Sendable {
    private var line: [UInt8] = []
    private(set) var invalidBytes = 0

    /// Takes a byte. Returns the fields if it ended a line with the right checksum.
    mutating func push(_ byte: UInt8) -> [String]? {
        guard byte == UInt8(ascii: "\n") else {
            if line.count == 64 {
                invalidBytes += line.count
                line.removeAll(keepingCapacity: true)
            }
            line.append(byte)
            return nil
        }
        defer { line.removeAll(keepingCapacity: true) }
        // Half a line may precede it.
        guard let start = line.lastIndex(of: UInt8(ascii: "$")), let star = line.lastIndex(of: UInt8(ascii: "*")),
            start < star, Array(line[(star + 1)...]) == Self.sum(line[(start + 1)..<star])
        else {
            invalidBytes += line.count
            return nil
        }
        invalidBytes += start
        return String(decoding: line[(start + 1)..<star], as: UTF8.self).split(
            separator: ",", omittingEmptySubsequences: false
        ).map(String.init)
    }

    /// A line as it is sent.
    static func framed(_ text: String) -> [UInt8] {
        [UInt8(ascii: "$")] + text.utf8 + [UInt8(ascii: "*")] + sum(text.utf8) + [UInt8(ascii: "\n")]
    }

    /// The checksum, two hexadecimal digits.
    private static func sum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let sum = bytes.reduce(0, ^), digits = Array("0123456789ABCDEF".utf8)
        return [digits[Int(sum >> 4)], digits[Int(sum & 15)]]
    }
}
