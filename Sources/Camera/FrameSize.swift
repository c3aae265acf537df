internal import PlainText

/// The size of a frame in pixels, as `--camera-size` names it.
public struct FrameSize: Sendable, Equatable {
    /// The width and the height, within `possible`.
    public var width: Int, height: Int

    /// The widths and heights that can be requested.
    public static let possible = 16...16_384

    /// Why a text is no size, and what to write instead.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// What happened and what to do.
        public let description: String
    }

    /// Parses the text of `--camera-size`, as in "1280x720". Throws `Failure` if it is not valid.
    public init(_ text: String) throws(Failure) {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1], Self.possible.contains(width),
            Self.possible.contains(height)
        else {
            throw Failure(
                description: "\(ForeignText.line(text)): expected the width and height in pixels, such as 1280x720")
        }
        (self.width, self.height) = (width, height)
    }
}
