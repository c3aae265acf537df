internal import DockWire

/// The way back from what blocks a motor: 3 degrees against the push, at 10 degrees per second, once, before the stall is
/// latched.
///
/// The dock does it by itself: a host that finds the stall a moment later is refused, since the dock has latched by then, and
/// what is caught would stay caught. It does so only while a host wants motion. It ends early where it gets no further, goes the wrong way or takes too long: whatever
/// it is, standing still is safer then.
struct StallRetreat: Sendable, Equatable {
    /// Which axis goes back; the other one stands still.
    let axis: DockAxis
    /// Where to, milli-degrees.
    let goal: Int32
    private let direction: Int32
    private let from: Int32
    /// Since its beginning, microseconds.
    private var spent: UInt32 = 0

    /// How far, milli-degrees; and how near to that is there.
    static let distance: Int32 = 3_000, nearness: Int32 = 100
    /// How fast, milli-degrees per second.
    static let speed: Int32 = 10_000
    /// How long at most, microseconds.
    static let longest: UInt32 = 1_000_000
    /// An axis that has hardly moved after this is blocked this way, too, microseconds.
    static let patience: UInt32 = 500_000
    static let least: Int32 = 500, wrongWay: Int32 = 1_500

    /// Against a push (its sign counts) from a reading, inside the limits, milli-degrees; nil where going back is not safe: the
    /// push is not known, the axis is outside its limits, or hardly inside them on that side.
    init?(_ axis: DockAxis, against push: Int32, at position: Int32, inside limits: AxisLimits) {
        let low = limits.minimumPosition, high = limits.maximumPosition
        guard push != 0, position >= low, position <= high else { return nil }
        self.axis = axis
        direction = push > 0 ? -1 : 1
        from = position
        guard (direction > 0 ? high - position : position - low) > Self.least else { return nil }
        goal = (position + direction * Self.distance).clamped(low, high)
    }

    /// Whether it is over, `passed` microseconds later, with the axis at a reading, milli-degrees.
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
