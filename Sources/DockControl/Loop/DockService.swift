/// A running loop as a service of a group. It runs until a shutdown is requested, and ends with the stop.
///
/// It has the one method of `ServiceLifecycle.Service` without importing that module; the session adds the conformance.
public struct DockService: Sendable {
    private let loop: DockLoop

    /// Creates a service for a loop that was started.
    public init(loop: DockLoop) { self.loop = loop }

    /// Runs until the loop ends. The thread has written the stop when this returns.
    public func run() async {
        // Cancellation cannot interrupt the stop: it only requests the end, and the thread does the rest.
        await withTaskCancellationHandler {
            for await _ in loop.snapshots {}
        } onCancel: {
            loop.requestStop()
        }
        loop.join()
    }

    /// Requests the end; the stop follows on the loop's thread.
    public func requestStop() { loop.requestStop() }
}
