internal import DockControl
internal import DockTypes
internal import Geometry
internal import Processes

/// A request of another thread to the tracking on the loop thread.
enum PipelineRequest: Sendable, Equatable {
    /// Selects the subject at a point of the frame.
    case tap(Point)
    /// Selects subjects by ID; an empty list selects automatically.
    case select([Int])
    /// A program's own observations, for custom tracking.
    case observe(ObservationFrame)
}

/// The requests that wait for the loop thread. There are at most 16; further ones are rejected. Of the distances that depth
/// cameras measure, only the newest list waits: a program that reports often must not keep a person's tap out.
final class PipelineRequests: Sendable {
    /// Receives the ID of the tapped subject, the number of selected or observed subjects, or the reason for a failure.
    typealias Reply = @Sendable (Result<Int, DockError>) -> Void

    private let waiting = Locked<[(request: PipelineRequest, reply: Reply)]>([])
    private let distances = Locked<[MeasuredDistance]?>(nil)

    /// Adds a request. Returns false if too many are waiting.
    func put(_ request: PipelineRequest, reply: @escaping Reply) -> Bool {
        waiting.withLock { waiting in
            guard waiting.count < 16 else { return false }
            waiting.append((request, reply))
            return true
        }
    }

    /// Replaces the distances that wait for the next frame. The loop needs them no sooner, so it is not woken.
    func measure(_ measured: [MeasuredDistance]) { distances.withLock { $0 = measured } }

    /// Returns the distances that have been measured since the last call and removes them, or nil if there are none.
    func takeDistances() -> [MeasuredDistance]? {
        distances.withLock { waiting in
            let taken = waiting
            waiting = nil
            return taken
        }
    }

    /// Returns the waiting requests and removes them.
    func drain() -> [(request: PipelineRequest, reply: Reply)] {
        waiting.withLock { waiting in
            guard !waiting.isEmpty else { return [] }
            let all = waiting
            waiting = []
            return all
        }
    }
}
