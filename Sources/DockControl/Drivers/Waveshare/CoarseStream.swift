internal import Geometry

/// Converts velocity set-points for motors whose goals are whole degrees, but whose speed can be set finely. The goal
/// is a little ahead, and the speed produces the motion.
///
/// If no set-point arrives, the motors stop at the goal. It is as far ahead as they turn in `lead`, but at least
/// `least`, rounded outward by less than a degree. A standstill consists of a goal next to the pose and the slowest
/// speed: at 0.09 deg/s the rest of the motion is invisible.
struct CoarseStream: Sendable, Equatable {
    /// The goals of both motors in whole degrees, and the speeds in the servo's units.
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

    /// How far ahead the goal is, in seconds. It is longer than the time that a servo needs to stop, and longer than
    /// two lost set-points.
    static let lead: Seconds = 0.2
    /// The least distance of a goal, in radians: a few of a servo's positions. A nearer goal may lie within the servo's
    /// dead zone, and the servo would never continue.
    static let least = Double.degrees(0.5)
    /// The range of speeds that T:134 accepts (firmware: `constrain`), and the positions that it accepts, in degrees.
    static let slowest = 1, fastest = 2500
    static let places: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>) = (-180...180, -30...90)
    /// The speed below which a motor counts as stationary, in rad/s.
    static let standing = Double.degrees(2)

    /// The last goal, or nil if there was none since the port was opened.
    private(set) var goal: Goal?
    /// Whether the goal is the position of the motors, determined while they were at rest.
    private(set) var isSettled = false
    private let ranges: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)
    /// The number of units of speed in one rad/s.
    private let unitsPerRadian: Double

    static func == (a: Self, b: Self) -> Bool { a.goal == b.goal && a.isSettled == b.isSettled }

    /// Creates a stream. `stepsPerUnit`: positions per second (4096 per turn) in one unit of speed. The ranges (rad)
    /// are those of the device: the profile's, mirrored if an axis is inverted.
    init(pan: ClosedRange<Double>, tilt: ClosedRange<Double>, stepsPerUnit: Double) {
        ranges = (pan, tilt)
        unitsPerRadian = 4096 / (2 * .pi) / stepsPerUnit
    }

    /// Forgets everything.
    mutating func forget() { (goal, isSettled) = (nil, false) }

    /// Records that the motors were stopped by other means. The next goal is determined again.
    mutating func unsettle() { isSettled = false }

    /// Returns the goal for this velocity (rad/s), from the present pose (rad).
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

    /// Returns the goal for a standstill: where the motors can stop by decelerating for this time (seconds), from their
    /// pose (rad) and rate (rad/s). Motors that have been at rest keep their goal.
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

    /// Returns the goal of a motor that was at rest next to it, because it keeps that goal.
    private func held(_ axis: Axis, at pose: PanTilt) -> Int? {
        guard let goal, goal[axis].speed == Self.slowest else { return nil }
        return abs(Double(goal[axis].place) - pose[axis].inDegrees) <= 1 ? goal[axis].place : nil
    }

    private func nearest(_ place: Double, _ axis: Axis, _ pose: PanTilt) -> Int {
        Int(place.inDegrees.rounded().clamped(to: bounds(axis, pose)))
    }

    /// Returns the whole degrees to which an axis may be sent, which are inside its range. An axis outside its range is
    /// not sent farther out, and is not thrown back in.
    private func bounds(_ axis: Axis, _ pose: PanTilt) -> ClosedRange<Double> {
        let range = axis == .pan ? ranges.pan : ranges.tilt, most = axis == .pan ? Self.places.pan : Self.places.tilt
        let here = pose[axis].inDegrees
        let low = min(range.lowerBound.inDegrees.rounded(.up), here.rounded()).clamped(to: most)
        let high = max(range.upperBound.inDegrees.rounded(.down), here.rounded()).clamped(to: most)
        return low...max(low, high)
    }
}
