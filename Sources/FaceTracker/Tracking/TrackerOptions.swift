public import Geometry

/// What a tracker may assume; times in seconds, distances in sizes of the rectangle, so that nothing depends on the
/// frame rate or on how large a subject is.
public struct TrackerOptions: Sendable, Equatable {
    /// A rectangle must score this much to become a new subject, 0...1.
    public var acquire = 0.7
    /// A rectangle must score this much to continue a subject, 0...1; what scores less is not looked at.
    public var hold = 0.5
    /// A score of this much makes a subject at once; below it takes a second hit.
    public var instant = 0.85
    /// Where frames follow each other faster than this, also a high score waits for its second hit, seconds.
    public var instantPeriod: Seconds = 0.08
    /// How long a subject without a detection is remembered and taken up again, seconds.
    public var memory: Seconds = 2
    /// How long a subject without a detection is still reported, at its predicted place, seconds.
    public var coasting: Seconds = 0.4
    /// How long a candidate waits for its second hit, seconds and at least 2.5 frame periods.
    public var candidateMemory: Seconds = 0.12
    /// How long a kept subject (see `Tracker.keep`) is remembered, seconds.
    public var keptMemory: Seconds = 10
    /// Noise of a detector's rectangle, its middle, in sizes (standard deviation).
    public var measurementNoise = 0.09
    /// Noise of a detector's rectangle, its width and height, as a share of them (standard deviation).
    public var sizeNoise = 0.1
    /// How fast subjects go across the picture, sizes per second (standard deviation); a head is 0.17 m wide, and people
    /// walk at 1.3 m/s.
    public var speed = 4.0
    /// Slower than this they are not taken to be, however slow those are that are seen, widths per second.
    public var leastSpeed = 1.0
    /// The same up and down, as a share of that.
    public var vertical = 0.4
    /// How long a subject keeps its velocity (time constant), seconds.
    public var persistence: Seconds = 2
    /// How fast subjects grow as they come nearer, as a share of their size per second (standard deviation).
    public var growth = 0.3
    /// The most surprising step that continues a subject at once, in deviations.
    public var surprise = 3.3
    /// The largest step from the prediction that continues a subject at once, in sizes. Whoever steps further has to
    /// prove it by a second hit, so that a false face does not carry a subject away.
    public var stride = 0.7
    /// How fast that grows from frame to frame, and while a subject is not seen, sizes per second; to at most `reach`.
    public var strideGrowth = 4.0
    /// It grows for so long, seconds and at least 2.5 frame periods; later it is `lostStride`.
    public var freshness: Seconds = 0.12
    /// The largest step that continues somebody at once who was not seen for longer, sizes.
    public var lostStride = 0.5
    /// The largest step from the prediction to whoever proved to be somebody, in sizes, for a subject just seen.
    public var reach = 1.0
    /// How fast that grows while a subject is not seen, as a share of how fast subjects go.
    public var reachGrowth = 1.5
    /// How far off somebody may be taken up again who was kept for longer than `memory`, sizes: after so long anybody may stand there.
    public var keptReach = 1.5
    /// Whoever proved to be somebody about here is the one who was lost here: so far off counts as nothing (deviation), sizes.
    public var slack = 0.12
    /// The most surprising way in which somebody lost is somebody new, in deviations.
    public var recognition = 5.0

    /// The defaults, which fit faces at 7 to 30 frames per second.
    public init() {}
}

/// How far the still world moved in the picture since the previous frame because the camera turned.
public struct PictureShift: Sendable, Equatable {
    /// To the right, in picture widths.
    public var dx: Double
    /// Downward, in picture heights.
    public var dy: Double
    /// How much of the shift may be wrong, as a share of it.
    public var uncertainty: Double

    /// The camera stood still.
    public static let zero = PictureShift(dx: 0, dy: 0)

    /// A shift in picture widths and heights; a tenth of it may be wrong.
    public init(dx: Double, dy: Double, uncertainty: Double = 0.1) {
        self.dx = dx
        self.dy = dy
        self.uncertainty = uncertainty
    }

    /// Whether it is a shift at all and no accident of a division.
    var isUsable: Bool { abs(dx) < 10 && abs(dy) < 10 && abs(uncertainty) < 10 }
}
