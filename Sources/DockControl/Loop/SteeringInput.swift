public import Geometry

/// The loop's input for detections: decoder, tracker and selection behind a descriptor that the loop polls itself, so
/// that no other thread delays the set-point for a line. The session creates it; from then on only the loop's thread
/// calls it.
///
/// It returns values and does not change the loop's state. Within a turn the loop asks for one event at a time, and
/// steers by it before it asks for the next. A frame is therefore placed with the lag that the frames before it have
/// revealed.
public protocol SteeringInput: AnyObject {
    /// The descriptor for `poll`; -1 if there is none.
    var descriptor: Int32 { get }
    /// Begins a turn: reads the readable descriptor, or continues with bytes that are left over from the last turn.
    func read(now: Seconds)
    /// Decodes, tracks and selects up to the next event of the stream. The result is nil if there is no further event
    /// in this turn.
    func next(in context: SteeringContext) -> SteeringEvent?
    /// The result of the turn's read, complete when `next` has returned nil.
    var reading: SteeringReading { get }
    /// Accepts the requests from other threads (taps, selections, a program's own observations) after a wake-up. The
    /// loop calls this before it takes its commands. A command that was posted before a request, such as the mode that
    /// the request needs, is therefore executed before it.
    func collect()
    /// Serves the collected requests up to the next frame that a program has observed, or nil if all are served.
    func serve(in context: SteeringContext) -> SteeringEvent?
    /// Records rectangles in this recorder from now on. By default, records nothing.
    func attach(_ recorder: FlightRecorder)
    /// Passes the sightings to the rest of the program, at a quiet moment.
    func publish(now: Seconds)
}

extension SteeringInput {
    /// Does nothing, so that nothing is recorded.
    public func attach(_ recorder: FlightRecorder) {}
}

/// The result of one read of the detections.
public struct SteeringReading: Sendable, Equatable {
    /// The number of valid frames since the beginning that were not used: too old, repeated, out of order, or from the
    /// future.
    public var dropped = 0
    /// Whether there is more data than one turn may process. If so, the loop reads again even if the descriptor is not
    /// readable.
    public var hasMore = false
    /// Whether the stream has ended, so that it must no longer be polled.
    public var hasEnded = false
    /// When the newest frame was captured, CLOCK_MONOTONIC, or nil if the detector does not report it or no frame
    /// arrived.
    public var exposure: Seconds?

    /// Creates the result of a read without data.
    public init() {}
}
