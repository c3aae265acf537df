/// Seconds, as a plain number: a duration, or a time on CLOCK_MONOTONIC if the name contains `now`, `time` or `deadline`.
public typealias Seconds = Double

extension Double {
    /// Radians from degrees.
    @inlinable
    public static func degrees(_ degrees: Double) -> Double { degrees * .pi / 180 }

    /// This angle in degrees, converted from radians; for profiles, command lines and screens.
    @inlinable
    public var inDegrees: Double { self * 180 / .pi }

    /// This value, limited to `range`.
    @inlinable
    public func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

/// Two angles, angular velocities or angular accelerations of a dock: pan + = the dock turns to its right, tilt + = up.
///
/// Radians, rad/s or rad/s²; the variable's name says which.
public struct PanTilt: Sendable, Equatable {
    /// About the vertical axis; positive to the dock's right.
    public var pan: Double
    /// About the horizontal axis; positive upward.
    public var tilt: Double

    /// Both axes at zero.
    public static let zero = PanTilt(pan: 0, tilt: 0)

    /// Values in radians (rad/s, rad/s²).
    @inlinable
    public init(pan: Double, tilt: Double) {
        self.pan = pan
        self.tilt = tilt
    }

    /// The same from degrees (deg/s, deg/s²).
    @inlinable
    public static func degrees(pan: Double, tilt: Double) -> PanTilt {
        PanTilt(pan: .degrees(pan), tilt: .degrees(tilt))
    }

    /// The value of one axis.
    @inlinable
    public subscript(axis: Axis) -> Double {
        get { axis == .pan ? pan : tilt }
        set { if axis == .pan { pan = newValue } else { tilt = newValue } }
    }

    /// The larger of the two amounts.
    @inlinable
    public var magnitude: Double { Swift.max(abs(pan), abs(tilt)) }

    /// Axis by axis.
    @inlinable
    public static func + (a: PanTilt, b: PanTilt) -> PanTilt { PanTilt(pan: a.pan + b.pan, tilt: a.tilt + b.tilt) }

    /// Axis by axis.
    @inlinable
    public static func - (a: PanTilt, b: PanTilt) -> PanTilt { PanTilt(pan: a.pan - b.pan, tilt: a.tilt - b.tilt) }

    /// Both axes scaled.
    @inlinable
    public static func * (a: PanTilt, factor: Double) -> PanTilt { PanTilt(pan: a.pan * factor, tilt: a.tilt * factor) }
}

/// One of a dock's two axes.
public enum Axis: String, Sendable, CaseIterable {
    /// About the vertical axis.
    case pan
    /// About the horizontal axis.
    case tilt
}
