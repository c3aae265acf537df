/// A running loop as a service of a group: it lives until shutdown is asked for, and ends by the stop.
///
/// It has `ServiceLifecycle.Service`'s one method without importing it; the session adopts the protocol for it.
public struct DockService: Sendable {
    private let loop: DockLoop
    private let onSnapshot: @Sendable (LoopSnapshot) async -> Void

    /// Hands every new snapshot to `onSnapshot`, newest only.
    public init(loop: DockLoop, onSnapshot: @escaping @Sendable (LoopSnapshot) async -> Void) {
        self.loop = loop
        self.onSnapshot = onSnapshot
    }

    /// Runs until the loop ends; the thread has written the stop when it returns.
    public func run() async {
        // Cancellation cannot reach the stop: it only asks, and the thread does the rest.
        await withTaskCancellationHandler {
            for await snapshot in loop.snapshots { await onSnapshot(snapshot) }
        } onCancel: {
            loop.requestStop()
        }
        loop.join()
    }

    /// Asks for the end; the stop follows on the loop's thread.
    public func requestStop() { loop.requestStop() }
}
