public import Geometry

/// A picture for a detector stage: rows of red, green and blue, a byte each.
public protocol StagePicture: AnyObject, Sendable {
    /// The camera's number of it.
    var sequence: Int { get }
    /// When it was taken, CLOCK_MONOTONIC.
    var exposure: Seconds { get }
    /// When it was there, CLOCK_MONOTONIC.
    var arrival: Seconds { get }
    /// Size in pixels.
    var width: Int { get }
    /// Size in pixels.
    var height: Int { get }
    /// Its pixels, while it is held.
    var bytes: UnsafeRawBufferPointer { get }
}

/// Where a detector stage gets its pictures from.
public struct PictureFeed: Sendable {
    /// Becomes readable when there is a picture, or there will be no more; -1: never.
    public var descriptor: Int32
    /// The picture to look at next; nil: there is none yet.
    public var take: @Sendable () -> (any StagePicture)?
    /// Whether there will be no more.
    public var isOver: @Sendable () -> Bool
    /// Every picture counts, however old it has become; else a newer one is better.
    public var isLossless: Bool

    /// A feed of pictures.
    public init(
        descriptor: Int32, isLossless: Bool = false, take: @escaping @Sendable () -> (any StagePicture)?,
        isOver: @escaping @Sendable () -> Bool
    ) {
        (self.descriptor, self.isLossless, self.take, self.isOver) = (descriptor, isLossless, take, isOver)
    }
}
