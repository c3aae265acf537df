internal import Geometry

/// Judges readings that come without a checksum: one that is farther from the last than anything could have moved since is
/// believed only when the next one says so, too. The first one needs a second as well.
struct ReadingGate: Sendable, Equatable {
    /// Faster than this nothing moves, units a second.
    let fastest: Double
    /// So far apart two readings may be however close they come after one another, units.
    let slack: Double
    private var last: (value: Double, time: Seconds)?
    private var candidate: (value: Double, time: Seconds)?

    static func == (a: Self, b: Self) -> Bool {
        a.fastest == b.fastest && a.slack == b.slack && a.last?.value == b.last?.value
            && a.candidate?.value == b.candidate?.value
    }

    init(fastest: Double, slack: Double) { (self.fastest, self.slack) = (fastest, slack) }

    /// A reading at `now`; false: it is not believed yet.
    mutating func take(_ value: Double, now: Seconds) -> Bool {
        guard isNear(value, last, now) || isNear(value, candidate, now) else {
            candidate = (value, now)
            return false
        }
        last = (value, now)
        candidate = nil
        return true
    }

    mutating func reset() { (last, candidate) = (nil, nil) }

    private func isNear(_ value: Double, _ other: (value: Double, time: Seconds)?, _ now: Seconds) -> Bool {
        guard let other, value.isFinite else { return false }
        return abs(value - other.value) <= slack + fastest * max(0, now - other.time)
    }
}
