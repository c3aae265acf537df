internal import Geometry

/// Converts velocity set-points for motors that accept positions. It integrates the velocity, and each set-point is the
/// position reached.
///
/// A motor that follows positions stops by itself when they no longer arrive, because it has reached the last one. This
/// serves as its deadman. The goal is never far from the position of the motor, so that no error accumulates against a
/// hand that holds the head.
struct PositionStream: Sendable, Equatable {
    /// The last goal, in radians, or nil if there was none since the port was opened.
    private(set) var goal: PanTilt?
    private var last: Seconds = -.infinity
    private let lag: PanTilt, latency: Seconds
    private let ranges: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)

    /// The longest step, in seconds. After a longer pause, the next step begins at the position of the motor.
    static let longestStep: Seconds = 0.1
    /// The length of the first step of a run, in seconds: one refresh.
    static let firstStep: Seconds = 0.02
    /// The largest distance from the goal, in radians, at which a motor at rest counts as sagging, and not as turned by
    /// hand.
    static let sag = Double.degrees(2)
    /// The age at which a pose no longer shows where to stop, in seconds: three readings at 50 a second. The last goal
    /// is used instead.
    static let staleness: Seconds = 0.06
    /// The maximum distance of the goal ahead of the motor: this angle (rad), or the motion during the sum of this
    /// time, twice the motor's lag, the command's latency and the pose's age. If the motor follows, the goal is one lag
    /// ahead. If it is farther ahead, the motor continues by the difference when it is commanded to reverse.
    static let leash = (angle: Double.degrees(4), time: Seconds(0.05))

    static func == (a: Self, b: Self) -> Bool { a.goal == b.goal && a.last == b.last }

    /// Creates a stream whose goals end where motion ends, inside the soft margin, so that a motor's overshoot is still
    /// inside the range.
    init(profile: RigProfile) {
        ranges = (profile.pan.softRange, profile.tilt.softRange)
        lag = PanTilt(pan: profile.pan.lag, tilt: profile.tilt.lag)
        latency = profile.commandLatency
    }

    /// Returns the goal for a set-point, from the pose and rate of the motors `age` seconds ago (rad, rad/s). `braking`
    /// is their lag, in seconds.
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

    /// Returns the goal for this velocity (rad/s), from the pose of the motors `age` seconds ago (rad).
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
            // If a hand holds the head back, the goal moves back, too, unless the head has continued to turn since its
            // last report.
            if age >= Self.staleness { place = place.clamped(to: min(start, wanted)...max(start, wanted)) }
            // A motor outside its range is not sent farther out, and is not thrown back in.
            let range = axis == .pan ? ranges.pan : ranges.tilt
            let low = min(range.lowerBound, pose[axis]), high = max(range.upperBound, pose[axis])
            next[axis] = place.clamped(to: low...high)
        }
        goal = next
        return next
    }

    /// Returns the goal for a standstill: where the motors can stop by decelerating, from their pose (rad) and rate
    /// (rad/s). Motors at rest keep their goal.
    mutating func stop(at pose: PanTilt, rate: PanTilt, age: Seconds = 0, braking time: Seconds) -> PanTilt {
        last = -.infinity
        var next = goal ?? pose
        // The pose is so old that the head may be far beyond it. A goal from that pose would throw the head back.
        guard goal == nil || age < Self.staleness else { return next }
        for axis in Axis.allCases {
            let held = goal?[axis] ?? pose[axis]
            guard abs(rate[axis]) > .degrees(1) || abs(held - pose[axis]) > Self.sag else { continue }
            let place = pose[axis] + rate[axis] * time
            // The goal must never be passed.
            let low = min(pose[axis], held), high = max(pose[axis], held)
            next[axis] = place.clamped(to: low...high)
        }
        goal = next
        return next
    }

    /// Makes this pose the goal, so that torque comes on there.
    mutating func pin(at pose: PanTilt) { (goal, last) = (pose, -.infinity) }

    /// Forgets everything.
    mutating func forget() { (goal, last) = (nil, -.infinity) }
}
