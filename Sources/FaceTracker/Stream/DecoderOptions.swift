public import Geometry

/// The properties of a stream that are known before its hello, from the profile and the command line.
public struct DecoderOptions: Sendable, Equatable {
    /// The time from exposure to the line's arrival, in seconds. It is used if the stream's clock does not provide the
    /// time.
    public var cameraLatency: Seconds = 0.045
    /// Whether the camera mirrors its frames. This applies only if the hello does not declare it.
    public var mirror = false
    /// Degrees (0, 90, 180, 270) by which the frame must be rotated clockwise to be upright. This applies only if the
    /// hello does not declare it.
    public var rotate = 0
    /// The age at its arrival above which a frame is dropped, in seconds.
    public var maximumAge: Seconds = 0.5
    /// Whether lines that are not detections are passed on as commands. Otherwise they are bad lines.
    public var acceptsCommands = true
    /// Whether the stream is live: times are mapped to CLOCK_MONOTONIC and checked for age. Otherwise `t` is used
    /// unchanged, and no frame is too old or too new. This is for filters and recordings, which have only the stream's
    /// clock.
    public var isLive = true
    /// Whether frames that are dropped are returned, too, as `.dropped`.
    public var reportsDropped = false

    /// Creates options for a live stream of an upright, unmirrored camera with 45 ms of latency.
    public init() {}
}
