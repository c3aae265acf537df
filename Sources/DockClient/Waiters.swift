internal import Processes

/// Tasks that wait for something to change.
final class Waiters: Sendable {
    private struct State: Sendable {
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let state = Locked(State())

    /// Waits until `wake` is called. Returns at once if the change has already happened.
    /// - Returns: false if the task was cancelled.
    func wait(unless hasHappened: @Sendable () -> Bool) async -> Bool {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            let isGoing = await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isCancelled { return continuation.resume(returning: false) }
                // It may have happened before the continuation was stored.
                if hasHappened() { resume(number, true) }
            }
            state.withLock { _ = $0.cancelled.remove(number) }
            return isGoing
        } onCancel: {
            let isWaiting = state.withLock { state in
                guard state.waiting[number] == nil else { return true }
                state.cancelled.insert(number)
                return false
            }
            if isWaiting { resume(number, false) }
        }
    }

    /// Lets all go on.
    func wake() {
        let all = state.withLock { state in
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in all { continuation.resume(returning: true) }
    }

    private func resume(_ number: Int, _ isGoing: Bool) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: isGoing)
    }
}
