public import DockControl
public import FaceTracker
public import Geometry

/// One frame of detections after tracking: what the rest of the program gets to see. Published streams hang off this value.
public struct TrackedFrame: Sendable, Equatable {
    /// The detector's own number of the frame; nil if it gives none.
    public var sequence: Int?
    /// When the picture was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// The clock on which the detector told that; nil: not known, as of a program's own observations.
    public var clock: StreamClock?
    /// The camera that saw it, with the detector's own lens where it tells one; nil: not known.
    public var camera: CameraModel?
    /// A program observed it (custom tracking); else the detector did.
    public var isCustom = false
    /// All subjects, by id.
    public var subjects: [TrackedSubject]
    /// The subject that is followed; nil: nobody at the moment.
    public var followed: TrackedSubject?
    /// Ids that were chosen explicitly; empty: automatic.
    public var selected: [Int]
    /// Where the followed subject shall come to rest, normalised.
    public var setPoint: Point
    /// Where the dock was at the exposure, radians; nil: not known.
    public var pose: PanTilt?
    /// The followed face as the camera sees it, + = right of its axis, above it; radians.
    public var bearing: PanTilt?
    /// The followed face in the world (dock angles), radians; nil where the pose is not known.
    public var world: PanTilt?
    /// Angular width of the followed face, radians.
    public var width: Double?
}

/// What the tracking side tells the session, besides frames.
public enum TrackingEvent: Sendable, Equatable {
    /// A line that is no detection: command words or a call.
    case command(String)
    /// The picture's size is known, pixels.
    case pictureSize(PictureSize)
    /// Something is wrong with the stream; what, where and what to do.
    case problem(String)
    /// The explicitly chosen subject stayed away too long.
    case selectionLost
    /// The detector said something about itself.
    case status(level: String, text: String)
    /// The stream ended.
    case ended
}
