/// The pixel format of a video device: four characters.
public struct VideoFormat: Sendable, Hashable, CustomStringConvertible {
    /// The characters as the kernel has them, the first one in the lowest byte.
    public let code: UInt32

    /// Creates a format from its number.
    public init(code: UInt32) { self.code = code }

    /// Depth: 16 bits for each pixel, the lowest byte first (V4L2_PIX_FMT_Z16).
    public static let depth = VideoFormat(code: 0x2036_315A)

    /// The characters without the spaces at their end. One that cannot be printed is a question mark.
    public var description: String {
        let bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: code >> $0) }
        let text = bytes.map { (0x20...0x7E).contains($0) ? Character(UnicodeScalar($0)) : "?" }
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
