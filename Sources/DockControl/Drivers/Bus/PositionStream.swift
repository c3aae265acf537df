internal import Geometry

/// Velocity set-points for motors that take places: the way is summed up, and each set-point is the place where it has come to.
///
/// A motor that follows places stands by itself when they stop coming: it has arrived. That is its deadman. What it is sent is
/// never far from where it stands, so that nothing winds up against a hand.
struct PositionStream: Sendable, Equatable {
    /// Where the motors were sent last, rad; nil: nowhere since the port was opened.
    private(set) var goal: PanTilt?
    private var last: Seconds = -.infinity
    private let lag: PanTilt, latency: Seconds
    private let ranges: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)

    /// A pause longer than this is none: the next step begins where the motor stands, seconds.
    static let longestStep: Seconds = 0.1
    /// The first step of a run is a refresh long, seconds.
    static let firstStep: Seconds = 0.02
    /// A motor that stands no farther than this from where it was sent sags, or is turned by nobody, rad.
    static let sag = Double.degrees(2)
    /// A pose older than this says nothing of where to stop, seconds: three readings at 50 a second. The last goal does.
    static let staleness: Seconds = 0.06
    /// The goal is at most so far ahead: this angle (rad), or the way of so much time, twice the motor's lag, the command's latency and
    /// the pose's age. It is one lag ahead where the motor follows; what it is farther ahead, the motor goes on by when it is told to turn round.
    static let leash = (angle: Double.degrees(4), time: Seconds(0.05))

    static func == (a: Self, b: Self) -> Bool { a.goal == b.goal && a.last == b.last }

    /// Places end where motion ends, inside the soft margin: what a motor overshoots by is still inside the range then.
    init(profile: RigProfile) {
        ranges = (profile.pan.softRange, profile.tilt.softRange)
        lag = PanTilt(pan: profile.pan.lag, tilt: profile.tilt.lag)
        latency = profile.commandLatency
    }

    /// Where to go for a set-point, from where the motors stood `age` seconds ago (rad, rad/s); `braking` is their lag, seconds.
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

    /// Where to go for this velocity (rad/s), from where the motors stood `age` seconds ago (rad).
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
            // Held back by a hand, the goal comes back, too; but not for a head that has turned on since it was last heard of.
            if age >= Self.staleness { place = place.clamped(to: min(start, wanted)...max(start, wanted)) }
            // A motor that stands outside its range is not sent farther out; nor is it thrown back in.
            let range = axis == .pan ? ranges.pan : ranges.tilt
            let low = min(range.lowerBound, pose[axis]), high = max(range.upperBound, pose[axis])
            next[axis] = place.clamped(to: low...high)
        }
        goal = next
        return next
    }

    /// The motors shall stand: where they can by braking, from their pose (rad) and rate (rad/s). Standing still they keep
    /// their place.
    mutating func stop(at pose: PanTilt, rate: PanTilt, age: Seconds = 0, braking time: Seconds) -> PanTilt {
        last = -.infinity
        var next = goal ?? pose
        // What is known of the pose is so old that the head may be far beyond it: a goal from it would throw the head back.
        guard goal == nil || age < Self.staleness else { return next }
        for axis in Axis.allCases {
            let held = goal?[axis] ?? pose[axis]
            guard abs(rate[axis]) > .degrees(1) || abs(held - pose[axis]) > Self.sag else { continue }
            let place = pose[axis] + rate[axis] * time
            // Never past where it was going.
            let low = min(pose[axis], held), high = max(pose[axis], held)
            next[axis] = place.clamped(to: low...high)
        }
        goal = next
        return next
    }

    /// It stands wherever it stands: torque comes on there.
    mutating func pin(at pose: PanTilt) { (goal, last) = (pose, -.infinity) }

    /// Nothing is known any more.
    mutating func forget() { (goal, last) = (nil, -.infinity) }
}
