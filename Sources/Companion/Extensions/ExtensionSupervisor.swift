internal import ControlProtocol
internal import Processes

/// Runs extensions for a daemon in a terminal (`dockface run --with`): starts them, starts them again when they end or
/// hang, and ends them with the daemon. Under a service manager they have their own units instead.
public final class ExtensionSupervisor: Sendable {
    /// Receives what happens, on the host's thread.
    struct Listener: Sendable {
        /// The state of all extensions.
        var onChange: @Sendable ([ExtensionReading]) -> Void
        /// A line for the log, and whether it is a warning.
        var onLog: @Sendable (String, Bool) -> Void
    }

    /// The extensions, in the order in which they were named.
    public let extensions: [InstalledExtension]
    private let thread: PollThread
    private let inbox = Locked(ExtensionInbox())

    /// Prepares extensions, without starting them. The result is nil if the system has no descriptors left.
    public init?(_ extensions: [InstalledExtension]) {
        guard let thread = PollThread(name: "extensions") else { return nil }
        (self.extensions, self.thread) = (extensions, thread)
    }

    /// Starts them. `socket`: the daemon's.
    func start(socket: String, listener: Listener) {
        let children = extensions.enumerated().map { index, installed in
            ExtensionChild(installed, socket: socket, seed: UInt64(index + 1))
        }
        thread.start { [inbox] in ExtensionWork(children, inbox: inbox, listener: listener) }
    }

    /// Ends them, and waits for that: `ExtensionTimes.kill` at most, and half a second more for those that are killed.
    func stop() { thread.stop() }

    /// Records what the session has learnt about a program. News of programs that are no children are ignored.
    func note(_ news: ExtensionNews) { if inbox.withLock({ $0.add(news) }) { thread.wake() } }
}
