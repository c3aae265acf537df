public import Geometry

/// What the daemon knows about a stream before it speaks: from the profile and the command line.
public struct DecoderOptions: Sendable, Equatable {
    /// From exposure to the line's arrival, seconds; used where the stream's clock does not tell.
    public var cameraLatency: Seconds = 0.045
    /// Whether the camera's picture is mirrored; holds only where hello is silent.
    public var mirror = false
    /// Degrees (0, 90, 180, 270) to turn the picture clockwise until it stands upright; only where hello is silent.
    public var rotate = 0
    /// A frame whose exposure is longer ago than this at its arrival is dropped, seconds.
    public var maximumAge: Seconds = 0.5
    /// Whether lines that are no detections are handed on as commands; otherwise they are bad lines.
    public var acceptsCommands = true
    /// Live: times are mapped to CLOCK_MONOTONIC and checked for age. Not live: `t` is taken as it is, nothing is too
    /// old or too new; for filters and recordings, which know no clock but the stream's.
    public var isLive = true

    /// A live stream of an upright, unmirrored camera with 45 ms of latency.
    public init() {}
}
