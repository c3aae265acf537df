internal import DockWire

/// One axis: turns a goal into a position and a velocity that respect the limits at every step.
///
/// Units are milli-degrees and milli-degrees per second. The velocity changes no faster than the acceleration allows.
/// Near a position limit it is capped so that the axis can still stop: w dt + w²/2a <= distance.
struct AxisProfile: Sendable {
    /// The goal of the axis.
    enum Goal: Sendable, Equatable {
        case stand
        case velocity(Int32)
        /// A position that advances with the velocity and is approached with at most `top`.
        case position(Int32, velocity: Int32, top: Int32)
    }

    let compiled: AxisLimits
    /// The limits that both sides allow and that SAVE stores.
    private(set) var agreed: AxisLimits
    /// The limits in force: the agreed ones, reduced where a trim would take the motor beyond the compiled ones.
    private(set) var limits: AxisLimits
    /// Added to the motor's reading.
    private(set) var trim: Int32
    private(set) var goal = Goal.stand
    private(set) var position: Int32 = 0
    private(set) var velocity: Int32 = 0
    private(set) var measured: Int32 = 0
    private(set) var measuredRate: Int32 = 0
    /// The position goal is reached. Small drift of the reading does not start the motor again.
    private(set) var isSettled = false

    private var isUrgent = false
    /// How long the axis has been away from the place that it is to hold, microseconds; ``yieldAfter`` once it has
    /// yielded.
    private var displaced: UInt32 = 0
    private let lag: Int32
    private var remainders = Remainders()

    /// The fractions of a unit that the steps leave over.
    private struct Remainders: Sendable {
        var moved = Integrator()
        var gained = Integrator()
        var corrected = Integrator()
        var carried = Integrator()
    }

    /// Inward speed limit while the axis is outside its limits, milli-degrees per second.
    static let inwardSpeed: Int32 = 10_000
    /// If the profile is farther from the reading than this, it does not show the axis's position, milli-degrees.
    static let displacement: Int32 = 1_000
    /// An axis that is displaced for this time does not return, microseconds. It is longer than one wrong reading can
    /// last before the pose counts as unknown (`DockFirmware.blindAfter`).
    static let yieldAfter: UInt32 = 300_000

    /// Stored limits, or a trim, that leave no range are ignored.
    init(compiled: AxisLimits, stored: AxisLimits?, trim: Int32, lagMilliseconds: Int32) {
        self.compiled = compiled
        lag = lagMilliseconds
        agreed = stored.flatMap { compiled.intersection($0) } ?? compiled
        limits = agreed
        self.trim = 0
        _ = setTrim(trim)
    }

    /// Distance from the commanded position, after the lag, milli-degrees.
    var followingError: Int32 { expected - position }

    /// Where the axis would come to rest if the motor stopped now, milli-degrees.
    private var expected: Int32 { measured + measuredRate * lag / 1000 }

    /// Narrows the limits to what both sides allow. If that is empty, returns false and changes nothing.
    mutating func narrow(to wanted: AxisLimits) -> Bool {
        guard let both = compiled.intersection(wanted) else { return false }
        return agree(on: both, trim: trim)
    }

    /// Moves the zero of the reading, but not the axis. The limits apply to the reading, and the motor stays inside the
    /// compiled limits. If that leaves no range, returns false and changes nothing.
    mutating func setTrim(_ trim: Int32) -> Bool {
        agree(on: agreed, trim: trim)
    }

    private mutating func agree(on both: AxisLimits, trim: Int32) -> Bool {
        let low = max(both.minimumPosition, compiled.minimumPosition + trim)
        let high = min(both.maximumPosition, compiled.maximumPosition + trim)
        guard low <= high else { return false }
        shift(by: trim - self.trim)
        self.trim = trim
        agreed = both
        limits = both
        limits.minimumPosition = low
        limits.maximumPosition = high
        // The old goal may be outside now, and the axis would never arrive.
        if !isSettled, case .position(let place, let ahead, let top) = goal {
            pursue(position: place, velocity: ahead, top: top)
        }
        return true
    }

    mutating func measure(_ position: Int32, rate: Int32) {
        measured = position.clamped(2_000_000)
        measuredRate = rate.clamped(1_000_000)
    }

    /// Without torque the target follows the axis.
    mutating func followMeasured() {
        letGo()
        stand()
    }

    /// Sets the target to the axis's position, so that nothing pushes any more.
    mutating func letGo() {
        position = measured
        velocity = 0
        remainders.moved.reset()
        remainders.corrected.reset()
    }

    /// Whether a requested velocity turns back an axis that is far behind its target. Otherwise the motor would keep
    /// pushing until the target has come back.
    func turnsBack(_ wish: Int32, behind least: Int32) -> Bool {
        least > 0 && abs(followingError) > least && wish.signum() == followingError.signum()
    }

    /// The direction in which the motor pushes against an obstacle; 0 if unknown.
    var push: Int32 { abs(followingError) > 500 ? -followingError : velocity }

    private mutating func shift(by change: Int32) {
        position = (position + change).clamped(2_000_000)
        measured = (measured + change).clamped(2_000_000)
        if case .position(let place, let velocity, let top) = goal {
            goal = .position((place + change).clamped(2_000_000), velocity: velocity, top: top)
        }
    }

    /// Slows down at the limit. With `atOnce`, the axis uses the motor's full acceleration, even if the limit is lower,
    /// and a gentle stop that follows does not soften it.
    mutating func stand(atOnce: Bool = false) {
        isUrgent = atOnce || (isUrgent && goal == .stand)
        goal = .stand
    }

