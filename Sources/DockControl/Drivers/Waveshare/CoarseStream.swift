internal import Geometry

/// Velocity set-points for motors whose goals are whole degrees, but whose speed can be set finely: the goal is a little ahead,
/// and the speed makes the motion.
///
/// If no set-point arrives, the motors stand at the goal: it is as far ahead as they turn in `lead`, at least `least`, rounded
/// outward by less than a degree. To stand still is to have a goal next to the pose and the slowest speed: at 0.09 deg/s the rest
/// of the motion is invisible.
struct CoarseStream: Sendable, Equatable {
    /// Goals of both motors: whole degrees, and the servo's units of speed.
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

    /// How far ahead the goal is, seconds: longer than a servo brakes from its speed, and than two lost set-points.
    static let lead: Seconds = 0.2
    /// A goal nearer than this may lie within a servo's dead zone, and the servo would never go on, rad: a few of its positions.
    static let least = Double.degrees(0.5)
    /// Speeds that T:134 takes (firmware: `constrain`), and positions that it takes, degrees.
    static let slowest = 1, fastest = 2500
    static let places: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>) = (-180...180, -30...90)
    /// A motor slower than this stands still, rad/s.
    static let standing = Double.degrees(2)

    /// Last goal; nil: none since the port was opened.
    private(set) var goal: Goal?
    /// The goal is where the motors stand, and was found when they stood still.
    private(set) var isSettled = false
    private let ranges: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)
    /// Units of speed in one rad/s.
    private let unitsPerRadian: Double

    static func == (a: Self, b: Self) -> Bool { a.goal == b.goal && a.isSettled == b.isSettled }

    /// `stepsPerUnit`: positions per second (4096 per turn) in one unit of speed. Ranges are those of the device, rad: the
    /// profile's, mirrored if an axis is inverted.
    init(pan: ClosedRange<Double>, tilt: ClosedRange<Double>, stepsPerUnit: Double) {
        ranges = (pan, tilt)
        unitsPerRadian = 4096 / (2 * .pi) / stepsPerUnit
    }

    /// Forgets everything.
    mutating func forget() { (goal, isSettled) = (nil, false) }

    /// The motors were stopped by other means: the next goal is determined again.
    mutating func unsettle() { isSettled = false }

    /// Goal for this velocity (rad/s), from the present pose (rad).
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

    /// Goal for standing still: where the motors can stop by braking (seconds), from their pose (rad) and rate (rad/s). Motors
    /// that have stood still keep their goal.
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

    /// A motor that was standing next to its goal keeps it.
    private func held(_ axis: Axis, at pose: PanTilt) -> Int? {
        guard let goal, goal[axis].speed == Self.slowest else { return nil }
        return abs(Double(goal[axis].place) - pose[axis].inDegrees) <= 1 ? goal[axis].place : nil
    }

    private func nearest(_ place: Double, _ axis: Axis, _ pose: PanTilt) -> Int {
        Int(place.inDegrees.rounded().clamped(to: bounds(axis, pose)))
    }

    /// The whole degrees to which an axis may be sent: inside its range. An axis that stands outside is not sent farther out, nor
    /// thrown back in.
    private func bounds(_ axis: Axis, _ pose: PanTilt) -> ClosedRange<Double> {
        let range = axis == .pan ? ranges.pan : ranges.tilt, most = axis == .pan ? Self.places.pan : Self.places.tilt
        let here = pose[axis].inDegrees
        let low = min(range.lowerBound.inDegrees.rounded(.up), here.rounded()).clamped(to: most)
        let high = max(range.upperBound.inDegrees.rounded(.down), here.rounded()).clamped(to: most)
        return low...max(low, high)
    }
}
