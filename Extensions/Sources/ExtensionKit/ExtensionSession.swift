public import ControlProtocol
public import DockClient
internal import DockTypes
internal import Synchronization

/// A running extension, as its work sees it: the daemon, the log, and what the daemon shows of it. It may be used from
/// any task.
public final class ExtensionSession: Sendable {
    /// Its name and version.
    public let identity: ExtensionIdentity
    /// Its log.
    public let log: ExtensionLog

    struct State: Sendable, Equatable {
        var state = ExtensionState.starting
        var text = ""
        /// The socket of the daemon that was found.
        var path: String?
    }

    private let control: String?
    private let shared = Mutex(State())
    /// One entry for each report to make. A report covers all changes before it.
    let reports: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// Creates a session with these options.
    convenience init(_ identity: ExtensionIdentity, _ options: ExtensionOptions, log: ExtensionLog) {
        self.init(identity, control: options.control, log: log)
    }

    /// Creates a session. `control`: the daemon's socket, or nil for the usual one.
    init(_ identity: ExtensionIdentity, control: String?, log: ExtensionLog) {
        (self.identity, self.control, self.log) = (identity, control, log)
        (reports, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Connects to the daemon, and waits until there is one. The connection is made again by itself when it is lost.
    /// - Throws: `permission`, `protocolError` and other errors that waiting does not solve; `CancellationError`.
    public func connect() async throws -> Dock {
        var search = DaemonSearch(path: control ?? ControlClient.path)
        while true {
            try Task.checkCancellation()
            do throws(DockError) {
                let dock = try await Dock.connect(path: control)
                shared.withLock { $0.path = dock.path }
                ring.yield()
                return dock
            } catch {
                switch search.failed(error) {
                case .giveUp(let error): throw error
                case .wait(let delay, let text):
                    if let text { log.note(text) }
                    try await Task.sleep(for: .seconds(delay))
                }
            }
        }
    }

    /// Sets what the daemon shows of this extension: in `status`, on the screen and in `doctor`. It is repeated by
    /// itself.
    /// - Parameter text: the reason for the state, at most 80 bytes; a longer one is cut.
    public func report(_ state: ExtensionState, _ text: String = "") {
        let isNew = shared.withLock { shared in
            guard (shared.state, shared.text) != (state, text) else { return false }
            (shared.state, shared.text) = (state, text)
            return true
        }
        if isNew { ring.yield() }
    }

    /// What to report now.
    var state: State { shared.withLock { $0 } }

    /// Asks for a report, because the last one is getting old.
    func remind() { ring.yield() }
}
