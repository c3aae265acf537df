public import Geometry

/// What came of reading the detections once.
public struct SteeringResult: Sendable, Equatable {
    /// Frames that were taken.
    public var frames = 0
    /// Frames since the beginning that were understood and not used: too old, repeated, out of order, from the future.
    public var dropped = 0
    /// More is there than one turn may take: ask again, also if the descriptor is not readable.
    public var hasMore = false
    /// The stream has ended: do not poll it any more.
    public var hasEnded = false

    /// When the newest picture was taken, CLOCK_MONOTONIC, where the detector tells it; nil: it does not, or none came.
    public var exposure: Seconds?

    /// Nothing came.
    public init() {}
}

/// The detections' way into the loop: decoder, tracker and selection behind a descriptor that the loop polls itself, so
/// that no thread stands between a line and its set-point. Made by the session; from then on only the loop thread calls it.
public protocol SteeringInput: AnyObject {
    /// For `poll`; -1: there is none.
    var descriptor: Int32 { get }
    /// The descriptor is readable: read it, track, and, unless the mode is custom, tell the pursuit what was seen, with
    /// the poses of the dock.
    func read(now: Seconds, poses: borrowing PoseHistory, mode: TrackingMode, pursuit: inout Pursuit) -> SteeringResult
    /// The loop was woken: take the requests that have come from other threads (taps, selections, a program's own
    /// observations). Called before the loop takes its commands, so that what was posted before a request, as the mode
    /// that it needs, is carried out before it.
    func collect()
    /// Serve what was collected.
    func serve(now: Seconds, poses: borrowing PoseHistory, mode: TrackingMode, pursuit: inout Pursuit) -> SteeringResult
    /// Rectangles are to be recorded here from now on; nothing, unless it says otherwise.
    func attach(_ recorder: FlightRecorder)
    /// Nothing hurries: hand on what was seen to the rest of the program.
    func publish(now: Seconds)
}

extension SteeringInput {
    /// Nothing is recorded.
    public func attach(_ recorder: FlightRecorder) {}
}
