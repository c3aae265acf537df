internal import Geometry

/// The mark that is shown, and its scale. There is one at a time, which shrinks to nothing before another one (or the
/// other side) replaces it.
struct MarkPresence: Sendable {
    private(set) var shown: Mark
    /// The side of a free mark, opposite to the gaze.
    private(set) var side: Float = 1
    private var wantedSide: Float = 1
    private var change: Change?

    private struct Change: Sendable {
        var start: Seconds, duration: Seconds
        var isLeaving: Bool
        var from: Float
    }

    init(_ mark: Mark) { shown = mark }

    /// Whether it is growing or shrinking.
    var isChanging: Bool { change != nil }

    /// Returns the scale of the mark at a time, 0...1.1.
    mutating func scale(at now: Seconds, wanted: Mark, gazeX: Float) -> Float {
        if gazeX > 0.25 { wantedSide = -1 } else if gazeX < 0.05 { wantedSide = 1 }
        let isWrong = wanted != shown || !shown.shape.isAttached && wantedSide != side
        if let running = change, now >= running.start + running.duration {
            change = nil
            if running.isLeaving { arrive(wanted, now, running.duration) }
        } else if isWrong, change?.isLeaving != true {
            if shown == .none {
                arrive(wanted, now, 0.12)
            } else {
                change = Change(
                    start: now, duration: wanted != shown ? 0.12 : 0.15, isLeaving: true, from: min(grown(now), 1))
            }
        }
        return grown(now)
    }

    private mutating func arrive(_ mark: Mark, _ now: Seconds, _ leaving: Seconds) {
        shown = mark
        side = wantedSide
        if mark != .none {
            change = Change(start: now, duration: leaving == 0.15 ? 0.15 : 0.2, isLeaving: false, from: 0)
        }
    }

    private func grown(_ now: Seconds) -> Float {
        guard shown != .none else { return 0 }
        guard let change else { return 1 }
        let share = Float(((now - change.start) / change.duration).clamped(to: 0...1))
        if change.isLeaving { return change.from * (1 - share * share * (3 - 2 * share)) }
        // The scale rises to 1 with an overshoot of a tenth.
        let rest = share - 1
        return 1 + 2.70158 * rest * rest * rest + 1.70158 * rest * rest
    }
}
