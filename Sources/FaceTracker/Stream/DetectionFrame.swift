public import Geometry

/// The size of a picture in pixels.
public struct PictureSize: Sendable, Equatable {
    /// Pixels from left to right, > 0.
    public var width: Double
    /// Pixels from top to bottom, > 0.
    public var height: Double

    /// A size in pixels.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Width over height; 1.78 for 16:9.
    public var aspect: Double { width / height }
}

/// All that a detector found in one picture; a picture without faces is a frame too.
public struct DetectionFrame: Sendable, Equatable {
    /// The stream's own number of the frame, if it gives one.
    public var sequence: Int?
    /// The stream's own time of the frame, on the stream's own clock, if it gives one.
    public var streamTime: Seconds?
    /// When the picture was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// When the line was read, CLOCK_MONOTONIC.
    public var arrival: Seconds
    /// The upright picture's size in pixels, if the stream tells it.
    public var size: PictureSize?
    /// The rectangles, in the stream's order, which means nothing.
    public var detections: [Detection]

    /// A frame; `arrival` is the exposure where it does not matter.
    public init(
        sequence: Int? = nil, streamTime: Seconds? = nil, exposure: Seconds, arrival: Seconds? = nil,
        size: PictureSize? = nil, detections: [Detection] = []
    ) {
        self.sequence = sequence
        self.streamTime = streamTime
        self.exposure = exposure
        self.arrival = arrival ?? exposure
        self.size = size
        self.detections = detections
    }
}
