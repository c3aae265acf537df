public import Geometry

/// The last gate before the driver, for one axis: speed, acceleration, and braking toward the soft limits that knows
/// how long a command takes to act. Every path runs through it.
public struct AxisLimiter: Sendable, Equatable {
    /// Range within which the motion ends, radians.
    public var range: ClosedRange<Double>
    /// rad/s.
    public var maxSpeed: Double
    /// rad/s²; of which 0.85 are used for steering and 0.6 are counted on for braking.
    public let maxAcceleration: Double
    /// Time from a decision to its effect: command latency + lag + pose age + tick + 50 ms, seconds.
    public let reaction: Seconds
    private let lag: Seconds
    /// How fast the motor turns by now, if it does what it was told, rad/s.
    private var followed = 0.0
    /// The last velocity commanded, rad/s.
    public private(set) var velocity = 0.0
    /// Which end held the last step back: -1 the lower, +1 the upper, 0 none.
    public private(set) var blocked = 0

    /// Share of the acceleration that braking toward a limit counts on.
    static let brakingShare = 0.6
    /// Share of the acceleration that a steady ramp uses, so that the real axis can follow.
    static let steeringShare = 0.85
    /// A position this old is nothing special, seconds.
    static let usualAge: Seconds = 0.05
    /// Speed at which an axis outside its range is let back in, rad/s.
    static let returnSpeed = Double.degrees(10)

    /// For one axis of a rig; `tick` is the time between commands, seconds.
    public init(axis: RigProfile.AxisProfile, commandLatency: Seconds, tick: Seconds) {
        range = axis.softRange
        maxSpeed = axis.maxSpeed
        maxAcceleration = axis.maxAcceleration
        lag = axis.lag
        reaction = commandLatency + axis.lag + 0.02 + tick + 0.05
    }

    /// Stands still from now on, without a ramp: for stop, fault and unplugging.
    public mutating func reset() {
        velocity = 0
        followed = 0
        blocked = 0
    }

    /// The velocity that may be commanded now.
    /// - Parameters:
    ///   - wanted: rad/s.
    ///   - position: where the axis is, radians; nil: not known, and then nothing moves.
    ///   - reported: where the dock said that it was, radians: `position` is carried on from there by a rate that may be wrong, so no
    ///     end is further away than from here. Nil: nothing else is known.
    ///   - rate: how fast it turned then, rad/s.
    ///   - age: of what is known of the position, seconds; beyond `usualAge` it counts as further delay.
    ///   - speedShare: 0...1 of the maximum speed.
    ///   - elapsed: since the last step, seconds.
    ///   - tracks: it follows somebody: as fast as the motor can; else the commands themselves are a ramp.
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
        // It is told as if it had turned on at its last rate; it may as well have stopped soon after.
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
        // Outside the range, or not reported to be back in it: only inward, slowly.
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
        // The ramp must not carry it over the braking curve, nor back in at speed: the limit outranks comfort.
        velocity = velocity.clamped(to: -max(lower, 0)...max(upper, 0))
        if isAbove { velocity = max(velocity, -returnSpeed) }
        if isBelow { velocity = min(velocity, returnSpeed) }
        return velocity
    }

    /// What the motor can be told without being asked for more than its acceleration: it follows with its lag, so it accelerates
    /// by what it is short of, divided by that. A ramp of the commands on top of the lag is late twice.
    private mutating func reach(after elapsed: Seconds) -> ClosedRange<Double> {
        let share = elapsed / max(lag + elapsed / 2, elapsed, 1e-6), most = maxAcceleration * elapsed
        followed += (share * (velocity - followed)).clamped(to: -most...most)
        return followed - maxAcceleration * lag...followed + maxAcceleration * lag
    }

    /// Largest speed toward an end that is `distance` away: u <= -aT + sqrt((aT)² + 2ad); 0 at and beyond the end.
    /// `late` seconds may have passed since it was so far.
    func brakingSpeed(distance: Double, late: Seconds = 0) -> Double {
        if SafetyMutant.ignoresLimits.isOn { return .infinity }
        guard distance > 0 else { return 0 }
        let a = Self.brakingShare * maxAcceleration, at = a * (SafetyMutant.brakesLate.isOn ? 0 : reaction + late)
        return -at + (at * at + 2 * a * distance).squareRoot()
    }
}
