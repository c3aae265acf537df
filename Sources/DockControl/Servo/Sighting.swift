public import Geometry

/// The tracked subject in one frame, as the detector stage saw it.
public struct Sighting: Sendable, Equatable {
    /// Id of the subject; another id is another person.
    public var subject: Int
    /// Its rectangle, normalised.
    public var rect: Rect
    /// Where it looks, radians, + = to the picture's right; nil: not known.
    public var yaw: Double?
    /// When the picture was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds

    /// A subject, its rectangle and yaw, at the exposure of the picture.
    public init(subject: Int, rect: Rect, yaw: Double?, exposure: Seconds) {
        self.subject = subject
        self.rect = rect
        self.yaw = yaw
        self.exposure = exposure
    }
}

/// What tracking is doing; the words are those of the `status` line.
public enum TrackingPhase: String, Sendable {
    /// Nobody has been seen yet, or everything about it is done.
    case idle
    /// The subject is seen and followed.
    case following
    /// It was just missed: on along the prediction, which fades.
    case coasting
    /// It is gone: a look toward where it left.
    case searching
    /// Nobody there: back home.
    case homing
    /// No frames come: stand still until they do.
    case detectorStale
}

/// What the pursuit wants from the servo.
public enum Pursue: Sendable, Equatable {
    /// Stand still.
    case still
    /// Follow a goal (rad) that moves at a rate (rad/s), which changes (rad/s²). `width` is the angular width of the face, radians.
    /// `holdsPan`: the face is near pan's own axis, where its pan angle means nothing; pan stands still.
    case follow(goal: PanTilt, rate: PanTilt, acceleration: PanTilt, width: Double, holdsPan: Bool)
    /// Turn at a velocity, rad/s.
    case turn(PanTilt)
    /// Go to a pose (rad) at no more than a speed (rad/s).
    case glide(to: PanTilt, speed: Double)
}
