public import Geometry

/// A frame for a detector stage: rows of red, green and blue, one byte each.
public protocol StagePicture: AnyObject, Sendable {
    /// The camera's number for the frame.
    var sequence: Int { get }
    /// The time of exposure, CLOCK_MONOTONIC.
    var exposure: Seconds { get }
    /// The time of arrival, CLOCK_MONOTONIC.
    var arrival: Seconds { get }
    /// The size in pixels.
    var width: Int { get }
    /// The size in pixels.
    var height: Int { get }
    /// Which camera took it, and how much it is magnified.
    var optics: FrameOptics { get }
    /// The pixels; valid while the frame is held.
    var bytes: UnsafeRawBufferPointer { get }
}

/// What a detector does not know of a frame that it was given.
struct GivenPicture: Sendable, Equatable {
    /// The size in pixels.
    var width: Int, height: Int
    /// Which camera took it, and how much it is magnified.
    var optics: FrameOptics
}

extension GivenPicture {
    init(_ picture: any StagePicture) {
        self.init(width: picture.width, height: picture.height, optics: picture.optics)
    }
}

/// The source of frames for a detector stage.
public struct PictureFeed: Sendable {
    /// The descriptor, which becomes readable when there is a frame or when the feed has ended; -1 means never.
    public var descriptor: Int32
    /// Returns the frame to process next, or nil if there is none yet.
    public var take: @Sendable () -> (any StagePicture)?
    /// Whether the feed has ended.
    public var isOver: @Sendable () -> Bool
    /// Whether every frame counts, however old. Otherwise a newer frame replaces it.
    public var isLossless: Bool

    /// Creates a feed of frames.
    public init(
        descriptor: Int32, isLossless: Bool = false, take: @escaping @Sendable () -> (any StagePicture)?,
        isOver: @escaping @Sendable () -> Bool
    ) {
        (self.descriptor, self.isLossless, self.take, self.isOver) = (descriptor, isLossless, take, isOver)
    }
}
