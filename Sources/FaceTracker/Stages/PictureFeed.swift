public import Geometry

/// A frame for a detector stage: rows of red, green and blue, one byte each.
public protocol StagePicture: AnyObject, Sendable {
    /// The camera's number for the frame.
    var sequence: Int { get }
    /// Time of exposure, CLOCK_MONOTONIC.
    var exposure: Seconds { get }
    /// Time of arrival, CLOCK_MONOTONIC.
    var arrival: Seconds { get }
    /// Size in pixels.
    var width: Int { get }
    /// Size in pixels.
    var height: Int { get }
    /// The pixels; valid while the frame is held.
    var bytes: UnsafeRawBufferPointer { get }
}

/// The source of frames for a detector stage.
public struct PictureFeed: Sendable {
    /// Becomes readable when there is a frame or when the feed has ended; -1 means never.
    public var descriptor: Int32
    /// Returns the frame to process next; nil if there is none yet.
    public var take: @Sendable () -> (any StagePicture)?
    /// Whether the feed has ended.
    public var isOver: @Sendable () -> Bool
    /// True if every frame counts, however old; otherwise a newer frame replaces it.
    public var isLossless: Bool

    /// A feed of frames.
    public init(
        descriptor: Int32, isLossless: Bool = false, take: @escaping @Sendable () -> (any StagePicture)?,
        isOver: @escaping @Sendable () -> Bool
    ) {
        (self.descriptor, self.isLossless, self.take, self.isOver) = (descriptor, isLossless, take, isOver)
    }
}
