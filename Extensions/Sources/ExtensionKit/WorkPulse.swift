internal import ControlProtocol
internal import Geometry

/// Whether the work of an extension goes on, as a pure value: it must give signs of life, from the first one on.
///
/// A program whose work hangs may still have tasks that run, and among them the one that reports. Without this, it
/// would call itself ready without end.
struct WorkPulse: Sendable, Equatable {
    /// What has changed.
    enum Change: Sendable, Equatable {
        /// There was no sign of life for too long.
        case stopped
        /// There is one again.
        case resumed
    }

    private var last: Seconds?
    private(set) var isAlive = true

    /// Records a sign of life.
    mutating func beat(now: Seconds) { last = now }

    /// The same, if the work has ever given one: it does nothing by itself now, and that is not its fault.
    mutating func excuse(now: Seconds) {
        if last != nil { last = now }
    }

    /// Looks whether the work goes on. Returns what has changed since the last time.
    mutating func check(now: Seconds) -> Change? {
        let isLate = last.map { now - $0 >= ExtensionTimes.work } ?? false
        guard isLate == isAlive else { return nil }
        isAlive = !isLate
        return isLate ? .stopped : .resumed
    }
}
