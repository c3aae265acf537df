internal import Geometry

/// Finds out how much a terminal can take, and asks no more of it.
///
/// A picture that is due while the last one is still on its way is left out. Where that happens often, less is asked: fewer
/// pictures, then coarser ones, then no halo, then fewer colours. Where nothing was left out for a while, a step is taken
/// back; a step that did not last is tried again later and later.
package struct OutputGovernor: Sendable {
    /// What may be sent.
    package struct Allowance: Sendable, Equatable {
        /// Everything: the line is fast.
        package static let all = Allowance(framesPerSecond: 60)

        var framesPerSecond: Double
        /// Factor of the tolerance.
        var coarseness = 1
        var hasHalo = true
        /// 24 bit colour is too long.
        var hasTrueColour = true
    }

    static let steps = [
        .all, Allowance(framesPerSecond: 20), Allowance(framesPerSecond: 12),
        Allowance(framesPerSecond: 5), Allowance(framesPerSecond: 5, coarseness: 3),
        Allowance(framesPerSecond: 5, coarseness: 3, hasHalo: false),
        Allowance(framesPerSecond: 5, coarseness: 1, hasHalo: false, hasTrueColour: false),
    ]

    private static let window: Seconds = 1, patience: Seconds = 4, longest: Seconds = 120
    private(set) var step = 0
    private var due = 0, left = 0
    private var windowEnd: Seconds?
    private var calmSince: Seconds = 0
    private var climbed: Seconds = -.infinity
    private var wait = patience

    /// What may be sent now.
    var allowance: Allowance { Self.steps[step] }

    /// A picture was due; `isBusy`: the last one is still on its way, so that it was left out.
    mutating func isDue(isBusy: Bool, now: Seconds) {
        guard let end = windowEnd else {
            windowEnd = now + Self.window
            calmSince = now
            return
        }
        due += 1
        if isBusy { left += 1 }
        if isBusy { calmSince = now }
        if now >= end { judge(now) }
        if step > 0, now - calmSince >= wait {
            step -= 1
            climbed = now
            calmSince = now
        }
    }

    private mutating func judge(_ now: Seconds) {
        defer { (due, left, windowEnd) = (0, 0, now + Self.window) }
        // A single picture may be late for any reason; a quarter of them is the line.
        guard left >= 2, left * 4 > due else { return }
        guard step < Self.steps.count - 1 else { return }
        step += 1
        // What was taken back did not last.
        wait = now - climbed < 2 * Self.window + Self.patience ? min(wait * 2, Self.longest) : Self.patience
    }
}
