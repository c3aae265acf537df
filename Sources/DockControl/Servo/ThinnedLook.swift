internal import Geometry

/// Looks that follow each other fast, told as one: what a rig does is seen over time, however many pictures a second there are.
struct ThinnedLook: Sendable, Equatable {
    private var look: SignGuard.Look?
    private var count = 0
    /// When those were taken that are in it, seconds, on average; and the newest of the last one.
    private var time: Seconds = 0
    private var ended: Seconds?

    /// Looks that are told are no closer, seconds.
    static let interval: Seconds = 0.02

    /// A look that was taken at a time; the one to judge, and when it was taken, as soon as it is far enough from the last one.
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
