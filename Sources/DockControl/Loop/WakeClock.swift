internal import Geometry

/// Detects that the machine slept or the process was held up. The known state of the dock is then out of date.
struct WakeClock: Sendable, Equatable {
    /// The difference between two clocks that are read one after another, without any sleep, in seconds.
    static let noise: Seconds = 0.001
    /// The lateness of a wake-up above which the machine or the process was held up, in seconds.
    static let longestGap: Seconds = 0.25
    /// The advance of the boot clock above which the machine has slept, in seconds.
    static let longestSleep: Seconds = 0.05

    /// The deadline of the last wait.
    private(set) var deadline: Seconds = 0
    /// How long the machine had slept by then, in seconds.
    private var asleep: Seconds = 0

    /// Records the beginning of the loop.
    mutating func begin(asleep: Seconds) { self.asleep = asleep }

    /// Begins a wait until `next`; lateness counts from `now` if that has passed.
    /// - Returns: the deadline.
    mutating func wait(until next: Seconds, from now: Seconds) -> Seconds {
        deadline = max(now, next)
        return deadline
    }

    /// Returns whether the total sleep differs from the known one.
    func isNews(_ asleep: Seconds) -> Bool { abs(asleep - self.asleep) > Self.noise }

    /// Returns whether time has jumped since the last turn. The loop calls this in every turn: after a sleep the port
    /// may have bytes before the timer is due.
    mutating func hasJumped(now: Seconds, asleep: Seconds) -> Bool {
        let isNews = isNews(asleep)
        if SafetyMutant.sleepsThrough.isOn { self.asleep = asleep }
        let gap = SafetyMutant.gapBlind.isOn ? 0 : now - deadline
        defer { if isNews { self.asleep = asleep } }
        return asleep - self.asleep > Self.longestSleep || gap > Self.longestGap
    }
}
