internal import Dispatch
internal import Geometry
internal import Glibc
internal import Synchronization

/// The signals that end a program: TERM, INT and HUP.
///
/// They are handled on a queue of their own, so that a program whose tasks all hang still ends.
final class ProgramSignals: @unchecked Sendable {
    // Unchecked: only work on the queue uses the sources.
    private var sources: [any DispatchSourceSignal] = []
    private let request = Mutex(StopRequest())
    private let queue = DispatchQueue(label: "signals")
    private let log: ExtensionLog

    init(log: ExtensionLog) { self.log = log }

    /// The signal that arrived first, or nil if none has.
    var first: Int32? { request.withLock { $0.first } }

    /// Starts handling signals; `cancel` is called once, at the first.
    func start(_ cancel: @escaping @Sendable () -> Void) {
        // A reader that is gone is an error of that write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
        let ready = DispatchGroup()
        queue.sync { watch(cancel, ready) }
        // A source is registered later, on another thread. Until then its signal is ignored, and would be lost. The
        // limit is for a system without room for another source.
        _ = ready.wait(timeout: .now() + 5)
    }

    private func watch(_ cancel: @escaping @Sendable () -> Void, _ ready: DispatchGroup) {
        for number in [SIGTERM, SIGINT, SIGHUP] where number == SIGTERM || !Self.isIgnored(number) {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [weak self] in self?.received(number, cancel) }
            ready.enter()
            source.setRegistrationHandler { ready.leave() }
            source.resume()
            sources.append(source)
        }
    }

    /// Stops handling signals.
    func end() {
        queue.sync {
            for source in sources { source.cancel() }
            sources = []
        }
    }

    private func received(_ number: Int32, _ cancel: @escaping @Sendable () -> Void) {
        switch request.withLock({ $0.received(number, now: SystemTime.monotonic) }) {
        case .none: break
        case .endNow(let status): _exit(status)
        case .cancel:
            // Held strongly: the process must end even if all else is gone, or if the cancellation itself hangs.
            queue.asyncAfter(deadline: .now() + StopRequest.grace) { [self] in overdue() }
            DispatchQueue.global().async { cancel() }
        }
    }

    private func overdue() {
        guard !sources.isEmpty else { return }
        // The work may hang because the reader of standard error does.
        if TextOutput.hasRoom(2) { log.error("the work did not end within \(Int(StopRequest.grace)) s") }
        _exit(request.withLock { $0.overdueStatus })
    }

    /// Whether the program was started with the signal ignored, as by `nohup`, or in the background of a script.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
