public import Geometry

/// How far and how fast one axis may turn for the rest of a session (DockKit's `Limit`).
public struct AxisLimit: Sendable, Equatable {
    /// Where the motion may go, radians.
    public var range: ClosedRange<Double>
    /// rad/s; nil: the rig's own.
    public var maxSpeed: Double?

    /// A range (rad) and, if not the rig's own, a speed (rad/s, > 0).
    public init(range: ClosedRange<Double>, maxSpeed: Double? = nil) {
        self.range = range
        self.maxSpeed = maxSpeed
    }
}

/// Limits of a session inside the profile's (DockKit's `Limits`): they bind every path, and end with the session.
public struct SessionLimits: Sendable, Equatable {
    /// Pan; nil: the rig's own.
    public var pan: AxisLimit?
    /// Tilt; nil: the rig's own.
    public var tilt: AxisLimit?

    /// None unless given.
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
    /// This rig with the limits of a session: what they leave of its soft ranges and speeds.
    public func limited(by limits: SessionLimits) -> RigProfile {
        var rig = self
        for axis in Axis.allCases {
            guard let limit = limits[axis] else { continue }
            var own = rig[axis]
            let soft = own.softRange
            let low = max(limit.range.lowerBound, soft.lowerBound), high = min(limit.range.upperBound, soft.upperBound)
            // The soft range is what is left; the margin beyond it stays as it is.
            own.range = low - own.softMargin...max(low, high) + own.softMargin
            own.maxSpeed = min(limit.maxSpeed ?? own.maxSpeed, own.maxSpeed)
            if axis == .pan { rig.pan = own } else { rig.tilt = own }
        }
        return rig
    }

    /// Why an axis cannot have these limits of a session (rad, rad/s; nil: the rig's own speed); nil: it can.
    public func refusal(_ axis: Axis, low: Double, high: Double, speed: Double?) -> DockError? {
        guard low.isFinite, high.isFinite, low < high else {
            return .init(
                .invalidParameter, "\(axis.rawValue): the minimum must be below the maximum", hint: "swap them")
        }
        if let speed, !(speed > 0 && speed.isFinite) {
            return .init(
                .invalidParameter, "\(axis.rawValue): a speed is above 0", hint: "leave it out for the rig's own")
        }
        let own = self[axis].softRange
        guard low < own.upperBound, high > own.lowerBound else {
            return .init(
                .limitReached, "\(axis.rawValue): nothing of that is inside the rig's own limits",
                hint:
                    "stay within \(Int(own.lowerBound.inDegrees.rounded()))...\(Int(own.upperBound.inDegrees.rounded())) degrees"
            )
        }
        return nil
    }
}
