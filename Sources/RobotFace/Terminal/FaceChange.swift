public import Geometry

/// A change for a face screen. Nil fields remain unchanged.
public struct FaceChange: Sendable, Equatable {
    /// The gaze target.
    public enum Gaze: Sendable, Equatable {
        /// A person is present.
        case at(GazeTarget)
        /// No person is present.
        case noPerson
    }

    /// The eyes' part of a dock animation.
    public enum Motion: Sendable, Equatable {
        /// Starts the motion, which began at `start` (seconds of CLOCK_MONOTONIC) and takes `duration` seconds.
        case play(EyeMotion, duration: Seconds, start: Seconds)
        /// Ends the motion early.
        case cancel
    }

    /// The mood to show.
    public var expression: Expression?
    /// The gaze target.
    public var gaze: Gaze?
    /// A motion to play or to end.
    public var motion: Motion?
    /// Whether the person at whom it looks is speaking. The face then blinks more often.
    public var speech: Bool?
    /// Whether the eyes lean back, because a person or a hand is near.
    public var leans: Bool?
    /// Text of the status line; empty if there is none.
    public var statusLine: String?
    /// The lines of a page over the face; empty for none.
    public var page: [String]?
    /// Labels over the face; empty for none.
    public var labels: [TextOverlay.Label]?
    /// Shapes over the face, below the labels.
    public var drawing: OverlayDrawing?

    /// Changes only the given fields.
    public init(
        expression: Expression? = nil, gaze: Gaze? = nil, motion: Motion? = nil, speech: Bool? = nil,
        leans: Bool? = nil, statusLine: String? = nil, page: [String]? = nil, labels: [TextOverlay.Label]? = nil,
        drawing: OverlayDrawing? = nil
    ) {
        self.expression = expression
        self.gaze = gaze
        self.motion = motion
        self.speech = speech
        self.leans = leans
        self.statusLine = statusLine
        self.page = page
        self.labels = labels
        self.drawing = drawing
    }

    /// Merges a newer change into this one, field by field.
    mutating func merge(_ newer: FaceChange) {
        expression = newer.expression ?? expression
        gaze = newer.gaze ?? gaze
        motion = newer.motion ?? motion
        speech = newer.speech ?? speech
        leans = newer.leans ?? leans
        statusLine = newer.statusLine ?? statusLine
        page = newer.page ?? page
        labels = newer.labels ?? labels
        drawing = newer.drawing ?? drawing
    }
}
