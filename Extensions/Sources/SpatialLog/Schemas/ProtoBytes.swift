/// A message in the encoding of Protobuf, field by field.
///
/// Only messages are written here, and never read; so the 60 lines replace a library and its generated code.
struct ProtoBytes: Sendable, Equatable {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ field: Int, _ number: Double) {
        key(field, 1)
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Adds a number that is not negative, as Protobuf's integers, booleans and enumerations are.
    mutating func put(_ field: Int, _ number: Int) {
        key(field, 0)
        varint(UInt64(number))
    }

    mutating func put(_ field: Int, _ flag: Bool) { put(field, flag ? 1 : 0) }

    mutating func put(_ field: Int, fixed number: UInt32) {
        key(field, 5)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ field: Int, _ text: String) {
        key(field, 2)
        varint(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(_ field: Int, _ data: [UInt8]) {
        key(field, 2)
        varint(UInt64(data.count))
        bytes.append(contentsOf: data)
    }

    mutating func put(_ field: Int, _ message: ProtoBytes) { put(field, message.bytes) }

    /// Adds a list of numbers.
    mutating func put(_ field: Int, numbers: [Double]) {
        key(field, 2)
        varint(UInt64(8 * numbers.count))
        for number in numbers {
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    private mutating func key(_ field: Int, _ kind: UInt64) { varint(UInt64(field) << 3 | kind) }

    private mutating func varint(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
