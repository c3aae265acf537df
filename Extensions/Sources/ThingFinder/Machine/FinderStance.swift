internal import Geometry

/// The pose to which the head was sent, and the pictures from there.
struct FinderStance: Sendable, Equatable {
    /// The pose, in radians.
    var target: PanTilt
    /// When the head was sent, and until when it must be there, CLOCK_MONOTONIC.
    var since: Seconds, limit: Seconds
    /// The thing that it looks at, or nil if it looks round.
    var thing: Int?
    /// How many pictures were taken from there.
    var pictures = 0
    /// Whether the look is complete.
    var isComplete = false

    /// How far from its target the head may stand, in radians.
    static let tolerance = Double.degrees(2)
}

/// The thing that is being looked at closely.
struct FinderFocus: Sendable, Equatable {
    /// Its number.
    let thing: Int
    /// How many poses were tried to see it.
    var attempts = 0
    /// When the last picture was taken that was asked about, CLOCK_MONOTONIC.
    var asked: Seconds = -.infinity
    /// Whether a person knows that it is too small.
    var isSmall = false

    init(_ thing: Int) { self.thing = thing }
}

/// The times of a search, CLOCK_MONOTONIC.
struct FinderTimes: Sendable, Equatable {
    /// When it began, not counting pauses.
    var begun: Seconds
    /// When a detector last answered.
    var view: Seconds
    /// When it was interrupted, and when the thing was found.
    var paused: Seconds = 0, found: Seconds = 0
    /// How many looks are complete.
    var looks = 0
    /// How many places in a row the head did not reach.
    var unreached = 0
}
