internal import Processes

/// The requests of a fake daemon in the order of their arrival, and those who wait for one.
final class RequestLog: Sendable {
    private struct Waiter: Sendable {
        let number: Int
        let isWanted: @Sendable (FakeRequest) -> Bool
        let continuation: CheckedContinuation<FakeRequest?, Never>
    }

    private struct State: Sendable {
        var all: [FakeRequest] = []
        /// The first request that no one has taken.
        var place = 0
        var waiters: [Waiter] = []
        var cancelled: Set<Int> = []
        var lastNumber = 0
        var isOver = false
    }

    private enum Place: Sendable {
        case found(FakeRequest)
        case waiting, over
    }

    /// The most requests that are kept. The oldest go first.
    static let most = 1 << 17

    private let state = Locked(State())

    /// All requests.
    var all: [FakeRequest] { state.withLock { $0.all } }

    /// Adds a request. Returns what wakes the first who waits for it.
    func add(_ request: FakeRequest) -> () -> Void {
        let waiter = state.withLock { state -> Waiter? in
            if state.all.count == Self.most {
                state.all.removeFirst()
                state.place = max(0, state.place - 1)
            }
            state.all.append(request)
            guard let index = state.waiters.firstIndex(where: { $0.isWanted(request) }) else { return nil }
            state.place = state.all.count
            return state.waiters.remove(at: index)
        }
        return { waiter?.continuation.resume(returning: request) }
    }

    /// Returns the next request that matches, and takes it and all before it. The result is nil if the daemon has
    /// ended, or the task was cancelled.
    func next(where isWanted: @escaping @Sendable (FakeRequest) -> Bool) async -> FakeRequest? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        defer { state.withLock { state in _ = state.cancelled.remove(number) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let place = state.withLock { state -> Place in
                    if let index = state.all[state.place...].firstIndex(where: isWanted) {
                        state.place = index + 1
                        return .found(state.all[index])
                    }
                    guard !state.isOver, !state.cancelled.contains(number) else { return .over }
                    state.waiters.append(Waiter(number: number, isWanted: isWanted, continuation: continuation))
                    return .waiting
                }
                switch place {
                case .found(let request): continuation.resume(returning: request)
                case .over: continuation.resume(returning: nil)
                case .waiting: break
                }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Ends the wait of all.
    func end() {
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: nil)
    }
}
