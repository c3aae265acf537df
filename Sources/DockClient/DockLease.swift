public import DockTypes
internal import Geometry
internal import Processes

/// A program's right to move the dock. It is renewed by itself as long as the program gives signs of life: calls,
/// updates and pictures that it takes, and `beat`. A lease that is lost or dropped ends what the program moved;
/// `release` does not.
public final class DockLease: Sendable {
    /// Tells the holder why the lease was lost.
    final class Ending: Sendable {
        private let state = Locked<DockError?>(nil)
        private let waiters = Waiters()

        var error: DockError? { state.withLock { $0 } }

        func lost(_ error: DockError) {
            state.withLock { $0 = $0 ?? error }
            waiters.wake()
        }

        /// Waits until the lease is lost. Returns nil if the task was cancelled.
        func wait() async -> DockError? {
            while error == nil {
                guard await waiters.wait(unless: { error != nil }) else { return nil }
            }
            return error
        }
    }

    private let dock: Dock
    private let ending: Ending
    private let number: Int

    init(of dock: Dock, patience: Double) {
        let ending = Ending()
        (self.dock, self.ending) = (dock, ending)
        number = dock.core.keepLease(ending, patience: patience)
    }

    deinit { dock.core.dropLease(number, isAbandoned: true) }

    /// Whether the program still holds the lease, as far as it knows.
    public var isHeld: Bool { ending.error == nil }

    /// Waits until the lease is lost, and returns why; nil if the task was cancelled first.
    public func lost() async -> DockError? { await ending.wait() }

    /// A sign of life during long work.
    /// - Throws: the reason why the lease was lost.
    public func beat() throws(DockError) {
        if let error = ending.error { throw error }
        dock.core.beat()
    }

    /// Gives the lease back. This stops no motion.
    public func release() {
        ending.lost(DockError(.notConnected, "the lease was given back", hint: "acquire control again"))
        dock.core.dropLease(number, isAbandoned: false)
    }
}

extension Dock {
    /// Takes the right to move the dock.
    /// - Parameter patience: how long the lease is renewed without a sign of life, in seconds. After it, and two
    ///   seconds more, the daemon stops what the program moved.
    /// - Throws: `busy` if another program has it; `invalidParameter` if the patience is not from 0.5 to 3600.
    public func control(patience: Double = 5) async throws(DockError) -> DockLease {
        guard (0.5...3600).contains(patience) else {
            throw DockError(.invalidParameter, "a patience of \(patience) s", hint: "give 0.5 to 3600 s")
        }
        _ = try await core.call("acquireControl", [:], timeout: 10)
        return DockLease(of: self, patience: patience)
    }

    /// Takes the right to move the dock for as long as `body` runs, and gives it back. If `body` throws, what the program
    /// moved ends.
    public func withControl<Value>(
        patience: Double = 5, _ body: (DockLease) async throws -> Value
    ) async throws -> Value {
        let lease = try await control(patience: patience)
        let value = try await body(lease)
        lease.release()
        return value
    }
}
