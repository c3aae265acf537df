/// Elements of EBML (RFC 8794): the form of Matroska files.
enum EBML {
    /// Appends an element with a body.
    static func put(_ id: UInt32, _ body: [UInt8], to bytes: inout [UInt8]) {
        put(id: id, to: &bytes)
        put(size: body.count, to: &bytes)
        bytes += body
    }

    /// Appends an element with a whole number.
    static func put(_ id: UInt32, _ number: UInt64, to bytes: inout [UInt8]) {
        let count = max(1, (64 - number.leadingZeroBitCount + 7) / 8)
        put(id: id, to: &bytes)
        put(size: count, to: &bytes)
        for place in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
    }

    /// Appends an element with a number of 64 bits.
    static func put(_ id: UInt32, _ number: Double, to bytes: inout [UInt8]) {
        put(id: id, to: &bytes)
        put(size: 8, to: &bytes)
        let bits = number.bitPattern
        for place in (0..<8).reversed() { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * place))) }
    }

    /// Appends an element with a text.
    static func put(_ id: UInt32, _ text: String, to bytes: inout [UInt8]) { put(id, Array(text.utf8), to: &bytes) }

    /// Appends an identifier, which carries its own length.
    static func put(id: UInt32, to bytes: inout [UInt8]) {
        let count = id > 0xFF_FFFF ? 4 : id > 0xFFFF ? 3 : id > 0xFF ? 2 : 1
        for place in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: id >> UInt32(8 * place))) }
    }

    /// Appends a size, in eight bytes if it needs more than one.
    static func put(size: Int, to bytes: inout [UInt8]) {
        if size < 0x7F { return bytes.append(0x80 | UInt8(size)) }
        bytes.append(0x01)
        for place in (0..<7).reversed() { bytes.append(UInt8(truncatingIfNeeded: size >> (8 * place))) }
    }

    /// Appends the size of an element whose end is not known yet.
    static func putUnknownSize(to bytes: inout [UInt8]) { bytes += [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] }
}
