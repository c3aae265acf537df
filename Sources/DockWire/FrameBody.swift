/// The body of a frame: up to 56 bytes, little-endian, stored inline.
public struct FrameBody: Sendable, Equatable {
    /// The largest size of a body, bytes. With it the whole frame still fits one 64-byte USB packet.
    public static let capacity = 56

    private var bytes = InlineArray<56, UInt8>(repeating: 0)

    /// Number of bytes, 0...56.
    public private(set) var count = 0

    /// An empty body.
    public init() {}

    /// One byte, or 0 outside 0..<count.
    public subscript(index: Int) -> UInt8 {
        index >= 0 && index < count ? bytes[index] : 0
    }

    /// Adds a byte. A full body ignores it.
    @inline(never)
    public mutating func append(_ byte: UInt8) {
        guard count < Self.capacity else { return }
        bytes[count] = byte
        count += 1
    }

    /// Adds an integer, low byte first.
    @inline(never)
    public mutating func append(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    /// Adds an integer, low byte first.
    @inline(never)
    public mutating func append(_ value: UInt32) {
        append(UInt16(truncatingIfNeeded: value))
        append(UInt16(truncatingIfNeeded: value >> 16))
    }

    /// Adds an integer, low byte first.
    public mutating func append(_ value: Int32) { append(UInt32(bitPattern: value)) }

    /// Whether both have the same bytes.
    public static func == (a: FrameBody, b: FrameBody) -> Bool {
        guard a.count == b.count else { return false }
        for index in 0..<a.count where a.bytes[index] != b.bytes[index] { return false }
        return true
    }
}

/// Reads a body from its start. A read past the end is an error and never a trap.
struct BodyReader {
    private let frame: Frame
    private var next = 0

    init(_ frame: Frame) { self.frame = frame }

    var remaining: Int { frame.body.count - next }

    /// The error for a value of this frame outside its range.
    var badValue: WireError { .value(type: frame.type) }

    /// The error for a body of this frame that is too short.
    var badLength: WireError { .bodyLength(type: frame.type) }

    @inline(never)
    mutating func u8() throws(WireError) -> UInt8 {
        guard remaining > 0 else { throw badLength }
        next += 1
        return frame.body[next - 1]
    }

    @inline(never)
    mutating func u16() throws(WireError) -> UInt16 {
        let low = try u8()
        return UInt16(low) | UInt16(try u8()) << 8
    }

    @inline(never)
    mutating func u32() throws(WireError) -> UInt32 {
        let low = try u16()
        return UInt32(low) | UInt32(try u16()) << 16
    }

    mutating func i32() throws(WireError) -> Int32 { Int32(bitPattern: try u32()) }

    mutating func text(_ count: Int) -> WireText {
        var text = WireText()
        for _ in 0..<min(count, remaining) {
            text.append(frame.body[next])
            next += 1
        }
        return text
    }
}
