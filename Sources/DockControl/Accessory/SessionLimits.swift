public import DockTypes
public import Geometry

/// The range and speed of one axis for the rest of a session (DockKit's `Limit`).
public struct AxisLimit: Sendable, Equatable {
    /// The permitted range, in radians.
    public var range: ClosedRange<Double>
    /// The top speed, in rad/s, or nil for the rig's own.
    public var maxSpeed: Double?

    /// Creates a limit from a range (rad) and, if it is not the rig's own, a speed (rad/s, > 0).
    public init(range: ClosedRange<Double>, maxSpeed: Double? = nil) {
        self.range = range
        self.maxSpeed = maxSpeed
    }
}

/// Limits of a session within the profile's (DockKit's `Limits`). They apply to every kind of motion and end with the
/// session.
public struct SessionLimits: Sendable, Equatable {
    /// The limit of pan, or nil for the rig's own.
    public var pan: AxisLimit?
    /// The limit of tilt, or nil for the rig's own.
    public var tilt: AxisLimit?

    /// Creates limits; by default, none.
    public init(pan: AxisLimit? = nil, tilt: AxisLimit? = nil) {
        self.pan = pan
        self.tilt = tilt
    }

    /// The limit of one axis.
    public subscript(axis: Axis) -> AxisLimit? {
        get { axis == .pan ? pan : tilt }
        set { if axis == .pan { pan = newValue } else { tilt = newValue } }
    }
}

extension RigProfile {
    /// Returns this rig with its soft ranges and speeds reduced to the limits of a session.
    public func limited(by limits: SessionLimits) -> RigProfile {
        var rig = self
        for axis in Axis.allCases {
            guard let limit = limits[axis] else { continue }
            var own = rig[axis]
            let soft = own.softRange
            let low = max(limit.range.lowerBound, soft.lowerBound), high = min(limit.range.upperBound, soft.upperBound)
            // The soft range becomes the intersection; the margin beyond it is unchanged.
            own.range = low - own.softMargin...max(low, high) + own.softMargin
            own.maxSpeed = min(limit.maxSpeed ?? own.maxSpeed, own.maxSpeed)
            if axis == .pan { rig.pan = own } else { rig.tilt = own }
        }
        return rig
    }

    /// Returns the reason why an axis cannot have these session limits (rad, rad/s), or nil if it can. A nil `speed`
    /// means the rig's own.
    public func refusal(_ axis: Axis, low: Double, high: Double, speed: Double?) -> DockError? {
        guard low.isFinite, high.isFinite, low < high else {
            return .init(
                .invalidParameter, "\(axis.rawValue): the minimum must be below the maximum", hint: "swap them")
        }
        if let speed, !(speed > 0 && speed.isFinite) {
            return .init(
                .invalidParameter, "\(axis.rawValue): the speed must be above 0",
                hint: "leave it out to use the rig's own")
        }
        let own = self[axis].softRange
        guard low < own.upperBound, high > own.lowerBound else {
            return .init(
                .limitReached, "\(axis.rawValue): the range is outside the rig's own limits",
                hint:
                    "stay within \(Int(own.lowerBound.inDegrees.rounded()))...\(Int(own.upperBound.inDegrees.rounded())) degrees"
            )
        }
        return nil
    }
}
