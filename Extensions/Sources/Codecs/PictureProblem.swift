/// Why bytes of others are not accepted as a picture, in words: "the PNG ends too early".
public struct PictureProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason, as a clause.
    public let description: String

    /// Creates a problem with its reason.
    public init(_ description: String) { self.description = description }
}

/// The largest picture that is decoded. It bounds the memory and the work that the bytes of others can cause.
public enum PictureLimits {
    /// The largest file, in bytes.
    public static let bytes = 8 << 20
    /// The largest width and height, in pixels.
    public static let side = 4096
    /// The largest number of pixels.
    public static let pixels = 4 << 20

    /// Checks the size that a file claims, before memory is reserved for it.
    public static func check(width: Int, height: Int) throws(PictureProblem) {
        guard (1...side).contains(width), (1...side).contains(height), width * height <= pixels else {
            throw PictureProblem(
                "it claims \(width) x \(height) pixels, but at most \(side) on a side and 4 megapixels are accepted")
        }
    }

    /// Checks the length of a file.
    public static func check(bytes count: Int) throws(PictureProblem) {
        guard count <= bytes else { throw PictureProblem("it has \(count) bytes, but at most 8 MiB are accepted") }
    }
}
