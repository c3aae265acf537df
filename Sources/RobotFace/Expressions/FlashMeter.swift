internal import Geometry

/// How often an expression flashes: light that comes and goes more than three times in a second can bring on a seizure (WCAG
/// 2.3.1), and children sit in front of this face. It is measured on what is seen, for two harmless motions can flash together.
package enum FlashMeter {
    /// So many flashes in any second are harmless.
    package static let most = 3
    /// Where more than this share of what is ever lit flashes more often, the face does.
    package static let area = 0.25
    /// A rise of less than this, of full light, is no flash.
    static let swing: Float = 0.1

    /// The share of the lit face that flashes more than three times in some second, 0...1.
    package static func flashing(_ expression: Expression) -> Double {
        // Where all motions together light a place no more than three times a second, none flashes.
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
                        for lane in 0..<8 { points[row * columns + first + lane].take(0, at: time) }
                        continue
                    }
                    let light = shader.light(patch, pixel: frame.width / 8)
                    let brightest = larger(larger(light.red, light.green), light.blue)
                    for lane in 0..<8 { points[row * columns + first + lane].take(brightest[lane], at: time) }
                }
            }
        }
        let lit = points.count { $0.wasLit }
        return lit == 0 ? 0 : Double(points.count { $0.flashes }) / Double(lit)
    }

    /// The pose at a time since its entry, without blinks and gaze, which never come so often.
    private static func state(_ expression: Expression, _ time: Seconds) -> FaceState {
        var state = FaceState(expression)
        for track in expression.motion { track.apply(at: time, gain: 1, to: &state) }
        state.clamp()
        return state
    }

    /// Long enough for whatever plays once, for two rounds of the longest that repeats, and until two that repeat at nearly the same pace
    /// have drifted past each other.
    private static func span(_ expression: Expression) -> Seconds {
        let periods = expression.motion.compactMap(\.period)
        var beat: Seconds = 0
        for (index, a) in periods.enumerated() {
            for b in periods[(index + 1)...] where a != b { beat = max(beat, min(1 / abs(1 / a - 1 / b), 125)) }
        }
        return min((expression.motion.map(\.span).max() ?? 0) + beat + 1, 250)
    }

    /// Points across and down, and pictures a second: twice that of the fastest shake and more.
    private static let columns = 24, rows = 14, rate = 60.0

    /// One place of the face.
    private struct Point {
        var low: Float = .infinity, high: Float = 0, previous: Float = -1
        var isUp = false, wasLit = false, flashes = false
        /// When it rose last, the oldest first.
        var rises = SIMD4<Double>(repeating: -.infinity)

        mutating func take(_ light: Float, at time: Seconds) {
            // Where it begins in the middle of its way up, that is no rise of its own yet.
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
                // Not when the picture was looked at, but when it rose that far: a third of a second more or less decides.
                let late = Double((light - low - swing) / max(light - previous, swing / 100)).clamped(to: 0...1)
                rises = SIMD4(rises[1], rises[2], rises[3], time - late / rate)
                if rises[3] - rises[0] < 1 { flashes = true }
            }
        }
    }
}

extension MotionTrack {
    /// How often a place may light up by it in a second, at most.
    fileprivate var rate: Double {
        switch curve {
        // What goes to and fro lights a place on its way twice.
        case .sine(_, let period, _), .hop(_, let period): 2 / period
        case .shake(_, let hertz, _, _): 2 * hertz
        case .keys(let keys, let period): period > 0 ? Double(keys.count) / min(period, 1) : Double(keys.count)
        }
    }

    /// After which it repeats, seconds; nil: it does not.
    fileprivate var period: Seconds? {
        switch curve {
        case .sine(_, let period, _), .hop(_, let period): period
        case .shake(_, _, let on, let off): on + off
        case .keys(_, let period): period > 0 ? period : nil
        }
    }

    /// Until when it has shown all that it does.
    fileprivate var span: Seconds {
        switch curve {
        case .sine(_, let period, _), .hop(_, let period): 2 * period
        case .shake(_, _, let on, let off): 2 * (on + off)
        case .keys(let keys, let period): period > 0 ? 2 * period : keys.last?.time ?? 0
        }
    }
}
