public import Geometry

/// The tracked subject in one frame, as the detector stage saw it.
public struct Sighting: Sendable, Equatable {
    /// The number of the subject. Another number is another person.
    public var subject: Int
    /// Its rectangle, normalised.
    public var rect: Rect
    /// The direction in which it looks, in radians, positive to the image's right, or nil if unknown.
    public var yaw: Double?
    /// The time when the frame was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds

    /// Creates a sighting of a subject, its rectangle and yaw at the exposure of the frame.
    public init(subject: Int, rect: Rect, yaw: Double?, exposure: Seconds) {
        self.subject = subject
        self.rect = rect
        self.yaw = yaw
        self.exposure = exposure
    }
}

/// The phase of tracking. The raw values are the words of the `status` line.
public enum TrackingPhase: String, Sendable {
    /// No subject has been seen yet, or tracking of the last one is finished.
    case idle
    /// The subject is seen and followed.
    case following
    /// The subject was just missed: the head continues along the prediction, which fades.
    case coasting
    /// The subject is lost: the head looks in the direction in which it left.
    case searching
    /// No subject is there: the head goes home.
    case homing
    /// No subject is there, but a person is expected in a direction: the head looks there.
    case expecting
    /// No frames arrive: the head stays at rest until they do.
    case detectorStale
}

/// The motion that the pursuit requests from the servo.
public enum Pursue: Sendable, Equatable {
    /// Stays at rest.
    case still
    /// Follows a goal (rad) with its rate (rad/s) and acceleration (rad/s²). `width` is the angular width of the face,
    /// in radians. `holdsPan`: the face is near pan's own axis, where its pan angle has no meaning, so pan stays at
    /// rest.
    case follow(goal: PanTilt, rate: PanTilt, acceleration: PanTilt, width: Double, holdsPan: Bool)
    /// Turns at a velocity, in rad/s.
    case turn(PanTilt)
    /// Goes to a pose (rad) at no more than a speed (rad/s).
    case glide(to: PanTilt, speed: Double)
}
