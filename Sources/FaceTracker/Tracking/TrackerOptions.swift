public import Geometry

/// The assumptions of a tracker, grouped by what they tune. Times are in seconds and distances in sizes of the rectangle, so that
/// nothing depends on the frame rate or on the size of a subject.
public struct TrackerOptions: Sendable, Equatable {
    /// Which detections count.
    public struct Scores: Sendable, Equatable {
        /// The minimum score of a new subject, 0...1.
        public var acquire = 0.7
        /// The minimum score to continue a subject, 0...1; detections with less are ignored.
        public var hold = 0.5
        /// A score that creates a subject at once; with less, a second hit is needed.
        public var instant = 0.85
        /// If frames follow each other faster than this, a high score also needs a second hit, seconds.
        public var instantPeriod: Seconds = 0.08
    }

    /// How long a subject without a detection is kept.
    public struct Memory: Sendable, Equatable {
        /// How long it is remembered, seconds.
        public var subject: Seconds = 2
        /// How long it is still reported at its predicted place, seconds.
        public var coasting: Seconds = 0.4
        /// How long a candidate waits for its second hit, seconds, and at least 2.5 frame periods.
        public var candidate: Seconds = 0.12
        /// How long a kept subject (see `Tracker.keep`) is remembered, seconds.
        public var kept: Seconds = 10
    }

    /// How subjects move, and how well a detector measures them.
    public struct Motion: Sendable, Equatable {
        /// Noise of the centre of a detector's rectangle, in sizes (standard deviation).
        public var centreNoise = 0.09
        /// Noise of the width and height of a detector's rectangle, as a fraction (standard deviation).
        public var sizeNoise = 0.1
        /// The speed of subjects across the frame, sizes per second (standard deviation); a head is 0.17 m wide, and people walk
        /// at 1.3 m/s.
        public var speed = 4.0
        /// The lower limit of the learnt speed, however slow the visible subjects are, widths per second.
        public var leastSpeed = 1.0
        /// The vertical speed, as a fraction of the horizontal one.
        public var vertical = 0.4
        /// How long a subject keeps its velocity (time constant), seconds.
        public var persistence: Seconds = 2
        /// How fast subjects grow when they approach, as a fraction of their size per second (standard deviation).
        public var growth = 0.3
    }

    /// Which step from the prediction continues a subject at once. A larger step needs a second hit, so that a false face does not
    /// carry a subject away.
    public struct Step: Sendable, Equatable {
        /// The most surprising step, in deviations.
        public var surprise = 3.3
        /// The largest step, in sizes.
        public var most = 0.7
        /// How fast this limit grows while a subject is unseen, sizes per second; up to `Recognition.reach`.
        public var growth = 4.0
        /// How long it grows, seconds, and at least 2.5 frame periods; after that it is `mostWhenLost`.
        public var freshness: Seconds = 0.12
        /// The largest step if the subject was unseen for longer, sizes.
        public var mostWhenLost = 0.5
    }

    /// Which confirmed candidate is a lost subject.
    public struct Recognition: Sendable, Equatable {
        /// The largest step from the prediction, in sizes, for a subject that was just seen.
        public var reach = 1.0
        /// How fast this limit grows while a subject is unseen, as a fraction of the subjects' speed.
        public var growth = 1.5
        /// The largest distance at which a subject is recognised that was kept for longer than `Memory.subject`, sizes: after this
        /// time another person may be there.
        public var keptReach = 1.5
        /// A position error that does not count (standard deviation), sizes.
        public var slack = 0.12
        /// The largest surprise, in deviations.
        public var surprise = 5.0
    }

    /// Which detections count.
    public var scores = Scores()
    /// How long a subject without a detection is kept.
    public var memory = Memory()
    /// How subjects move, and how well a detector measures them.
    public var motion = Motion()
    /// Which step continues a subject at once.
    public var step = Step()
    /// Which confirmed candidate is a lost subject.
    public var recognition = Recognition()

    /// The defaults, which fit faces at 7 to 30 frames per second.
    public init() {}
}
