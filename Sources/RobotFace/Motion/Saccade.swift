internal import Geometry
internal import Glibc

/// One saccade, on the main sequence: wider ones take longer, and the speed peaks in the middle.
struct Saccade: Sendable {
    let from: ScreenAngle, to: ScreenAngle
    let start: Seconds, duration: Seconds

    /// Creates a saccade. One of less than 3 degrees is a jump.
    init(from: ScreenAngle, to: ScreenAngle, start: Seconds) {
        (self.from, self.to, self.start) = (from, to, start)
        let amplitude = (to - from).length
        duration = amplitude < 3 ? 0 : 0.025 + 0.0024 * amplitude
    }

    func isOver(at now: Seconds) -> Bool { now >= start + duration }

    /// Returns the position of the eyes on a minimum-jerk path, which is an arc if it goes down, because the lids move
    /// first.
    func position(at now: Seconds) -> ScreenAngle {
        guard !isOver(at: now) else { return to }
        let share = ((now - start) / duration).clamped(to: 0...1)
        let lag = to.y > from.y ? ((share - 0.15) / 0.85).clamped(to: 0...1) : share
        return ScreenAngle(
            from.x + (to.x - from.x) * Self.eased(lag), from.y + (to.y - from.y) * Self.eased(share))
    }

    /// Returns the factor on the eyes' height. They are flattened in the middle of a saccade, more in a wide one.
    func squash(at now: Seconds) -> Double {
        guard now > start, !isOver(at: now) else { return 1 }
        let depth = 0.15 + 0.15 * min((to - from).length / 25, 1)
        return 1 - depth * sin(.pi * (now - start) / duration)
    }

    private static func eased(_ s: Double) -> Double { s * s * s * (10 - 15 * s + 6 * s * s) }
}

extension SIMD2<Double> {
    var length: Double { (x * x + y * y).squareRoot() }
}
