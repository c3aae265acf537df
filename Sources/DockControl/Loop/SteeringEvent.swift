public import DockTypes
public import Geometry

/// What the loop knows when it asks its input for the next event.
public struct SteeringContext: Sendable {
    /// The time of the turn, CLOCK_MONOTONIC.
    public var now: Seconds
    /// The mode.
    public var mode: TrackingMode
    /// Where the subject should be in the image.
    public var framing: Framing
    /// How much later than their times say a detector's frames were taken, as far as is known by now; seconds.
    public var lag: Seconds
    /// The poses of the dock.
    public var poses: PoseHistory

    /// Creates the context of one event from its values.
    public init(now: Seconds, mode: TrackingMode, framing: Framing, lag: Seconds, poses: PoseHistory) {
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
    /// A frame, after tracking and selection.
    case frame(SteeringFrame)
}

/// What one frame shows of the followed subject.
public struct SteeringFrame: Sendable, Equatable {
    /// Where frames come from. In mode custom only a program's frames steer, in the other modes only a detector's.
    public enum Source: Sendable {
        /// The tracker, from a detector's rectangles.
        case detector
        /// A program's own observations.
        case program
    }

    /// The followed subject in the frame.
    public enum Subject: Sendable, Equatable {
        /// It was seen, by a camera at this pose; radians, zero for a camera that does not turn with the dock.
        case seen(Sighting, from: PanTilt)
        /// There is none, it was missed, or the pose of the camera is unknown.
        case absent
    }

    /// The source of the frame.
    public var source: Source
    /// The followed subject.
    public var subject: Subject
    /// The exposure that the frame itself states, CLOCK_MONOTONIC. A sighting's exposure has the learned lag added.
    public var time: Seconds
    /// The camera that took it.
    public var camera: CameraModel
    /// The offset of the subject that gives others room (`Framing.shift`); nil: as before.
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
