public import Geometry

/// The assumptions of a tracker. Times are in seconds and distances in sizes of the rectangle, so that nothing depends on the
/// frame rate or on the size of a subject.
public struct TrackerOptions: Sendable, Equatable {
    /// The minimum score of a new subject, 0...1.
    public var acquire = 0.7
    /// The minimum score to continue a subject, 0...1; detections with less are ignored.
    public var hold = 0.5
    /// A score that creates a subject at once; with less, a second hit is needed.
    public var instant = 0.85
    /// If frames follow each other faster than this, a high score also needs a second hit, seconds.
    public var instantPeriod: Seconds = 0.08
    /// How long a subject without a detection is remembered, seconds.
    public var memory: Seconds = 2
    /// How long a subject without a detection is still reported at its predicted place, seconds.
    public var coasting: Seconds = 0.4
    /// How long a candidate waits for its second hit, seconds, and at least 2.5 frame periods.
    public var candidateMemory: Seconds = 0.12
    /// How long a kept subject (see `Tracker.keep`) is remembered, seconds.
    public var keptMemory: Seconds = 10
    /// Noise of the centre of a detector's rectangle, in sizes (standard deviation).
    public var measurementNoise = 0.09
    /// Noise of the width and height of a detector's rectangle, as a fraction (standard deviation).
    public var sizeNoise = 0.1
    /// The speed of subjects across the frame, sizes per second (standard deviation); a head is 0.17 m wide, and people walk at
    /// 1.3 m/s.
    public var speed = 4.0
    /// The lower limit of the learnt speed, however slow the visible subjects are, widths per second.
    public var leastSpeed = 1.0
    /// The vertical speed, as a fraction of the horizontal one.
    public var vertical = 0.4
    /// How long a subject keeps its velocity (time constant), seconds.
    public var persistence: Seconds = 2
    /// How fast subjects grow when they approach, as a fraction of their size per second (standard deviation).
    public var growth = 0.3
    /// The most surprising step that continues a subject at once, in deviations.
    public var surprise = 3.3
    /// The largest step from the prediction that continues a subject at once, in sizes. A larger step needs a second hit, so
    /// that a false face does not carry a subject away.
    public var stride = 0.7
    /// How fast this limit grows while a subject is unseen, sizes per second; up to `reach`.
    public var strideGrowth = 4.0
    /// How long it grows, seconds, and at least 2.5 frame periods; after that it is `lostStride`.
    public var freshness: Seconds = 0.12
    /// The largest step that continues a subject at once if it was unseen for longer, sizes.
    public var lostStride = 0.5
    /// The largest step from the prediction to a confirmed candidate, in sizes, for a subject that was just seen.
    public var reach = 1.0
    /// How fast this limit grows while a subject is unseen, as a fraction of the subjects' speed.
    public var reachGrowth = 1.5
    /// The largest distance at which a subject is recognised that was kept for longer than `memory`, sizes: after this time
    /// another person may be there.
    public var keptReach = 1.5
    /// A position error that does not count against recognising a lost subject (standard deviation), sizes.
    public var slack = 0.12
    /// The largest surprise, in deviations, at which a new candidate still counts as the lost subject.
    public var recognition = 5.0

    /// The defaults, which fit faces at 7 to 30 frames per second.
    public init() {}
}

/// How far the still world moved in the frame since the previous one, because the camera turned.
public struct PictureShift: Sendable, Equatable {
    /// To the right, in frame widths.
    public var dx: Double
    /// Downward, in frame heights.
    public var dy: Double
    /// The uncertainty of the shift, as a fraction of it.
    public var uncertainty: Double

    /// The camera stood still.
    public static let zero = PictureShift(dx: 0, dy: 0)

    /// A shift in frame widths and heights, with an uncertainty of a tenth.
    public init(dx: Double, dy: Double, uncertainty: Double = 0.1) {
        self.dx = dx
        self.dy = dy
        self.uncertainty = uncertainty
    }

    /// Whether the shift is plausible and not the result of a bad division.
    var isUsable: Bool { abs(dx) < 10 && abs(dy) < 10 && abs(uncertainty) < 10 }
}
