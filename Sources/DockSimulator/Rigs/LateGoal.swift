internal import Geometry

/// Goals that a motor's own controller adopts some time after their arrival.
///
/// The dead time of a command is therefore in front of the controller and not in its loop. A servo reads its own shaft
/// without delay, and would oscillate otherwise.
struct LateGoal<Goal: Equatable & Sendable>: Sendable {
    private let delay: Seconds
    private var current: Goal?
    private var coming: [(at: Seconds, goal: Goal)] = []

    /// Goals with this dead time, seconds.
    init(delay: Seconds) { self.delay = max(0, delay) }

    /// Admits a goal and returns the one in force at `time`. A motor without torque adopts it at once, so that it does
    /// not start with an older one.
    mutating func admit(_ goal: Goal, at time: Seconds, holds: Bool) -> Goal {
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
