public import ControlProtocol
public import DockClient
internal import DockTypes
internal import Geometry
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
    private let pulse = Mutex(WorkPulse())
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

    /// Connects to the daemon, and waits until there is one.
    /// - Parameter reconnects: whether a lost connection is made again by itself. Without it, all sequences of the dock
    ///   end with the connection, after everything that had arrived.
    /// - Throws: `permission`, `protocolError` and other errors that waiting does not solve; `CancellationError`.
    public func connect(reconnects: Bool = true) async throws -> Dock {
        var search = DaemonSearch(path: control ?? ControlClient.path)
        while true {
            try Task.checkCancellation()
            // Nothing else can be done without a daemon.
            pulse.withLock { $0.excuse(now: SystemTime.monotonic) }
            do throws(DockError) {
                let dock = try await Dock.connect(path: control, reconnects: reconnects)
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

    /// A sign of life of the work: its main loop calls this every few seconds. From the first call on, an extension that
    /// gives none for ten seconds counts as hung: it is no longer reported, and then ended and started again by the
    /// daemon that runs it, or by systemd.
    public func beat() { beat(at: SystemTime.monotonic) }

    func beat(at moment: Seconds) { pulse.withLock { $0.beat(now: moment) } }

    /// Whether the work goes on. What has changed is written to the log.
    func isAtWork(now: Seconds) -> Bool {
        let (isAlive, change) = pulse.withLock { pulse in
            let change = pulse.check(now: now)
            return (pulse.isAlive, change)
        }
        switch change {
        case .stopped:
            // The work may hang because the reader of standard error does.
            guard TextOutput.hasRoom(2) else { break }
            log.error("the work hangs: it gave no sign of life for \(Int(ExtensionTimes.work)) s")
        case .resumed: log.warning("the work continues")
        case nil: break
        }
        return isAlive
    }

    /// What to report now.
    var state: State { shared.withLock { $0 } }

    /// Asks for a report, because the last one is getting old.
    func remind() { ring.yield() }
}
