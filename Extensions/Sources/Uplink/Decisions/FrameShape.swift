/// How a picture is sent: its size, its quality, and how many of them a second.
public struct FrameShape: Sendable, Equatable {
    /// The picture's width in pixels, at most.
    public var width: Int
    /// The quality of JPEG, 1...100 on the scale of libjpeg.
    public var quality: Int
    /// Pictures a second, at most.
    public var rate: Double
    /// Whether it is a picture of a video, H.264. Otherwise it is a JPEG.
    public var isVideo = false

    /// Creates a shape.
    public init(width: Int = 640, quality: Int = 60, rate: Double = 30) {
        (self.width, self.quality, self.rate) = (width, quality, rate)
    }

    /// The bytes a second beside those of the best shape, as measured on photographs from the quality 60 on: 35 takes
    /// a third off, and bytes grow a little slower than the number of pixels.
    private static let steps: [(share: Double, quality: Int, size: Double, rate: Double)] = [
        (1, 60, 1, 1), (0.9, 54, 1, 1), (0.82, 47, 1, 1), (0.74, 41, 1, 1), (0.67, 35, 1, 1),
        (0.54, 35, 0.875, 1), (0.4, 35, 0.75, 1), (0.3, 35, 0.625, 1), (0.21, 35, 0.5, 1), (0.105, 35, 0.5, 0.5),
        (0.035, 35, 0.5, 1 / 6.0),
    ]

    /// The least share.
    static let leastShare = steps.last?.share ?? 0.035

    /// Returns the best shape whose bytes are at most this share of the ones of this shape.
    func limited(to share: Double) -> FrameShape {
        let step = Self.steps.first { $0.share <= share } ?? Self.steps[Self.steps.count - 1]
        // Pictures have even sizes.
        let width = max(2, Int(Double(self.width) * step.size) & ~1)
        return FrameShape(width: width, quality: max(1, quality * step.quality / 60), rate: rate * step.rate)
    }
}
