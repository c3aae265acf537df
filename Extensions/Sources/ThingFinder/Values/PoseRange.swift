public import Geometry

/// The poses that the head may take, in radians.
public struct PoseRange: Sendable, Equatable {
    /// The range of each axis.
    public var pan: ClosedRange<Double>, tilt: ClosedRange<Double>

    /// Creates a range.
    public init(pan: ClosedRange<Double>, tilt: ClosedRange<Double>) { (self.pan, self.tilt) = (pan, tilt) }

    /// Returns whether the head may take a pose.
    public func contains(_ pose: PanTilt) -> Bool { pan.contains(pose.pan) && tilt.contains(pose.tilt) }
}

/// How fast the head turns: both axes at once, each with this speed and acceleration.
public struct HeadPace: Sendable, Equatable {
    /// In rad/s and rad/s², above 0.
    public var speed: Double, acceleration: Double

    /// Creates a pace.
    public init(speed: Double, acceleration: Double) { (self.speed, self.acceleration) = (speed, acceleration) }

    /// Returns how long the way from one pose to another takes, in seconds.
    public func time(from: PanTilt, to: PanTilt) -> Seconds {
        let way = (to - from).magnitude
        guard way > speed * speed / acceleration else { return 2 * (way / acceleration).squareRoot() }
        return way / speed + speed / acceleration
    }
}
