internal import Geometry

/// Tracking turns an axis slowly until it has proven its sign, and it cannot have done so before it has turned.
struct ProofWatch {
    /// How far each axis has truly turned since nothing was known of it, rad.
    private var turned = PanTilt.zero

    /// The picture must be seen to move by more than its noise, rad.
    static let least = Double.degrees(1)
    /// rad/s.
    static let speed = Double.degrees(60.1)

    /// The true axes turned by so much, rad.
    mutating func passed(_ elapsed: Seconds, rate: PanTilt) {
        for axis in Axis.allCases { turned[axis] += abs(rate[axis]) * elapsed }
    }

    /// A fault was cleared: everything is judged anew.
    mutating func cleared() { turned = .zero }

    /// A set-point of the tracking, and the one before; what is wrong, nil: nothing. What was faster by somebody's wish may
    /// become slower by a ramp.
    func tracks(_ velocity: PanTilt, after before: PanTilt) -> String? {
        for axis in Axis.allCases where turned[axis] < Self.least {
            let speed = abs(velocity[axis])
            guard speed > Self.speed, speed > abs(before[axis]) else { continue }
            return
                "\(axis.rawValue) at \(Int(speed.inDegrees)) deg/s, and it has turned by \(turned[axis].inDegrees) deg"
        }
        return nil
    }
}
