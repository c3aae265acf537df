internal import Geometry

/// Decides when the eyes blink and how far they are closed.
///
/// Intervals are log-normally distributed around the mood's rate. A blink takes 200 ms times the mood's length: a third
/// of it for closing, a tenth closed, and the rest for opening. One blink in twenty is double, and one in twelve is
/// slow.
struct Blinker: Sendable {
    private static let closing = 0.33, opened = 0.43
    private var start: Seconds = -.infinity
    private var length: Seconds = 0.2
    private var isDouble = false
    private(set) var next: Seconds
    private var lastTime: Seconds
    private var meanInterval: Seconds = 5
    private var factor = 1.0
    /// The factor on the rate, which takes effect with the next interval.
    var pace = 1.0

    init(_ expression: Expression, now: Seconds, random: inout RandomSource) {
        next = now
        lastTime = now
        enter(expression, now: now, random: &random)
    }

    /// Adopts the rate of a mood.
    mutating func enter(_ expression: Expression, now: Seconds, random: inout RandomSource) {
        meanInterval = 60 / expression.blinksPerMinute
        factor = expression.blinkLength
        next = now + interval(&random)
        // Surprise suppresses blinks for a moment.
        if expression.name == "surprise" { next = max(next, now + 1.5) }
    }

    /// Blinks now. Returns the time at which the eyes are closed.
    mutating func blink(now: Seconds, length: Seconds) -> Seconds {
        if now < start + self.length * Self.opened { return max(now, start + self.length * Self.closing) }
        start = now
        self.length = length
        isDouble = false
        return now + length * Self.closing
    }

    /// Returns whether a blink is in progress at this time.
    func isBlinking(at now: Seconds) -> Bool { now >= start && now < start + length }

    /// Returns how far the eyes are closed, 0...1.
    mutating func closure(at now: Seconds, random: inout RandomSource) -> Double {
        defer { lastTime = now }
        if now >= start + length, isDouble {
            isDouble = false
            start = max(start + length + 0.06, now - 0.05)
        }
        if now >= next {
            if now >= start + length { begin(now, &random) }
            next = now + interval(&random)
        }
        // The short closed time may fall between two frames, but one frame must show it.
        if lastTime < start + length * Self.closing, now > start + length * Self.opened, now < start + length {
            start = now - length * Self.opened
        }
        return Self.closure(share: (now - start) / length)
    }

    private mutating func begin(_ now: Seconds, _ random: inout RandomSource) {
        // The blink starts at the time when it was due, unless that is long ago.
        start = max(next, now - 0.05)
        let draw = random.unit()
        isDouble = draw < 0.05
        length = 0.2 * factor * (draw >= 0.92 ? 2 : 1)
    }

    private func interval(_ random: inout RandomSource) -> Seconds {
        random.logNormal(mean: meanInterval / pace, deviation: 0.5).clamped(to: 0.3...30)
    }

    private static func closure(share: Double) -> Double {
        switch share {
        case 0..<closing: eased(share / closing)
        case closing...opened: 1
        case opened..<1: 1 - eased((share - opened) / (1 - opened))
        default: 0
        }
    }

    private static func eased(_ share: Double) -> Double { share * share * (3 - 2 * share) }
}
