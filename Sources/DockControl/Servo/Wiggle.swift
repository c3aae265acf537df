public import Geometry

/// The motion by which an axis is measured: to and fro about where it stands, with rests between, at two speeds.
public struct Wiggle: Sendable, Equatable {
    /// One stroke: a velocity for a time, then a rest.
    public struct Stroke: Sendable, Equatable {
        /// rad/s.
        public var velocity: Double
        /// Seconds.
        public var duration: Seconds

        /// Each stroke begins with this velocity, rad/s, for `leadTime`: after a rest the loop allows a first step that no motor
        /// follows, and only up; with it, the ramps up and down are alike, and what a slow motor loses on one it makes good on the
        /// other.
        public var lead: Double { velocity < 0 ? -Wiggle.creep : Wiggle.creep }
    }

    /// So far it goes to either side, rad, ...
    public static let reach = Double.degrees(5)
    /// ... and no faster than this, rad/s: that of a rig which nobody has checked.
    public static let fastest = Double.degrees(20)
    /// Wherever its speed is not what the profile says, it goes no farther than this, rad.
    public static let room = Double.degrees(8)
    /// How slowly a stroke begins, rad/s.
    static let creep = Double.degrees(1)
    /// ... and for how long, seconds: a few set-points.
    public static let leadTime: Seconds = 0.1
    /// Rest after each stroke, seconds: longer than four time constants of a slow motor with its latency.
    public static let rest: Seconds = 0.7
    /// Rest before the first, seconds: the noise is measured there.
    public static let still: Seconds = 1

    /// Sense and speed of each; the first and the last go half as far, so that it ends where it began.
    private static let plan: [(sense: Double, share: Double)] = [
        (1, 1), (-1, 1), (1, 1), (-1, 0.5), (1, 1), (-1, 1), (1, 0.5), (-1, 1),
    ]

    /// The strokes.
    public let strokes: [Stroke]

    /// For an axis that turns no faster than `maxSpeed`, rad/s.
    public init(maxSpeed: Double) {
        let top = min(Self.fastest, maxSpeed)
        strokes = Self.plan.enumerated().map { index, row in
            let speed = top * row.share, isEnd = index == 0 || index == Self.plan.count - 1
            return Stroke(velocity: row.sense * speed, duration: Self.reach * (isEnd ? 1 : 2) / speed)
        }
    }

    /// Where an axis is to stand so that it has room to either side, nearest to `place`; nil: its range leaves none.
    public static func middle(near place: Double, in range: ClosedRange<Double>) -> Double? {
        let low = range.lowerBound + room, high = range.upperBound - room
        return low <= high ? place.clamped(to: low...high) : nil
    }
}
