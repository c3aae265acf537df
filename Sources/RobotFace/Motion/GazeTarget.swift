internal import Geometry
internal import Glibc

/// The gaze target: angles from the robot's point of view.
public struct GazeTarget: Sendable, Equatable {
    /// The bearing in radians, positive to the robot's right.
    public var bearing: Double
    /// The elevation in radians, positive upward.
    public var elevation: Double
    /// The angular width of the target face, in radians, which determines its distance, or nil if unknown.
    public var faceWidth: Double?
    /// The distance of the target in metres, which counts more than the width, or nil if unknown.
    public var distance: Double?

    /// Creates a target from angles in radians from the robot's point of view.
    public init(bearing: Double, elevation: Double, faceWidth: Double? = nil, distance: Double? = nil) {
        self.distance = distance
        self.bearing = bearing
        self.elevation = elevation
        self.faceWidth = faceWidth
    }
}

/// A point on the screen in degrees: x is positive to the viewer's right, and y is positive downward.
typealias ScreenAngle = SIMD2<Double>

extension GazeTarget {
    /// The angles at which the eyes are fully turned.
    static let fullAngle = ScreenAngle(25, 18)

    /// The point on the screen, which is mirrored: the screen faces the viewer, so the robot's right is the viewer's
    /// left.
    var onScreen: ScreenAngle {
        let angle = ScreenAngle(-bearing.inDegrees, -elevation.inDegrees)
        guard angle.x.isFinite, angle.y.isFinite else { return .zero }
        return angle.clamped(lowerBound: -Self.fullAngle, upperBound: Self.fullAngle)
    }

    /// The inward turn of each eye for the distance of the face, in eye widths: 0...0.12.
    var vergence: Double {
        if let distance, distance > 0 { return (0.03 / distance).clamped(to: 0...0.12) }
        guard let faceWidth, faceWidth > 0.01, faceWidth < 3 else { return 0 }
        return (0.03 / (0.15 / (2 * tan(faceWidth / 2)))).clamped(to: 0...0.12)
    }
}
