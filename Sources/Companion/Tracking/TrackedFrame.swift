public import DockControl
public import FaceTracker
public import Geometry

/// One frame of detections after tracking, for the rest of the program. Published streams are derived from this value.
public struct TrackedFrame: Sendable, Equatable {
    /// The detector's own number of the frame, or nil if it gives none.
    public var sequence: Int?
    /// When the frame was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// The clock of the detector's time, or nil if unknown, as for a program's own observations.
    public var clock: StreamClock?
    /// The camera model, with the detector's own lens if it reports one, or nil if unknown.
    public var camera: CameraModel?
    /// Whether a program observed it (custom tracking), not the detector.
    public var isCustom = false
    /// All subjects, by id.
    public var subjects: [TrackedSubject]
    /// The followed subject, or nil if there is none at the moment.
    public var followed: TrackedSubject?
    /// The IDs that were selected explicitly; empty if the selection is automatic.
    public var selected: [Int]
    /// The intended position of the followed subject in the frame, normalised.
    public var setPoint: Point
    /// The dock's pose at the exposure, in radians, or nil if unknown.
    public var pose: PanTilt?
    /// The bearing of the followed face from the camera's axis, in radians, positive to the right and above.
    public var bearing: PanTilt?
    /// The direction of the followed face in the world (dock angles), in radians, or nil if the pose is unknown.
    public var world: PanTilt?
    /// The angular width of the followed face, in radians.
    public var width: Double?
}

/// An event of tracking for the session, besides frames.
public enum TrackingEvent: Sendable, Equatable {
    /// A line that is not a detection: command words or a call.
    case command(String)
    /// The size of the frames, in pixels, is known.
    case pictureSize(PictureSize)
    /// A problem with the stream: what, where and what to do.
    case problem(String)
    /// The explicitly selected subject was absent for too long.
    case selectionLost
    /// A status message from the detector.
    case status(level: String, text: String)
    /// The stream ended.
    case ended
}
