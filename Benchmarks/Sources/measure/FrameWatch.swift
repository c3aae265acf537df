/// Parses bytes to a dock. A DLP/1 frame is a code byte, its type, more bytes, and a zero.
struct FrameWatch {
    private static let setpoint: UInt8 = 0x10
    private var position = 0

    /// Whether a set-point starts in these bytes.
    mutating func sees(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var found = false
        for byte in bytes {
            if position == 1, byte == Self.setpoint { found = true }
            position = byte == 0 ? 0 : position + 1
        }
        return found
    }
}
