internal import Geometry

/// Judges readings without a checksum. A reading that would need an impossible speed since the last one is accepted
/// only if the next one confirms it. The first reading needs confirmation, too.
struct ReadingGate: Sendable, Equatable {
    /// The highest possible speed, in units per second.
    let fastest: Double
    /// The difference that two readings may always have, however close in time they are, in units.
    let slack: Double
    private var last: (value: Double, time: Seconds)?
    private var candidate: (value: Double, time: Seconds)?

    static func == (a: Self, b: Self) -> Bool {
        a.fastest == b.fastest && a.slack == b.slack && a.last?.value == b.last?.value
            && a.candidate?.value == b.candidate?.value
    }

    init(fastest: Double, slack: Double) { (self.fastest, self.slack) = (fastest, slack) }

    /// Judges a reading at `now`. Returns false if it is not accepted yet.
    mutating func admit(_ value: Double, now: Seconds) -> Bool {
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
