public import Geometry

/// What the daemon knows about a stream before its hello: from the profile and the command line.
public struct DecoderOptions: Sendable, Equatable {
    /// From exposure to the line's arrival, seconds; used if the stream's clock does not provide the time.
    public var cameraLatency: Seconds = 0.045
    /// Whether the camera mirrors its frames; applies only if the hello does not say.
    public var mirror = false
    /// Degrees (0, 90, 180, 270) to turn the frame clockwise until it is upright; applies only if the hello does not say.
    public var rotate = 0
    /// A frame is dropped if it is older than this at its arrival, seconds.
    public var maximumAge: Seconds = 0.5
    /// Whether lines that are not detections are passed on as commands; otherwise they are bad lines.
    public var acceptsCommands = true
    /// Live: times are mapped to CLOCK_MONOTONIC and checked for age. Not live: `t` is used unchanged, and no frame is too old
    /// or too new; for filters and recordings, which know only the stream's clock.
    public var isLive = true

    /// A live stream of an upright, unmirrored camera with 45 ms of latency.
    public init() {}
}
