public import Geometry

/// The motion by which an axis is measured: back and forth about its position at two speeds, with rests between.
public struct Wiggle: Sendable, Equatable {
    /// One stroke: a velocity for a time, then a rest.
    public struct Stroke: Sendable, Equatable {
        /// rad/s.
        public var velocity: Double
        /// Seconds.
        public var duration: Seconds

        /// Velocity with which each stroke begins for `leadTime`, rad/s. After a rest the loop allows a first step that
        /// no motor follows, but only when it speeds up. With the lead, the ramps up and down are alike, and a slow motor
        /// recovers on one what it loses on the other.
        public var lead: Double { velocity < 0 ? -Wiggle.creep : Wiggle.creep }
    }

    /// Distance to either side, rad.
    public static let reach = Double.degrees(5)
    /// Highest speed, rad/s: that of a rig that was not checked.
    public static let fastest = Double.degrees(20)
    /// Largest distance if the speed differs from the profile, rad.
    public static let room = Double.degrees(8)
    /// Speed at the beginning of a stroke, rad/s.
    static let creep = Double.degrees(1)
    /// Duration of that beginning, seconds: a few set-points.
    public static let leadTime: Seconds = 0.1
    /// Rest after each stroke, seconds: longer than four time constants of a slow motor with its latency.
    public static let rest: Seconds = 0.7
    /// Rest before the first stroke, seconds: the noise is measured there.
    public static let still: Seconds = 1

    /// Direction and speed of each stroke. The first and the last go half as far, so that the motion ends where it
    /// began.
    private static let plan: [(sense: Double, share: Double)] = [
        (1, 1), (-1, 1), (1, 1), (-1, 0.5), (1, 1), (-1, 1), (1, 0.5), (-1, 1),
    ]

    /// The strokes.
    public let strokes: [Stroke]

    /// Creates the strokes for an axis that turns at most `maxSpeed`, rad/s.
    public init(maxSpeed: Double) {
        let top = min(Self.fastest, maxSpeed)
        strokes = Self.plan.enumerated().map { index, row in
            let speed = top * row.share, isEnd = index == 0 || index == Self.plan.count - 1
            return Stroke(velocity: row.sense * speed, duration: Self.reach * (isEnd ? 1 : 2) / speed)
        }
    }

    /// The position nearest to `place` that leaves room on either side; nil: the range leaves none.
    public static func middle(near place: Double, in range: ClosedRange<Double>) -> Double? {
        let low = range.lowerBound + room, high = range.upperBound - room
        return low <= high ? place.clamped(to: low...high) : nil
    }
}
