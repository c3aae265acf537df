internal import Geometry

/// Measures how often an expression flashes. Light that flashes more than three times per second can cause a seizure
/// (WCAG 2.3.1), and children look at this face. The rendered face is measured, because two harmless motions can flash
/// together.
package enum FlashMeter {
    /// The number of flashes per second that are harmless.
    package static let most = 3
    /// The fraction of its lit area above which the face flashes, if that area flashes too often.
    package static let area = 0.25
    /// The smallest rise that is a flash, as a fraction of full light.
    static let swing: Float = 0.1

    /// Returns the fraction of the lit face that flashes more than three times in some second, 0...1.
    package static func flashing(_ expression: Expression) -> Double {
        // If all motions together light a point at most three times per second, no point flashes.
        guard expression.motion.reduce(0, { $0 + $1.rate }) > Double(most) else { return 0 }
        var points = [Point](repeating: Point(), count: columns * rows)
        var shader = FaceShader(), last: FaceState?
        let frame = CellFrame(columns: columns, rows: rows, aspect: 1)
        for step in 0...Int(span(expression) * rate) {
            let time = Double(step) / rate
            let state = state(expression, time)
            // Nothing rises while nothing moves.
            guard state != last else { continue }
            last = state
            shader.set(state, .light)
            for row in 0..<rows {
                for first in stride(from: 0, to: columns, by: 8) {
                    let patch = frame.patch(row: row, column: first, down: 0.5)
                    guard shader.isLit(patch.middle, radius: patch.radius + frame.width) else {
                        for lane in 0..<8 { points[row * columns + first + lane].record(0, at: time) }
                        continue
                    }
                    let light = shader.light(patch, pixel: frame.width / 8)
                    let brightest = larger(larger(light.red, light.green), light.blue)
                    for lane in 0..<8 { points[row * columns + first + lane].record(brightest[lane], at: time) }
                }
            }
        }
        let lit = points.count { $0.wasLit }
        return lit == 0 ? 0 : Double(points.count { $0.flashes }) / Double(lit)
    }

    /// Returns the pose at a time since its entry, without blinks and gaze, which are never that frequent.
    private static func state(_ expression: Expression, _ time: Seconds) -> FaceState {
        var state = FaceState(expression)
        for track in expression.motion { track.apply(at: time, gain: 1, to: &state) }
        state.clamp()
        return state
    }

    /// Returns a time that is long enough for every motion that plays once, for two rounds of the longest repeating
    /// one, and until two motions with nearly equal periods have drifted past each other.
    private static func span(_ expression: Expression) -> Seconds {
        let periods = expression.motion.compactMap(\.period)
        var beat: Seconds = 0
        for (index, a) in periods.enumerated() {
            for b in periods[(index + 1)...] where a != b { beat = max(beat, min(1 / abs(1 / a - 1 / b), 125)) }
        }
        return min((expression.motion.map(\.span).max() ?? 0) + beat + 1, 250)
    }

    /// The sampled points across and down, and the frame rate, which is more than twice that of the fastest shake.
    private static let columns = 24, rows = 14, rate = 60.0

    /// One point of the face.
    private struct Point {
        var low: Float = .infinity, high: Float = 0, previous: Float = -1
        var isUp = false, wasLit = false, flashes = false
        /// The times of the last rises, oldest first.
        var rises = SIMD4<Double>(repeating: -.infinity)

        mutating func record(_ light: Float, at time: Seconds) {
            // If it starts in the middle of a rise, that does not count as a rise.
            if previous < 0, light >= swing { (isUp, high) = (true, light) }
            defer { previous = light }
            if light >= swing { wasLit = true }
            if isUp {
                high = max(high, light)
                if high - light >= swing { (isUp, low) = (false, light) }
            } else {
                low = min(low, light)
                guard light - low >= swing else { return }
                (isUp, high) = (true, light)
                // The time at which the light crossed the threshold is used, not the time of the frame, because it
                // decides between three and four flashes per second.
                let late = Double((light - low - swing) / max(light - previous, swing / 100)).clamped(to: 0...1)
                rises = SIMD4(rises[1], rises[2], rises[3], time - late / rate)
                if rises[3] - rises[0] < 1 { flashes = true }
            }
        }
    }
}

extension MotionTrack {
    /// The maximum number of times per second that the motion can light a point.
    fileprivate var rate: Double {
        switch curve {
        // A back-and-forth motion passes a point twice per period.
        case .sine(_, let period, _), .hop(_, let period): 2 / period
        case .shake(_, let hertz, _, _): 2 * hertz
        case .keys(let keys, let period): period > 0 ? Double(keys.count) / min(period, 1) : Double(keys.count)
        }
    }

    /// The period, in seconds, or nil if it does not repeat.
    fileprivate var period: Seconds? {
        switch curve {
        case .sine(_, let period, _), .hop(_, let period): period
        case .shake(_, _, let on, let off): on + off
        case .keys(_, let period): period > 0 ? period : nil
        }
    }

    /// The time after which it has been shown completely.
    fileprivate var span: Seconds {
        switch curve {
        case .sine(_, let period, _), .hop(_, let period): 2 * period
        case .shake(_, _, let on, let off): 2 * (on + off)
        case .keys(let keys, let period): period > 0 ? 2 * period : keys.last?.time ?? 0
        }
    }
}
