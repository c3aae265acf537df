internal import Geometry

/// Velocity set-points for motors that take positions: the velocity is integrated, and each set-point is the position reached.
///
/// A motor that follows positions stands by itself when they stop arriving: it has reached the last one. That is its deadman. The
/// goal is never far from where the motor stands, so that nothing winds up against a hand.
struct PositionStream: Sendable, Equatable {
    /// Last goal, rad; nil: none since the port was opened.
    private(set) var goal: PanTilt?
    private var last: Seconds = -.infinity
    private let lag: PanTilt, latency: Seconds
    private let ranges: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)

    /// Longest step, seconds; after a longer pause, the next step begins where the motor stands.
    static let longestStep: Seconds = 0.1
    /// Length of the first step of a run, seconds: one refresh.
    static let firstStep: Seconds = 0.02
    /// A motor that stands no farther than this from its goal sags, and was not turned by hand, rad.
    static let sag = Double.degrees(2)
    /// A pose older than this does not show where to stop, seconds: three readings at 50 a second. The last goal does.
    static let staleness: Seconds = 0.06
    /// The goal is at most this far ahead: this angle (rad), or the motion of this time, twice the motor's lag, the command's
    /// latency and the pose's age. If the motor follows, the goal is one lag ahead. If it is farther ahead, the motor goes on by
    /// the difference when it is commanded to reverse.
    static let leash = (angle: Double.degrees(4), time: Seconds(0.05))

    static func == (a: Self, b: Self) -> Bool { a.goal == b.goal && a.last == b.last }

    /// Goals end where motion ends, inside the soft margin, so that a motor's overshoot is still inside the range.
    init(profile: RigProfile) {
        ranges = (profile.pan.softRange, profile.tilt.softRange)
        lag = PanTilt(pan: profile.pan.lag, tilt: profile.tilt.lag)
        latency = profile.commandLatency
    }

    /// Goal for a set-point, from the pose and rate of the motors `age` seconds ago (rad, rad/s); `braking` is their lag,
    /// seconds.
    mutating func goal(
        for setpoint: DockSetpoint, pose: PanTilt, rate: PanTilt, age: Seconds, braking: Seconds, now: Seconds
    ) -> PanTilt {
        switch setpoint {
        case .velocity(let velocity):
            let signed = SafetyMutant.swapsSign.isOn ? PanTilt(pan: -velocity.pan, tilt: velocity.tilt) : velocity
            return advance(signed, from: pose, age: age, now: now)
        case .stop: return stop(at: pose, rate: rate, age: age, braking: braking)
        }
    }

    /// Goal for this velocity (rad/s), from the pose of the motors `age` seconds ago (rad).
    mutating func advance(_ velocity: PanTilt, from pose: PanTilt, age: Seconds = 0, now: Seconds) -> PanTilt {
        let isRunning = now - last <= Self.longestStep
        let elapsed = isRunning ? max(0, now - last) : Self.firstStep
        last = now
        var next = PanTilt.zero
        for axis in Axis.allCases {
            let held = goal?[axis]
            let start = held.flatMap { isRunning || abs($0 - pose[axis]) < Self.sag ? $0 : nil } ?? pose[axis]
            let ahead = max(
                Self.leash.angle,
                abs(velocity[axis]) * (Self.leash.time + 2 * lag[axis] + latency + min(age, Self.longestStep)))
            let wanted = start + velocity[axis] * elapsed
            var place = wanted.clamped(to: pose[axis] - ahead...pose[axis] + ahead)
            // If a hand holds the head back, the goal comes back, too; but not if the head has turned on since its last report.
            if age >= Self.staleness { place = place.clamped(to: min(start, wanted)...max(start, wanted)) }
            // A motor that stands outside its range is not sent farther out, nor thrown back in.
            let range = axis == .pan ? ranges.pan : ranges.tilt
            let low = min(range.lowerBound, pose[axis]), high = max(range.upperBound, pose[axis])
            next[axis] = place.clamped(to: low...high)
        }
        goal = next
        return next
    }

    /// Goal for standing still: where the motors can stop by braking, from their pose (rad) and rate (rad/s). Motors that stand
    /// still keep their goal.
    mutating func stop(at pose: PanTilt, rate: PanTilt, age: Seconds = 0, braking time: Seconds) -> PanTilt {
        last = -.infinity
        var next = goal ?? pose
        // The pose is so old that the head may be far beyond it: a goal from it would throw the head back.
        guard goal == nil || age < Self.staleness else { return next }
        for axis in Axis.allCases {
            let held = goal?[axis] ?? pose[axis]
            guard abs(rate[axis]) > .degrees(1) || abs(held - pose[axis]) > Self.sag else { continue }
            let place = pose[axis] + rate[axis] * time
            // Never past the goal.
            let low = min(pose[axis], held), high = max(pose[axis], held)
            next[axis] = place.clamped(to: low...high)
        }
        goal = next
        return next
    }

    /// The goal is this pose: torque comes on there.
    mutating func pin(at pose: PanTilt) { (goal, last) = (pose, -.infinity) }

    /// Forgets everything.
    mutating func forget() { (goal, last) = (nil, -.infinity) }
}
