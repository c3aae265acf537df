/// A frame ready for the wire, including its closing 00: 6...62 bytes, stored inline.
public struct EncodedFrame: Sendable, Equatable {
    /// The largest size of a frame on the wire, bytes.
    public static let capacity = 62

    private var bytes = InlineArray<62, UInt8>(repeating: 0)

    /// Number of bytes.
    public private(set) var count = 0
    /// The sequence number of the frame.
    public let sequence: UInt8

    /// Adds the checksum to a frame and stuffs it.
    public init(_ frame: Frame) {
        sequence = frame.sequence
        var crc = Crc16()
        var writer = Stuffing()
        for index in -2..<frame.body.count {
            let byte = index == -2 ? frame.type : index == -1 ? frame.sequence : frame.body[index]
            crc.update(byte)
            put(byte, &writer)
        }
        put(UInt8(truncatingIfNeeded: crc.value), &writer)
        put(UInt8(truncatingIfNeeded: crc.value >> 8), &writer)
        bytes[writer.code] = UInt8(truncatingIfNeeded: writer.next - writer.code)
        bytes[writer.next] = 0
        count = writer.next + 1
    }

    /// One byte, or 0 outside 0..<count.
    public subscript(index: Int) -> UInt8 {
        index >= 0 && index < count ? bytes[index] : 0
    }

    /// Gives access to the bytes.
    public func withBytes<Result, Failure: Error>(
        _ use: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try use(bytes.span.extracting(first: count))
    }

    /// Whether both have the same bytes.
    public static func == (a: EncodedFrame, b: EncodedFrame) -> Bool {
        guard a.count == b.count else { return false }
        for index in 0..<a.count where a.bytes[index] != b.bytes[index] { return false }
        return true
    }

    #if !hasFeature(Embedded)
        /// The bytes as an array.
        public var array: [UInt8] { (0..<count).map { bytes[$0] } }
    #endif

    /// Consistent overhead byte stuffing replaces every zero by the distance to the next one. No run in a frame reaches
    /// 254 bytes, so the case of a full block does not occur.
    private struct Stuffing {
        var code = 0
        var next = 1
    }

    private mutating func put(_ byte: UInt8, _ writer: inout Stuffing) {
        if byte == 0 {
            bytes[writer.code] = UInt8(truncatingIfNeeded: writer.next - writer.code)
            writer.code = writer.next
        } else {
            bytes[writer.next] = byte
        }
        writer.next += 1
    }
}
