public import Geometry

/// The result of one read of the detections.
public struct SteeringResult: Sendable, Equatable {
    /// The number of frames that were accepted.
    public var frames = 0
    /// The number of valid frames since the beginning that were not used: too old, repeated, out of order, or from the future.
    public var dropped = 0
    /// There is more data than one turn may process: read again, even if the descriptor is not readable.
    public var hasMore = false
    /// The stream has ended and must no longer be polled.
    public var hasEnded = false

    /// When the newest frame was captured, CLOCK_MONOTONIC; nil: the detector does not report it, or no frame arrived.
    public var exposure: Seconds?

    /// Creates a result without frames.
    public init() {}
}

/// The loop's input for detections: decoder, tracker and selection behind a descriptor that the loop polls itself, so that no other
/// thread stands between a line and its set-point. The session creates it; from then on only the loop's thread calls it.
public protocol SteeringInput: AnyObject {
    /// The descriptor for `poll`; -1: none.
    var descriptor: Int32 { get }
    /// Reads the readable descriptor and tracks. Unless the mode is custom, passes the sightings to the pursuit, with the poses of
    /// the dock.
    func read(now: Seconds, poses: borrowing PoseHistory, mode: TrackingMode, pursuit: inout Pursuit) -> SteeringResult
    /// Takes the requests from other threads (taps, selections, a program's own observations) after a wake-up. The loop calls this
    /// before it takes its commands. A command that was posted before a request, such as the mode that it needs, is therefore
    /// carried out before it.
    func collect()
    /// Serves the collected requests.
    func serve(now: Seconds, poses: borrowing PoseHistory, mode: TrackingMode, pursuit: inout Pursuit) -> SteeringResult
    /// Records rectangles in this recorder from now on. By default, records nothing.
    func attach(_ recorder: FlightRecorder)
    /// Passes the sightings to the rest of the program, at a quiet moment.
    func publish(now: Seconds)
}

extension SteeringInput {
    /// Records nothing.
    public func attach(_ recorder: FlightRecorder) {}
}
