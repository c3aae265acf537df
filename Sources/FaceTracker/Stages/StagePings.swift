internal import Geometry

/// The pings of a stage: to compare its clock if it differs from ours, and on standby to check that it is alive.
struct StagePings {
    private var nextClock: Seconds = .infinity
    private var pulse = StagePulse()

    /// The time between two comparisons of the clocks, in seconds.
    private static let clockPeriod: Seconds = 10

    /// Starts to compare the clock of a stage that has its own.
    mutating func compareClocks(now: Seconds) { nextClock = now }

    /// Records that the stage resumes, so that its clock offset is outdated.
    mutating func resume(now: Seconds) { if nextClock < .infinity { nextClock = now } }

    /// Returns whether a ping for the clock is due, and then starts the next period.
    mutating func clockIsDue(now: Seconds) -> Bool {
        guard now >= nextClock else { return false }
        nextClock = now + Self.clockPeriod
        return true
    }

    /// Returns the action at `now`; `isResting`: the stage is on standby, where there is no other sign of life.
    mutating func next(isResting: Bool, now: Seconds) -> StagePulse.Order? {
        pulse.next(isResting: isResting, now: now)
    }

    /// Records that an answer arrived.
    mutating func answered() { pulse.answered() }

    /// The latest time for the next ping, or nil if none is needed.
    var deadline: Seconds? { [nextClock < .infinity ? nextClock : nil, pulse.deadline].compactMap { $0 }.min() }
}
