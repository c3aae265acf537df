internal import DockWire

/// A retreat from an obstacle: 3 degrees against the push, at 10 degrees per second, once, before the stall is latched.
///
/// The dock does this on its own. A host that notices the stall a moment later would be rejected, because the dock has
/// latched by then, and a trapped object would stay trapped. The dock retreats only while a host requests motion. It
/// ends early if it gets no further, goes the wrong way or takes too long, because standing still is then safer.
struct StallRetreat: Sendable, Equatable {
    /// The axis that turns back. The other one stands still.
    let axis: DockAxis
    /// The goal, milli-degrees.
    let goal: Int32
    private let direction: Int32
    private let from: Int32
    /// Time since the start, microseconds.
    private var spent: UInt32 = 0

    /// Distance of the retreat, and the tolerance within which it is reached, milli-degrees.
    static let distance: Int32 = 3_000, nearness: Int32 = 100
    /// Speed, milli-degrees per second.
    static let speed: Int32 = 10_000
    /// Longest duration, microseconds.
    static let longest: UInt32 = 1_000_000
    /// An axis that has hardly moved after this time is also blocked in this direction, microseconds.
    static let patience: UInt32 = 500_000
    static let least: Int32 = 500, wrongWay: Int32 = 1_500

    /// A retreat against a push (only its sign counts) from a reading, inside the limits, milli-degrees. It is nil if
    /// turning back is not safe: the push is unknown, the axis is outside its limits, or it is hardly inside them on
    /// that side.
    init?(_ axis: DockAxis, against push: Int32, at position: Int32, inside limits: AxisLimits) {
        let low = limits.minimumPosition, high = limits.maximumPosition
        guard push != 0, position >= low, position <= high else { return nil }
        self.axis = axis
        direction = push > 0 ? -1 : 1
        from = position
        guard (direction > 0 ? high - position : position - low) > Self.least else { return nil }
        goal = (position + direction * Self.distance).clamped(low, high)
    }

    /// Whether the retreat is over, `passed` microseconds later, with the axis at this reading, milli-degrees.
    mutating func isOver(at position: Int32, after passed: UInt32) -> Bool {
        spent += min(passed, Self.longest)
        let gone = (position - from) * direction, way = (goal - from) * direction
        if gone >= way - Self.nearness || gone <= -Self.wrongWay || spent >= Self.longest { return true }
        return gone < Self.least && spent >= Self.patience
    }
}

extension DockAxis {
    /// Its bit in the mask of a torque message.
    var mask: UInt8 { 1 << rawValue }
}
