internal import Geometry

/// Goals that a motor's own controller takes up a while after they have come.
///
/// So the dead time of a command stands on the way to the controller and not in its loop: a servo reads its own shaft at once, and
/// would swing by itself if it did not.
struct LateGoal<Goal: Equatable & Sendable>: Sendable {
    private let delay: Seconds
    private var current: Goal?
    private var coming: [(at: Seconds, goal: Goal)] = []

    /// With so much dead time, seconds.
    init(delay: Seconds) { self.delay = max(0, delay) }

    /// The goal that counts at `time`, now that this one has been said. A motor that does not hold takes it up at once: it does not
    /// begin with what it was told before.
    mutating func take(_ goal: Goal, at time: Seconds, holds: Bool) -> Goal {
        guard holds, current != nil else {
            coming.removeAll(keepingCapacity: true)
            current = goal
            return goal
        }
        if (coming.last?.goal ?? current) != goal { coming.append((time + delay, goal)) }
        while let next = coming.first, next.at <= time {
            current = next.goal
            coming.removeFirst()
        }
        return current ?? goal
    }
}
