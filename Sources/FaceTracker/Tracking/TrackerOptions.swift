public import Geometry

/// The assumptions of a tracker, grouped by what they tune. Times are in seconds and distances in sizes of the
/// rectangle, so that nothing depends on the frame rate or on the size of a subject.
public struct TrackerOptions: Sendable, Equatable {
    /// The scores that decide which detections count.
    public struct Scores: Sendable, Equatable {
        /// The minimum score of a new subject, 0...1.
        public var acquire = 0.7
        /// The minimum score to continue a subject, 0...1. Detections with a lower score are ignored.
        public var hold = 0.5
        /// The score that creates a subject at once. With a lower score, a second hit is needed.
        public var instant = 0.85
        /// The time between frames below which a high score also needs a second hit, in seconds.
        public var instantPeriod: Seconds = 0.08
    }

    /// The times for which a subject without a detection is kept.
    public struct Retention: Sendable, Equatable {
        /// How long a subject is remembered, in seconds.
        public var subject: Seconds = 2
        /// How long it is still reported at its predicted position, in seconds.
        public var coasting: Seconds = 0.4
        /// How long a candidate waits for its second hit, seconds, and at least 2.5 frame periods.
        public var candidate: Seconds = 0.12
        /// How long a kept subject (see `Tracker.keep`) is remembered, in seconds.
        public var kept: Seconds = 10
    }

    /// The motion of subjects, and the accuracy with which a detector measures them.
    public struct Motion: Sendable, Equatable {
        /// The noise of the centre of a detector's rectangle, in sizes (standard deviation).
        public var centreNoise = 0.09
        /// The noise of the width and height of a detector's rectangle, as a fraction (standard deviation).
        public var sizeNoise = 0.09
        /// The speed of subjects across the frame, sizes per second (standard deviation). A head is 0.17 m wide, and
        /// people walk at 1.3 m/s.
        public var speed = 4.0
        /// The lower limit of the estimated speed, however slow the visible subjects are, widths per second.
        public var leastSpeed = 1.0
        /// The vertical speed, as a fraction of the horizontal one.
        public var vertical = 0.4
        /// How long a subject keeps its velocity (time constant), in seconds, until the scene shows how straight people
        /// walk in it.
        public var persistence: Seconds = 2
        /// How fast subjects grow when they approach, as a fraction of their size per second (standard deviation).
        public var growth = 0.3
    }

    /// The step from the prediction that continues a subject at once. A larger step needs a second hit, so that a false
    /// face does not carry a subject away.
    public struct Step: Sendable, Equatable {
        /// The most surprising step, in deviations.
        public var surprise = 3.3
        /// The highest cost of a step: squared deviations and the logarithm of the uncertainty, in squared sizes. The
        /// less is known about a subject, the better a detection must fit.
        public var mostCost = 3.0
        /// The largest step, in sizes.
        public var most = 0.7
        /// The speed at which this limit grows while a subject is unseen, in sizes per second, up to
        /// `Recognition.reach`.
        public var growth = 4.0
        /// The time for which it grows, in seconds, and at least 2.5 frame periods. After that it is `mostWhenLost`.
        public var freshness: Seconds = 0.12
        /// The largest step if the subject was unseen for longer, in sizes.
        public var mostWhenLost = 0.5
    }

    /// The conditions under which a confirmed candidate is a lost subject.
    public struct Recognition: Sendable, Equatable {
        /// The largest step from the prediction, in sizes, for a subject that was just seen.
        public var reach = 1.0
        /// How fast this limit grows while a subject is unseen, as a fraction of the subjects' speed.
        public var growth = 1.5
        /// The largest distance at which a subject that was kept for longer than `Retention.subject` is recognised, in
        /// sizes. After this time another person may be there.
        public var keptReach = 1.5
        /// The position error that does not count (standard deviation), in sizes.
        public var slack = 0.12
        /// The largest surprise, in deviations.
        public var surprise = 5.0
        /// The highest cost: squared deviations and the logarithm of the uncertainty of place and velocity, in sizes and
        /// seconds. In a crowd, a subject that may be anywhere would otherwise become the next person who appears.
        public var mostCost = 14.0
    }

    /// The scores that decide which detections count.
    public var scores = Scores()
    /// The times for which a subject without a detection is kept.
    public var retention = Retention()
    /// The motion of subjects, and the accuracy with which a detector measures them.
    public var motion = Motion()
    /// The step that continues a subject at once.
    public var step = Step()
    /// The conditions under which a confirmed candidate is a lost subject.
    public var recognition = Recognition()

    /// Creates the defaults, which fit faces at 7 to 30 frames per second.
    public init() {}

    /// The earlier name of `Retention`.
    @available(*, deprecated, renamed: "Retention")
    public typealias Memory = Retention

    /// The earlier name of `retention`.
    @available(*, deprecated, renamed: "retention")
    public var memory: Retention {
        get { retention }
        set { retention = newValue }
    }
}
