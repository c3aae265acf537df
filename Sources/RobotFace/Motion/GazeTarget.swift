internal import Geometry
internal import Glibc

/// The gaze target: angles from the robot's point of view.
public struct GazeTarget: Sendable, Equatable {
    /// Radians, + = to the robot's right.
    public var bearing: Double
    /// Radians, + = up.
    public var elevation: Double
    /// Angular width of the target face, in radians, which determines its distance; nil if unknown.
    public var faceWidth: Double?

    /// Angles in radians from the robot's point of view.
    public init(bearing: Double, elevation: Double, faceWidth: Double? = nil) {
        self.bearing = bearing
        self.elevation = elevation
        self.faceWidth = faceWidth
    }
}

/// A point on the screen in degrees: x + = to the viewer's right, y + = down.
typealias ScreenAngle = SIMD2<Double>

extension GazeTarget {
    /// The eyes are fully turned at these angles.
    static let fullAngle = ScreenAngle(25, 18)

    /// Mirrored: the screen faces the viewer, so the robot's right is the viewer's left.
    var onScreen: ScreenAngle {
        let angle = ScreenAngle(-bearing.inDegrees, -elevation.inDegrees)
        guard angle.x.isFinite, angle.y.isFinite else { return .zero }
        return angle.clamped(lowerBound: -Self.fullAngle, upperBound: Self.fullAngle)
    }

    /// How far each eye turns inward for the distance of the face, in eye widths: 0...0.12.
    var vergence: Double {
        guard let faceWidth, faceWidth > 0.01, faceWidth < 3 else { return 0 }
        let distance = 0.15 / (2 * tan(faceWidth / 2))
        return (0.03 / distance).clamped(to: 0...0.12)
    }
}
