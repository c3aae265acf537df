internal import DockTypes
internal import Geometry

/// The recording of the last half minute, and when a copy of it is passed on: a little after its cause, so that it
/// shows the results.
struct TraceCue {
    /// The time for which recording continues after a cause, in seconds, so that it also shows how the dock stops.
    static let delay: Seconds = 0.5

    let recorder = FlightRecorder()
    /// The last recorded state of the dock.
    private(set) var recordedState: DockState?
    private var due: (at: Seconds, cause: String)?

    /// When a copy is passed on; infinity if none was requested.
    var dueAt: Seconds { due?.at ?? .infinity }

    /// Requests a copy. If there are several causes, the copy is named after the first.
    mutating func request(cause: String, now: Seconds) {
        if due == nil { due = (now + Self.delay, cause) }
    }

    /// Returns the copy that is due.
    mutating func takeDue(now: Seconds) -> TraceCopy? {
        guard let (at, cause) = due, now >= at else { return nil }
        due = nil
        return recorder.copy(cause: cause)
    }

    /// Records the dock's state.
    /// - Returns: whether it has changed.
    mutating func record(_ state: DockState, mode: TrackingMode) -> Bool {
        recorder.state(state, mode: mode)
        defer { recordedState = state }
        return state != recordedState
    }
}
