/// A short text on the wire: up to 55 bytes of UTF-8, stored inline. It ends at the first zero byte.
public struct WireText: Sendable, Equatable, ExpressibleByStringLiteral {
    private var bytes = InlineArray<55, UInt8>(repeating: 0)
    private var ended = false

    /// Number of bytes, 0...55.
    public private(set) var count = 0

    /// An empty text.
    public init() {}

    /// A literal, cut at 55 bytes.
    public init(stringLiteral value: StaticString) {
        self.init()
        guard value.hasPointerRepresentation else { return }
        for index in 0..<value.utf8CodeUnitCount { append(value.utf8Start[index]) }
    }

    /// One byte, or 0 outside 0..<count.
    public subscript(index: Int) -> UInt8 {
        index >= 0 && index < count ? bytes[index] : 0
    }

    /// Adds a byte. A zero ends the text, and a full text ignores it.
    public mutating func append(_ byte: UInt8) {
        if byte == 0 { ended = true }
        guard !ended, count < 55 else { return }
        bytes[count] = byte
        count += 1
    }

    /// Whether both have the same bytes.
    public static func == (a: WireText, b: WireText) -> Bool {
        guard a.count == b.count else { return false }
        for index in 0..<a.count where a.bytes[index] != b.bytes[index] { return false }
        return true
    }

    #if !hasFeature(Embedded)
        /// The text as a string; bytes that are not UTF-8 become U+FFFD.
        public var string: String { String(decoding: (0..<count).map { bytes[$0] }, as: UTF8.self) }
    #endif
}
