internal import Geometry

/// Velocity set-points for motors whose goals are whole degrees, but whose speed can be set finely: the goal is a little ahead,
/// and the speed makes the motion.
///
/// When no set-point comes, they stand at the goal: so far ahead as they come in `lead`, `least` at least, and rounded outward
/// by less than a degree. Standing is a goal beside the pose and the slowest speed: at 0.09 deg/s nobody sees them go there.
struct CoarseStream: Sendable, Equatable {
    /// What both motors are told: whole degrees and the servo's units of speed.
    struct Goal: Sendable, Equatable {
        var pan: Int
        var tilt: Int
        var panSpeed = slowest
        var tiltSpeed = slowest

        fileprivate subscript(axis: Axis) -> (place: Int, speed: Int) {
            get { axis == .pan ? (pan, panSpeed) : (tilt, tiltSpeed) }
            set { if axis == .pan { (pan, panSpeed) = newValue } else { (tilt, tiltSpeed) = newValue } }
        }
    }

    /// The way ahead, seconds: longer than a servo brakes from its speed, and than two lost set-points.
    static let lead: Seconds = 0.2
    /// Nearer than this a goal may lie within a servo's dead zone, and it would never go on, rad: a few of its positions.
    static let least = Double.degrees(0.5)
    /// What T:134 takes as a speed (firmware: `constrain`), and as places: degrees.
    static let slowest = 1, fastest = 2500
    static let places: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>) = (-180...180, -30...90)
    /// A motor slower than this stands, rad/s.
    static let standing = Double.degrees(2)

    /// Where they were sent last; nil: nowhere since the port was opened.
    private(set) var goal: Goal?
    /// It is where they stand, and was found when they stood.
    private(set) var isSettled = false
    private let ranges: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)
    /// Units of speed of one rad/s.
    private let unitsPerRadian: Double

    static func == (a: Self, b: Self) -> Bool { a.goal == b.goal && a.isSettled == b.isSettled }

    /// `stepsPerUnit`: positions a second (4096 in a turn) of one unit of speed. Ranges are those of the device, rad: the
    /// profile's, mirrored where an axis is inverted.
    init(pan: ClosedRange<Double>, tilt: ClosedRange<Double>, stepsPerUnit: Double) {
        ranges = (pan, tilt)
        unitsPerRadian = 4096 / (2 * .pi) / stepsPerUnit
    }

    /// Nothing is known any more.
    mutating func forget() { (goal, isSettled) = (nil, false) }

    /// They were stopped by other means: the next goal is found anew.
    mutating func unsettle() { isSettled = false }

    /// Where to go for this velocity (rad/s), from where they stand (rad).
    mutating func advance(_ velocity: PanTilt, from pose: PanTilt) -> Goal {
        var next = Goal(pan: 0, tilt: 0)
        for axis in Axis.allCases {
            let units = (abs(velocity[axis]) * unitsPerRadian).rounded()
            guard units >= 1 else {
                next[axis] = (held(axis, at: pose) ?? nearest(pose[axis], axis, pose), Self.slowest)
                continue
            }
            let sense = velocity[axis] > 0 ? 1.0 : -1
            let ahead = (pose[axis] + sense * max(abs(velocity[axis]) * Self.lead, Self.least)).inDegrees
            let place = ahead.rounded(sense > 0 ? .up : .down)
            next[axis] = (Int(place.clamped(to: bounds(axis, pose))), Int(min(units, Double(Self.fastest))))
        }
        (goal, isSettled) = (next, false)
        return next
    }

    /// They shall stand: where they can by braking (seconds), from their pose (rad) and rate (rad/s). Having stood, they keep
    /// their place.
    mutating func stop(at pose: PanTilt, rate: PanTilt, braking time: Seconds) -> Goal {
        if let goal, isSettled { return goal }
        var next = Goal(pan: 0, tilt: 0)
        for axis in Axis.allCases {
            let brakes = abs(rate[axis]) > Self.standing
            next[axis] = (nearest(pose[axis] + (brakes ? rate[axis] * time : 0), axis, pose), Self.slowest)
        }
        (goal, isSettled) = (next, rate.magnitude <= Self.standing)
        return next
    }

    /// One that was standing beside its goal keeps it.
    private func held(_ axis: Axis, at pose: PanTilt) -> Int? {
        guard let goal, goal[axis].speed == Self.slowest else { return nil }
        return abs(Double(goal[axis].place) - pose[axis].inDegrees) <= 1 ? goal[axis].place : nil
    }

    private func nearest(_ place: Double, _ axis: Axis, _ pose: PanTilt) -> Int {
        Int(place.inDegrees.rounded().clamped(to: bounds(axis, pose)))
    }

    /// The whole degrees where it may be sent: inside its range; one that stands outside is not sent farther out, nor thrown
    /// back in.
    private func bounds(_ axis: Axis, _ pose: PanTilt) -> ClosedRange<Double> {
        let range = axis == .pan ? ranges.pan : ranges.tilt, most = axis == .pan ? Self.places.pan : Self.places.tilt
        let here = pose[axis].inDegrees
        let low = min(range.lowerBound.inDegrees.rounded(.up), here.rounded()).clamped(to: most)
        let high = max(range.upperBound.inDegrees.rounded(.down), here.rounded()).clamped(to: most)
        return low...max(low, high)
    }
}
