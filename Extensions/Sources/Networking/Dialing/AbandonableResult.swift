internal import NIOCore
internal import Synchronization

/// Waits for a future that cannot be cancelled, from a task that can. If the task is cancelled first, the later value
/// is discarded.
final class AbandonableResult<Value: Sendable>: Sendable {
    private enum State { case waiting, finished, abandoned }

    private let state = Mutex(State.waiting)
    private let promise: EventLoopPromise<Value>
    private let discard: @Sendable (Value) -> Void

    private init(_ loop: any EventLoop, discard: @escaping @Sendable (Value) -> Void) {
        promise = loop.makePromise(of: Value.self)
        self.discard = discard
    }

    /// Starts the work and waits for its result.
    /// - Throws: the error of the future, or `CancellationError`.
    static func wait(
        on loop: any EventLoop, discard: @escaping @Sendable (Value) -> Void,
        _ start: () -> EventLoopFuture<Value>
    ) async throws -> Value {
        let result = AbandonableResult(loop, discard: discard)
        start().whenComplete { result.finish($0) }
        return try await withTaskCancellationHandler {
            try await result.promise.futureResult.get()
        } onCancel: {
            result.abandon()
        }
    }

    private func finish(_ outcome: Result<Value, any Error>) {
        if advance(to: .finished) { return promise.completeWith(outcome) }
        if case .success(let value) = outcome { discard(value) }
    }

    private func abandon() { if advance(to: .abandoned) { promise.fail(CancellationError()) } }

    /// Leaves `waiting`. Returns false if that has happened before.
    private func advance(to new: State) -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = new
            return true
        }
    }
}
