public import DockTypes
public import Geometry

/// The information that the loop gives its input when it asks for the next event.
public struct SteeringContext: Sendable {
    /// The time of the turn, CLOCK_MONOTONIC.
    public var now: Seconds
    /// The mode.
    public var mode: TrackingMode
    /// Where the subject should be in the image.
    public var framing: Framing
    /// The delay of a detector's frames relative to their stated times, as far as it is known, in seconds.
    public var lag: Seconds
    /// The poses of the dock.
    public var poses: PoseHistory
    /// The magnification by the rig's own lens; 1 is none. It belongs to the first camera.
    public var magnification: Double
    /// How much farther the picture moves than the camera's field of view says, as measured; 1 is not at all.
    public var correction: Double

    /// Creates the context of one event from its values.
    public init(
        now: Seconds, mode: TrackingMode, framing: Framing, lag: Seconds, poses: PoseHistory, magnification: Double = 1,
        correction: Double = 1
    ) {
        (self.magnification, self.correction) = (magnification, correction)
        self.now = now
        self.mode = mode
        self.framing = framing
        self.lag = lag
        self.poses = poses
    }
}

/// An event of the input, in the order of the stream.
public enum SteeringEvent: Sendable, Equatable {
    /// A detector's stream begins that does not continue the previous one.
    case newStream
    /// The stream goes on with another view: another magnification, or this camera of the rig (0...3).
    case newView(camera: Int)
    /// A frame, after tracking and selection.
    case frame(SteeringFrame)
}

/// The evidence of one frame about the followed subject.
public struct SteeringFrame: Sendable, Equatable {
    /// The origin of frames. In mode `custom` only a program's frames steer, and in the other modes only a detector's.
    public enum Source: Sendable {
        /// The tracker, from a detector's rectangles.
        case detector
        /// A program's own observations.
        case program
    }

    /// The followed subject in the frame.
    public enum Subject: Sendable, Equatable {
        /// It was seen by a camera at this pose, in radians. The pose is zero for a camera that does not turn with the
        /// dock.
        case seen(Sighting, from: PanTilt)
        /// There is none, it was missed, or the pose of the camera is unknown.
        case absent
    }

    /// The source of the frame.
    public var source: Source
    /// The followed subject.
    public var subject: Subject
    /// The exposure that the frame itself states, CLOCK_MONOTONIC. The exposure of a sighting includes the estimated
    /// lag.
    public var time: Seconds
    /// The camera that took it.
    public var camera: CameraModel
    /// The offset of the subject that makes room for others (`Framing.shift`). If nil, it stays unchanged.
    public var shift: Point?

    /// Creates a frame from its parts.
    public init(source: Source, subject: Subject, time: Seconds, camera: CameraModel, shift: Point? = nil) {
        self.source = source
        self.subject = subject
        self.time = time
        self.camera = camera
        self.shift = shift
    }
}
