public import Geometry

/// The motion with which an axis is measured: back and forth around its position at two speeds, with rests in between.
public struct Wiggle: Sendable, Equatable {
    /// One stroke: a velocity for a time, then a rest.
    public struct Stroke: Sendable, Equatable {
        /// The velocity, in rad/s.
        public var velocity: Double
        /// The duration, in seconds.
        public var duration: Seconds

        /// The velocity with which each stroke begins for `leadTime`, in rad/s. After a rest the loop allows a first
        /// step that no motor can follow, but only when it accelerates. With the lead, the ramps up and down are alike,
        /// and a slow motor makes up on one what it loses on the other.
        public var lead: Double { velocity < 0 ? -Wiggle.creep : Wiggle.creep }
    }

    /// The distance to either side, in radians.
    public static let reach = Double.degrees(5)
    /// The highest speed, in rad/s, which is the limit for a rig that was not checked.
    public static let fastest = Double.degrees(20)
    /// The largest distance if the speed differs from the profile, in radians.
    public static let room = Double.degrees(8)
    /// The speed at the beginning of a stroke, in rad/s.
    static let creep = Double.degrees(1)
    /// The duration of that beginning, in seconds: a few set-points.
    public static let leadTime: Seconds = 0.1
    /// The rest after each stroke, in seconds: longer than four time constants of a slow motor with its latency.
    public static let rest: Seconds = 0.7
    /// The rest before the first stroke, in seconds, during which the noise is measured.
    public static let still: Seconds = 1

    /// The direction and speed of each stroke. The first and the last go half as far, so that the motion ends where it
    /// began.
    private static let plan: [(sense: Double, share: Double)] = [
        (1, 1), (-1, 1), (1, 1), (-1, 0.5), (1, 1), (-1, 1), (1, 0.5), (-1, 1),
    ]

    /// The strokes.
    public let strokes: [Stroke]

    /// Creates the strokes for an axis that turns at most `maxSpeed`, in rad/s.
    public init(maxSpeed: Double) {
        let top = min(Self.fastest, maxSpeed)
        strokes = Self.plan.enumerated().map { index, row in
            let speed = top * row.share, isEnd = index == 0 || index == Self.plan.count - 1
            return Stroke(velocity: row.sense * speed, duration: Self.reach * (isEnd ? 1 : 2) / speed)
        }
    }

    /// Returns the position nearest to `place` that leaves room on either side, or nil if the range leaves none.
    public static func middle(near place: Double, in range: ClosedRange<Double>) -> Double? {
        let low = range.lowerBound + room, high = range.upperBound - room
        return low <= high ? place.clamped(to: low...high) : nil
    }
}
