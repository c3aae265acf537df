internal import Geometry

/// Merges looks that follow each other quickly into one. What a rig does is judged per time, not per frame.
struct ThinnedLook: Sendable, Equatable {
    private var look: SignGuard.Look?
    private var count = 0
    /// Mean exposure of the merged looks, seconds; and the newest exposure of the previous merged look.
    private var time: Seconds = 0
    private var ended: Seconds?

    /// Least distance between merged looks, seconds.
    static let interval: Seconds = 0.02

    /// Adds a look that was taken at a time. Returns the look to judge and its time once it is far enough from the last
    /// one.
    mutating func add(_ new: SignGuard.Look, at exposure: Seconds) -> (look: SignGuard.Look, time: Seconds)? {
        count += 1
        let share = 1 / Double(count)
        if count == 1 { (look, time) = (new, exposure) } else { look?.blend(new, share: share) }
        time += share * (exposure - time)
        if let ended, exposure - ended < Self.interval - 0.0005 { return nil }
        defer { (look, count, ended) = (nil, 0, exposure) }
        return look.map { ($0, time) }
    }
}

extension SignGuard.Look {
    fileprivate mutating func blend(_ other: Self, share: Double) {
        outline.blend(other.outline, share: share)
        pose = pose + (other.pose - pose) * share
        error = error + (other.error - error) * share
    }
}
