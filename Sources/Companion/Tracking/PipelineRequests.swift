internal import DockControl
internal import Geometry

/// What other threads ask of the tracking on the loop thread.
enum PipelineRequest: Sendable, Equatable {
    /// Select the subject at a point of the picture.
    case tap(Point)
    /// Select subjects by id; none = automatic.
    case select([Int])
    /// A program's own observations, for custom tracking.
    case observe(ObservationFrame)
}

/// Requests on their way to the loop thread: at most 16, further ones are refused.
final class PipelineRequests: Sendable {
    /// The subject that was tapped, how many were selected, or how many were observed; or why nothing was done.
    typealias Reply = @Sendable (Result<Int, DockError>) -> Void

    private let waiting = Guarded<[(request: PipelineRequest, reply: Reply)]>([])

    /// False if too many wait.
    func put(_ request: PipelineRequest, reply: @escaping Reply) -> Bool {
        waiting.withLock { waiting in
            guard waiting.count < 16 else { return false }
            waiting.append((request, reply))
            return true
        }
    }

    func take() -> [(request: PipelineRequest, reply: Reply)] {
        waiting.withLock { waiting in
            guard !waiting.isEmpty else { return [] }
            let all = waiting
            waiting = []
            return all
        }
    }

}
