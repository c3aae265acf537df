public import Geometry

/// What a camera on a simulated head looks at: the head's pose, and the magnification of the camera's lens.
public struct HeadView: Sendable, Equatable {
    /// Pose of the head, radians.
    public var pose: PanTilt
    /// Magnification; 1 is none.
    public var magnification: Double

    /// A view from its parts.
    public init(_ pose: PanTilt, magnification: Double = 1) {
        self.pose = pose
        self.magnification = magnification
    }
}
