internal import Geometry

/// Merges looks that follow each other quickly into one. A higher frame rate must not give more weight to the same
/// moment.
struct LookMerger: Sendable, Equatable {
    private var look: SignGuard.Look?
    private var count = 0
    /// The mean exposure of the merged looks, in seconds.
    private var time: Seconds = 0
    /// The newest exposure of the previous merged look.
    private var previousEnd: Seconds?

    /// The minimum time between merged looks, in seconds.
    static let interval: Seconds = 0.02

    /// Adds a look that was taken at a time. Returns the look to evaluate and its time once it is late enough after the
    /// last one.
    mutating func add(_ new: SignGuard.Look, at exposure: Seconds) -> (look: SignGuard.Look, time: Seconds)? {
        count += 1
        let weight = 1 / Double(count)
        if count == 1 { (look, time) = (new, exposure) } else { look?.blend(new, weight: weight) }
        time += weight * (exposure - time)
        if let previousEnd, exposure - previousEnd < Self.interval - 0.0005 { return nil }
        defer { (look, count, previousEnd) = (nil, 0, exposure) }
        return look.map { ($0, time) }
    }
}

extension SignGuard.Look {
    fileprivate mutating func blend(_ other: Self, weight: Double) {
        outline.blend(other.outline, share: weight)
        pose = pose + (other.pose - pose) * weight
        error = error + (other.error - error) * weight
    }
}
