public import Codecs
public import Geometry

/// A depth picture of a camera at this machine.
public struct TakenDepth: Sendable, Equatable {
    /// The samples, in the unit of the camera.
    public let picture: DepthPicture
    /// When it was exposed, CLOCK_MONOTONIC.
    public let exposure: Seconds

    /// The oldest time of a driver that is accepted, in seconds before the arrival.
    static let oldest: Seconds = 1

    /// Creates a picture.
    /// - Parameters:
    ///   - stamp: the driver's time on CLOCK_MONOTONIC, or nil if it has another clock. One that cannot be right does not
    ///     count: some drivers leave it 0.
    ///   - arrival: when it arrived, which is the exposure without a stamp.
    public init(_ picture: DepthPicture, stamp: Seconds?, arrival: Seconds) {
        self.picture = picture
        exposure = stamp.flatMap { (0...Self.oldest).contains(arrival - $0) ? $0 : nil } ?? arrival
    }
}
