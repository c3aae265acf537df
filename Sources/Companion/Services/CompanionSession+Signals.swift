internal import Glibc
internal import UnixSignals

/// The signals that end a session or reload its settings.
extension CompanionSession {
    /// Traps TERM, INT and QUIT. From here on they end the session, and do not end the process directly.
    ///
    /// They remain trapped until the program executes itself again, even while everything is already ending. The task
    /// deliberately outlives the session.
    /// - Returns: HUP signals that request a reload, or nil if HUP ends the session like TERM, because a person uses
    ///   the terminal that hung up, or because there are no settings to read.
    func trapSignals() async -> UnixSignalsSequence? {
        guard configuration.host.ownsProcess else { return nil }
        let isForReload = configuration.host.reload != nil && !terminal.hasFace && isatty(0) == 0
        let ends = await UnixSignalsSequence(trapping: [.sigterm, .sigint, .sigquit] + (isForReload ? [] : [.sighup]))
        Task { [weak self, onEndSignal = configuration.host.onEndSignal] in
            for await _ in ends {
                self?.end(.over)
                onEndSignal?()
            }
        }
        return isForReload ? await UnixSignalsSequence(trapping: .sighup) : nil
    }
}
