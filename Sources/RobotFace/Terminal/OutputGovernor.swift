internal import Geometry

/// Determines how much output a terminal can accept, and limits the output to that.
///
/// A frame that is due while the last one is still being written is dropped. If that happens often, the output is
/// reduced: fewer frames, then coarser ones, then no halo, then fewer colours. If no frame was dropped for a while, one
/// step is reverted. If a reverted step has to be taken again, the next attempt waits longer each time.
package struct OutputGovernor: Sendable {
    /// The allowed output.
    package struct Allowance: Sendable, Equatable {
        /// The full output, for a fast line.
        package static let all = Allowance(framesPerSecond: 60)

        var framesPerSecond: Double
        /// The factor on the tolerance.
        var coarseness = 1
        var hasHalo = true
        /// Whether 24-bit colour codes are used, which are too long for a slow line.
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

    /// The output that is allowed now.
    var allowance: Allowance { Self.steps[step] }

    /// Records that a frame was due. `isBusy`: the last one is still being written, so this one was dropped.
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
        // A single frame may be late for any reason, so the limit is a quarter of the frames.
        guard left >= 2, left * 4 > due else { return }
        guard step < Self.steps.count - 1 else { return }
        step += 1
        // The reverted step did not last.
        wait = now - climbed < 2 * Self.window + Self.patience ? min(wait * 2, Self.longest) : Self.patience
    }
}