    /// Holds the axis where it is.
    ///
    /// This also applies outside the limits, because nothing moves on its own. If the reading has jumped back from
    /// elsewhere, the profile is still on its way to it, and a position on that way is no place to return to.
    mutating func hold() {
        anchor()
        displaced = 0
    }

    private mutating func anchor() {
        if abs(followingError) > Self.displacement { letGo() }
        goal = .position(position, velocity: 0, top: .max)
        isSettled = true
    }

    /// Holds the axis where it is now, if for ``yieldAfter`` it has not been where ``hold()`` found it.
    ///
    /// It does this once. An axis that is heavier than its motor would otherwise sink step by step.
    mutating func yield(_ passed: UInt32) {
        guard displaced < Self.yieldAfter else { return }
        guard case .position(let place, _, _) = goal, abs(measured - place) > Self.displacement else {
            displaced = 0
            return
        }
        displaced += min(passed, 20_000)
        if displaced >= Self.yieldAfter { anchor() }
    }

    mutating func pursue(velocity: Int32) { goal = .velocity(velocity.clamped(Int32(limits.velocity))) }

    mutating func pursue(position: Int32, velocity: Int32, top: Int32 = .max) {
        let new = Goal.position(
            position.clamped(limits.minimumPosition, limits.maximumPosition),
            velocity: velocity.clamped(Int32(limits.velocity)), top: top)
        if new != goal { isSettled = false }
        goal = new
    }

    /// One step of at most 1000 microseconds.
    mutating func step(_ microseconds: Int32) {
        correct(microseconds)
        var wish = wanted(microseconds).clamped(Int32(limits.velocity))
        let above = limits.maximumPosition - position
        let below = position - limits.minimumPosition
        if above < 0 || below < 0 { wish = wish.clamped(Self.inwardSpeed) }
        var brakesHard = isUrgent && goal == .stand
        // Far from both ends nothing is capped, and no square root is needed.
        if !isFree(min(above, below), at: max(abs(wish), abs(velocity)), microseconds) {
            let up = permitted(above, Int32(limits.acceleration), microseconds)
            let down = permitted(below, Int32(limits.acceleration), microseconds)
            wish = wish.clamped(-down, up)
            // Limits narrowed in flight can require more than their own acceleration. The motor's full one is
            // available.
            brakesHard = brakesHard || velocity > up || velocity < -down
        }
        let acceleration = Int32(brakesHard ? compiled.acceleration : limits.acceleration)
        let most = max(remainders.gained.step(acceleration, microseconds), 0)
        velocity += (wish - velocity).clamped(most)
        advance(microseconds)
    }

    private mutating func advance(_ microseconds: Int32) {
        let before = position
        position += remainders.moved.step(velocity, microseconds)
        let crossesUp = position > limits.maximumPosition && before <= limits.maximumPosition
        let crossesDown = position < limits.minimumPosition && before >= limits.minimumPosition
        guard crossesUp && velocity > 0 || crossesDown && velocity < 0 else { return }
        position = position.clamped(limits.minimumPosition, limits.maximumPosition)
        remainders.moved.reset()
        velocity = 0
    }

    private mutating func wanted(_ microseconds: Int32) -> Int32 {
        switch goal {
        case .stand: return 0
        case .velocity(let wish): return wish
        case .position(let place, let ahead, let top):
            if ahead != 0 {
                let moved = (place + remainders.carried.step(ahead, microseconds))
                    .clamped(limits.minimumPosition, limits.maximumPosition)
                goal = .position(moved, velocity: ahead, top: top)
            }
            let error = place - position
            if isSettled {
                guard ahead != 0 || error > 150 || error < -150 else { return 0 }
                isSettled = false
            }
            if ahead == 0, error.clamped(10) == error, velocity.clamped(1000) == velocity {
                isSettled = true
                return 0
            }
            let speed = min(permitted(abs(error), Int32(limits.acceleration), microseconds), top)
            return ahead + (error < 0 ? -speed : speed)
        }
    }

    /// Whether the axis could have this speed and still stop within `distance`; ``permitted(_:_:_:)`` would not be
    /// lower.
    private func isFree(_ distance: Int32, at speed: Int32, _ microseconds: Int32) -> Bool {
        guard distance > 0 else { return false }
        let gain = UInt64(UInt32(Int32(limits.acceleration) * microseconds / 1_000_000))
        let sum = UInt64(UInt32(speed)) + gain
        guard sum <= 2_000_000 else { return false }
        return gain * gain + 2 * UInt64(limits.acceleration) * UInt64(UInt32(distance)) >= sum * sum
    }

    /// The highest speed from which the axis can still stop within `distance`, including this step.
    private func permitted(_ distance: Int32, _ acceleration: Int32, _ microseconds: Int32) -> Int32 {
        guard distance > 0 else { return 0 }
        let gain = UInt64(UInt32(acceleration * microseconds / 1_000_000))
        let root = integerRoot(gain * gain + 2 * UInt64(UInt32(acceleration)) * UInt64(UInt32(distance)))
        return Int32(min(root, 2_000_000)) - Int32(truncatingIfNeeded: gain)
    }

    /// Pulls the profile toward the reading within half a second, so that it does not lose a slipping or sticking
    /// motor.
    private mutating func correct(_ microseconds: Int32) {
        position = (position + remainders.corrected.step(2 * followingError.clamped(1_000_000), microseconds)).clamped(
            2_000_000)
    }
}
