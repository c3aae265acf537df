internal import Geometry

/// When chunks are deleted because of their age, and by which date. Pure.
///
/// A date that is wrong by a year would delete everything. So no chunk is too old until the clock has run for a while
/// without being set.
struct ExpiryCalendar: Sendable, Equatable {
    /// The clock must run this long, in seconds (10 min).
    static let patience: Seconds = 600
    /// The time between two looks at old chunks, in seconds (10 min).
    static let period: Seconds = 600

    private var clock: ChunkClock?
    private var since: Seconds = 0
    /// When to look at old chunks again, CLOCK_MONOTONIC.
    private(set) var deadline: Seconds?

    /// Returns the present date, in milliseconds since 1970, or nil if it may be wrong.
    mutating func date(_ reading: ClockReading) -> Int? {
        if let clock, clock.step(to: reading).map(Self.isSet) != true {
            guard clock.isPlausible, reading.monotonic - since >= Self.patience else { return nil }
            return ChunkClock(reading).milliseconds(of: reading.monotonic)
        }
        (clock, since) = (ChunkClock(reading), reading.monotonic)
        return nil
    }

    private static func isSet(_ step: ChunkClock.Step) -> Bool { if case .set = step { true } else { false } }

    /// Whether it is time to look at old chunks.
    mutating func isExpiryDue(_ reading: ClockReading) -> Bool {
        let now = reading.monotonic
        guard let deadline else {
            _ = date(reading)
            self.deadline = now + Self.period
            return false
        }
        guard now >= deadline else { return false }
        self.deadline = now + Self.period
        return true
    }
}
