public import Geometry

/// What is known about a picture besides its pixels.
public struct FrameStamp: Sendable, Equatable {
    /// The number of the camera's frame. Detectors name the same number.
    public var sequence: Int
    /// When it was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// The size in pixels.
    public var width: Int, height: Int
    /// How fast the head turned at that time, in rad/s, or nil if that is unknown.
    public var rate: PanTilt?
    /// Where the head pointed at that time, in rad, or nil if that is unknown.
    public var pose: PanTilt?
    /// Which camera took it, and how much it is magnified.
    public var optics: FrameOptics

    /// Two times of the same exposure differ less than this, in seconds: they pass through lines with six decimals.
    public static let tolerance: Seconds = 0.001

    /// Creates a stamp: size in pixels, exposure on CLOCK_MONOTONIC, rate in rad/s, pose in rad.
    public init(
        sequence: Int, exposure: Seconds, width: Int, height: Int, rate: PanTilt?, pose: PanTilt? = nil,
        optics: FrameOptics = .usual
    ) {
        (self.sequence, self.exposure, self.rate, self.pose) = (sequence, exposure, rate, pose)
        (self.width, self.height, self.optics) = (width, height, optics)
    }

    /// The width divided by the height.
    var aspect: Double { Double(width) / Double(height) }
    /// Whether it can be a picture's.
    var isUsable: Bool { exposure.isFinite && width > 0 && height > 0 }

    /// Whether this picture can follow another one of the same camera. If not, the camera is another, or it began again,
    /// and what was known about earlier pictures says nothing about this one.
    func continues(_ last: FrameStamp) -> Bool {
        sequence > last.sequence && exposure > last.exposure && width == last.width && height == last.height
            && optics.camera == last.optics.camera
    }
}
