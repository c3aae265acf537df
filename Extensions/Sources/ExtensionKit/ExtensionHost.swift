internal import DockTypes

/// Runs the work of an extension: it reports to the daemon, ends at a signal, and has the right exit status.
///
/// ```swift
/// let host = ExtensionHost(ExtensionIdentity(name: "log", version: "0.2.0"), options)
/// let ending = await host.run { session in
///     let dock = try await session.connect()
///     session.report(.ready)
///     for await update in try dock.updates(.events) { print(update.value) }
/// }
/// ```
public struct ExtensionHost: Sendable {
    private let identity: ExtensionIdentity
    private let options: ExtensionOptions
    private let log: ExtensionLog

    /// Creates a host; its lines go to standard error.
    public init(_ identity: ExtensionIdentity, _ options: ExtensionOptions = ExtensionOptions()) {
        (self.identity, self.options, log) = (identity, options, ExtensionLog(identity.name))
    }

    /// Runs the work until it ends. TERM, INT and HUP cancel its task. It then has 5 s to end; after that, the process
    /// ends by itself. An error is written to the log.
    public func run(_ body: @escaping @Sendable (ExtensionSession) async throws -> Void) async -> ExtensionEnding {
        let session = ExtensionSession(identity, options, log: log)
        let signals = ProgramSignals(log: log)
        let (begin, go) = AsyncStream<Void>.makeStream()
        let work = Task {
            for await _ in begin { break }
            try await body(session)
        }
        // Signals first: one that arrives at the very beginning is an orderly end, too.
        signals.start { work.cancel() }
        go.yield()
        let service = ServiceNotice()
        let reporter = Task { await ExtensionReporter(session: session, service: service).run() }
        let result = await work.result
        reporter.cancel()
        let ending = ExtensionEnding(result, signal: signals.first)
        if let complaint = ending.complaint { log.error(complaint) }
        // The reporter may wait for a daemon that hangs. The signals still limit that.
        await reporter.value
        signals.end()
        return ending
    }
}
