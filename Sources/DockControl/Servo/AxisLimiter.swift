public import Geometry

/// The last stage before the driver, for one axis. It limits speed and acceleration, and decelerates toward the soft
/// limits, taking the delay of commands into account. Every kind of motion passes through it.
public struct AxisLimiter: Sendable, Equatable {
    /// The range within which the motion ends, in radians.
    public var range: ClosedRange<Double>
    /// The maximum speed, in rad/s.
    public var maxSpeed: Double
    /// The maximum acceleration, in rad/s². Steering uses 0.85 of it, and braking assumes 0.6 of it.
    public let maxAcceleration: Double
    /// The time from a decision to its effect: command latency + lag + pose age + tick + 50 ms, in seconds.
    public let reaction: Seconds
    private let lag: Seconds
    /// The present velocity of the motor if it does what was commanded, in rad/s.
    private var followed = 0.0
    /// The last commanded velocity, in rad/s.
    public private(set) var velocity = 0.0
    /// The end that limited the last step: -1 for the lower, +1 for the upper, 0 for none.
    public private(set) var blocked = 0

    /// The fraction of the acceleration that braking toward a limit assumes.
    static let brakingShare = 0.6
    /// The fraction of the acceleration that a steady ramp uses, so that the real axis can follow.
    static let steeringShare = 0.85
    /// The age of a position that needs no extra margin, in seconds.
    static let usualAge: Seconds = 0.05
    /// The speed at which an axis outside its range returns, in rad/s.
    static let returnSpeed = Double.degrees(10)

    /// Creates a limiter for one axis of a rig; `tick` is the time between commands, in seconds.
    public init(axis: RigProfile.AxisProfile, commandLatency: Seconds, tick: Seconds) {
        range = axis.softRange
        maxSpeed = axis.maxSpeed
        maxAcceleration = axis.maxAcceleration
        lag = axis.lag
        reaction = commandLatency + axis.lag + 0.02 + tick + 0.05
    }

    /// Assumes standstill from now on, without a ramp. Used for a stop, a fault and an unplugged cable.
    public mutating func reset() {
        velocity = 0
        followed = 0
        blocked = 0
    }

    /// Returns the velocity that may be commanded now.
    /// - Parameters:
    ///   - wanted: the desired velocity, in rad/s.
    ///   - position: the position of the axis, in radians. If nil, it is unknown, and nothing moves.
    ///   - reported: the last reported position, in radians. `position` is extrapolated from it with a rate that may be
    ///     wrong, so no end counts as farther away than from here. It is nil if nothing else is known.
    ///   - rate: the velocity at the report, in rad/s.
    ///   - age: age of the position, in seconds; above `usualAge` it counts as further delay.
    ///   - speedShare: 0...1 of the maximum speed.
    ///   - elapsed: the time since the last step, in seconds.
    ///   - tracks: the axis follows a person, as fast as the motor can; otherwise the commands themselves are a ramp.
    public mutating func step(
        toward wanted: Double, position: Double?, reported: Double? = nil, rate: Double = 0, age: Seconds = 0,
        speedShare: Double, elapsed: Seconds, tracks: Bool = false
    ) -> Double {
        blocked = 0
        guard let position, wanted.isFinite else {
            velocity = 0
            return 0
        }
        let top = maxSpeed * speedShare.clamped(to: 0...1)
        var target = wanted.clamped(to: -top...top)
        let late = max(0, age - Self.usualAge)
        // The position is extrapolated with the last rate, but the axis may also have stopped soon after the report.
        let carried = rate * late
        var highest = position - min(0, carried), lowest = position - max(0, carried)
        if let reported, !SafetyMutant.believesRates.isOn {
            (highest, lowest) = (max(highest, reported), min(lowest, reported))
        }
        let upper = brakingSpeed(distance: range.upperBound - highest, late: late)
        let lower = brakingSpeed(distance: lowest - range.lowerBound, late: late)
        if target > upper {
            target = upper
            blocked = 1
        }
        if target < -lower {
            target = -lower
            blocked = -1
        }
        // Outside the range, or without a report of being back inside, the axis may only move inward, and slowly.
        let isAbove = max(position, reported ?? position) > range.upperBound
        let isBelow = min(position, reported ?? position) < range.lowerBound
        let returnSpeed = SafetyMutant.returnsFast.isOn ? .infinity : Self.returnSpeed
        if isAbove { target = max(target, -returnSpeed) }
        if isBelow { target = min(target, returnSpeed) }
        let elapsed = elapsed.clamped(to: 0...0.1)
        let change = maxAcceleration * Self.steeringShare * elapsed
        let reach = reach(after: elapsed)
        let low = tracks ? reach.lowerBound : .infinity, high = tracks ? reach.upperBound : -.infinity
        velocity = target.clamped(to: min(velocity - change, low)...max(velocity + change, high))
        // The ramp must not exceed the braking curve, nor must the axis return at speed: the limit outranks comfort.
        velocity = velocity.clamped(to: -max(lower, 0)...max(upper, 0))
        if isAbove { velocity = max(velocity, -returnSpeed) }
        if isBelow { velocity = min(velocity, returnSpeed) }
        return velocity
    }

    /// Returns the velocities that do not demand more than the motor's acceleration. The motor follows with its lag, so
    /// its acceleration is the difference from the command divided by the lag. A ramp of the commands in addition to
    /// the lag would delay it twice.
    private mutating func reach(after elapsed: Seconds) -> ClosedRange<Double> {
        let share = elapsed / max(lag + elapsed / 2, elapsed, 1e-6), most = maxAcceleration * elapsed
        followed += (share * (velocity - followed)).clamped(to: -most...most)
        return followed - maxAcceleration * lag...followed + maxAcceleration * lag
    }

    /// Returns the largest speed toward an end that is `distance` away: u <= -aT + sqrt((aT)² + 2ad); 0 at and beyond
    /// the end. The distance may be up to `late` seconds old.
    func brakingSpeed(distance: Double, late: Seconds = 0) -> Double {
        if SafetyMutant.ignoresLimits.isOn { return .infinity }
        guard distance > 0 else { return 0 }
        let a = Self.brakingShare * maxAcceleration, at = a * (SafetyMutant.brakesLate.isOn ? 0 : reaction + late)
        return -at + (at * at + 2 * a * distance).squareRoot()
    }
}
