public import Geometry

/// Pictures as Matroska (RFC 9559), with the time of each: the form in which a program passes them to the daemon's
/// `--camera exec:`. Compressed pictures stay as they are.
///
/// The stream has one video track and no end. Each picture is a cluster of its own, so that its time has the resolution
/// of the clock, one microsecond, and so that a reader need not wait for the next one.
public struct MatroskaPictures: Sendable {
    /// How the pictures are compressed.
    public enum Form: String, Sendable {
        /// JPEG.
        case jpeg = "V_MJPEG"
    }

    /// What comes before the first picture.
    public let head: [UInt8]

    /// Creates a stream of pictures of one size, in pixels.
    public init(_ form: Form, width: Int, height: Int) {
        let file = Self.element(
            [0x1A, 0x45, 0xDF, 0xA3],
            [
                Self.element([0x42, 0x86], 1), Self.element([0x42, 0xF7], 1), Self.element([0x42, 0xF2], 4),
                Self.element([0x42, 0xF3], 8), Self.element([0x42, 0x82], Array("matroska".utf8)),
                Self.element([0x42, 0x87], 4), Self.element([0x42, 0x85], 2),
            ].flatMap(\.self))
        let facts = Self.element(
            [0x15, 0x49, 0xA9, 0x66],
            [
                Self.element([0x2A, 0xD7, 0xB1], Self.tick), Self.element([0x4D, 0x80], Array("dockface".utf8)),
                Self.element([0x57, 0x41], Array("dockface".utf8)),
            ].flatMap(\.self))
        let size = Self.element([0xB0], UInt64(max(width, 1))) + Self.element([0xBA], UInt64(max(height, 1)))
        let track = [
            Self.element([0xD7], 1), Self.element([0x73, 0xC5], 1), Self.element([0x83], 1),
            Self.element([0x86], Array(form.rawValue.utf8)), Self.element([0xE0], size),
        ].flatMap(\.self)
        // A segment without a known size: a live stream.
        let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + Array(repeating: 0xFF, count: 7)
        head = file + segment + facts + Self.element([0x16, 0x54, 0xAE, 0x6B], Self.element([0xAE], track))
    }

    /// Returns the bytes of a picture that was exposed at a time, in seconds on the reader's clock, at least 0.
    public func picture(_ bytes: [UInt8], at time: Seconds) -> [UInt8] {
        let microseconds = UInt64((time.isFinite ? time : 0).clamped(to: 0...1e12) * 1e6)
        // Track 1, at the cluster's time, a key frame.
        let block = Self.opening([0xA3], byteCount: bytes.count + 4) + [0x81, 0, 0, 0x80]
        let clock = Self.element([0xE7], microseconds)
        var result = Self.opening([0x1F, 0x43, 0xB6, 0x75], byteCount: clock.count + block.count + bytes.count)
        result.reserveCapacity(result.count + clock.count + block.count + bytes.count)
        result += clock
        result += block
        result += bytes
        return result
    }

    /// The length of a tick of the stream's clock, in nanoseconds.
    private static let tick: UInt64 = 1000

    private static func opening(_ name: [UInt8], byteCount: Int) -> [UInt8] {
        // A size of eight bytes, of which the first bit says so.
        name + bytes(UInt64(byteCount) | 1 << 56)
    }

    private static func element(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
        opening(name, byteCount: content.count) + content
    }

    private static func element(_ name: [UInt8], _ value: UInt64) -> [UInt8] { element(name, bytes(value)) }

    private static func bytes(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
