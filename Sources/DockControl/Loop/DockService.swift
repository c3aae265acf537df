/// A running loop as a service of a group: it lives until shutdown is asked for, and ends by the stop.
///
/// It has `ServiceLifecycle.Service`'s one method without importing it; the session adopts the protocol for it.
public struct DockService: Sendable {
    private let loop: DockLoop

    /// For a loop that was started.
    public init(loop: DockLoop) { self.loop = loop }

    /// Runs until the loop ends; the thread has written the stop when it returns.
    public func run() async {
        // Cancellation cannot reach the stop: it only asks, and the thread does the rest.
        await withTaskCancellationHandler {
            for await _ in loop.snapshots {}
        } onCancel: {
            loop.requestStop()
        }
        loop.join()
    }

    /// Asks for the end; the stop follows on the loop's thread.
    public func requestStop() { loop.requestStop() }
}
