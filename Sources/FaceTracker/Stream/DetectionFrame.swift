public import Geometry

/// The size of a frame in pixels.
public struct PictureSize: Sendable, Equatable {
    /// The width in pixels, > 0.
    public var width: Double
    /// The height in pixels, > 0.
    public var height: Double

    /// Creates a size in pixels.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The width divided by the height; 1.78 for 16:9.
    public var aspect: Double { width / height }
}

/// All detections of one frame. A frame without faces also counts.
public struct DetectionFrame: Sendable, Equatable {
    /// The stream's own number of the frame, if given.
    public var sequence: Int?
    /// The stream's own time of the frame, on the stream's clock, if given.
    public var streamTime: Seconds?
    /// The time of exposure, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// When the line was read, CLOCK_MONOTONIC.
    public var arrival: Seconds
    /// The upright frame's size in pixels, if the stream gives it.
    public var size: PictureSize?
    /// Which camera took it, and how much it is magnified.
    public var optics: FrameOptics
    /// The rectangles, in the stream's order, which has no meaning.
    public var detections: [Detection]
    /// Rectangles that may be faces, because the detector is not sure enough. They do not steer; privacy needs them.
    public var maybe: [Detection] = []
    /// The number of rectangles in the line that could not be read. A program that hides faces must know of them.
    public var unread = 0

    /// Creates a frame. Without `arrival` the exposure is used.
    public init(
        sequence: Int? = nil, streamTime: Seconds? = nil, exposure: Seconds, arrival: Seconds? = nil,
        size: PictureSize? = nil, optics: FrameOptics = .usual, detections: [Detection] = []
    ) {
        self.sequence = sequence
        self.streamTime = streamTime
        self.exposure = exposure
        self.arrival = arrival ?? exposure
        self.size = size
        self.optics = optics
        self.detections = detections
    }
}
