public import Geometry

/// What a face screen is asked to change; what is nil stays as it is.
public struct FaceWish: Sendable, Equatable {
    /// Whom to look at.
    public enum Gaze: Sendable, Equatable {
        /// Somebody is there.
        case at(GazeTarget)
        /// Nobody is there.
        case nobody
    }

    /// The eyes' part of a dock animation.
    public enum Motion: Sendable, Equatable {
        /// Plays it: it began at `start` (seconds of CLOCK_MONOTONIC) and takes `duration` seconds.
        case play(EyeMotion, duration: Seconds, start: Seconds)
        /// Ends it early.
        case cancel
    }

    /// The mood to show.
    public var expression: Expression?
    /// Whom to look at.
    public var gaze: Gaze?
    /// A motion to play or to end.
    public var motion: Motion?
    /// Whether whoever is looked at speaks: it blinks more often then.
    public var speech: Bool?
    /// Text of the status line; empty: none.
    public var statusLine: String?
    /// Lines of a page over the face; empty: none.
    public var page: [String]?
    /// Labels over the face; empty: none.
    public var labels: [TextOverlay.Label]?

    /// Changes only what is given.
    public init(
        expression: Expression? = nil, gaze: Gaze? = nil, motion: Motion? = nil, speech: Bool? = nil,
        statusLine: String? = nil, page: [String]? = nil, labels: [TextOverlay.Label]? = nil
    ) {
        self.expression = expression
        self.gaze = gaze
        self.motion = motion
        self.speech = speech
        self.statusLine = statusLine
        self.page = page
        self.labels = labels
    }

    /// Lays a newer wish over this one, field by field.
    mutating func merge(_ newer: FaceWish) {
        expression = newer.expression ?? expression
        gaze = newer.gaze ?? gaze
        motion = newer.motion ?? motion
        speech = newer.speech ?? speech
        statusLine = newer.statusLine ?? statusLine
        page = newer.page ?? page
        labels = newer.labels ?? labels
    }
}
