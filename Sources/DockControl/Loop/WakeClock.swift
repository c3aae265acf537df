internal import Geometry

/// Notices that the machine slept or that the process was held up: what was known about the dock is old then.
struct WakeClock: Sendable, Equatable {
    /// Two clocks that are read one after the other differ by this much without any sleep, seconds.
    static let noise: Seconds = 0.001
    /// A wake-up later than this means that the machine or the process was held up, seconds.
    static let longestGap: Seconds = 0.25
    /// The same for how far the clock of the boot has run ahead, seconds.
    static let longestSleep: Seconds = 0.05

    /// The deadline of the last wait.
    private(set) var deadline: Seconds = 0
    /// How long the machine had slept by then, seconds.
    private var asleep: Seconds = 0

    /// The loop begins.
    mutating func begin(asleep: Seconds) { self.asleep = asleep }

    /// The loop waits until `next`; lateness counts from `now` if that has passed.
    /// - Returns: the deadline.
    mutating func wait(until next: Seconds, from now: Seconds) -> Seconds {
        deadline = max(now, next)
        return deadline
    }

    /// Whether the machine slept for another time than was known.
    func isNews(_ asleep: Seconds) -> Bool { abs(asleep - self.asleep) > Self.noise }

    /// Whether time has jumped since the last turn. Asked in every turn: after a sleep the timer is not due yet, and the port may have
    /// bytes first.
    mutating func hasJumped(now: Seconds, asleep: Seconds) -> Bool {
        let isNews = isNews(asleep)
        if SafetyMutant.sleepsThrough.isOn { self.asleep = asleep }
        let gap = SafetyMutant.gapBlind.isOn ? 0 : now - deadline
        defer { if isNews { self.asleep = asleep } }
        return asleep - self.asleep > Self.longestSleep || gap > Self.longestGap
    }
}
