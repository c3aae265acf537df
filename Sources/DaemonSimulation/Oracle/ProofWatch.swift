internal import Geometry

/// Tracking turns an axis slowly until the axis has proven its sign. An axis cannot have proven it before it has
/// turned.
struct ProofWatch {
    /// How far each axis has truly turned since the last clear, rad.
    private var turned = PanTilt.zero

    /// The image must visibly move by more than its noise, rad.
    static let least = Double.degrees(1)
    /// Limit for an axis without proof, rad/s.
    static let speed = Double.degrees(60.1)

    /// Adds the motion of the true axes during `elapsed`; `rate` in rad/s.
    mutating func passed(_ elapsed: Seconds, rate: PanTilt) {
        for axis in Axis.allCases { turned[axis] += abs(rate[axis]) * elapsed }
    }

    /// A fault was cleared: proofs start again.
    mutating func cleared() { turned = .zero }

    /// Takes a set-point of the tracking, and the one before. Returns what is wrong, or nil. A faster requested motion
    /// may slow down by a ramp.
    func tracks(_ velocity: PanTilt, after before: PanTilt) -> String? {
        for axis in Axis.allCases where turned[axis] < Self.least {
            let speed = abs(velocity[axis])
            guard speed > Self.speed, speed > abs(before[axis]) else { continue }
            return
                "\(axis.rawValue) at \(Int(speed.inDegrees)) deg/s, and it has turned only \(turned[axis].inDegrees) deg"
        }
        return nil
    }
}
