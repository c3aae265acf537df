internal import DockControl
internal import Glibc
internal import Logging
internal import UnixSignals

/// Reloading of settings: changes that apply while the session runs, and changes that end it for a restart.
extension CompanionSession {
    /// Traps TERM, INT and QUIT: from here on they end the session, and do not end the process directly.
    ///
    /// They stay trapped until the program executes itself again, even while everything is ending already: the task outlives
    /// the session on purpose.
    /// - Returns: HUP signals that request a reload; nil if HUP ends the session like TERM, because a person uses the terminal
    ///   that hung up, or because there are no settings to read.
    func trapSignals() async -> UnixSignalsSequence? {
        guard configuration.host.ownsProcess else { return nil }
        let isForReload = configuration.host.reload != nil && !hasFace && isatty(0) == 0
        let ends = await UnixSignalsSequence(trapping: [.sigterm, .sigint, .sigquit] + (isForReload ? [] : [.sighup]))
        Task { [weak self, onEndSignal = configuration.host.onEndSignal] in
            for await _ in ends {
                self?.end(.over)
                onEndSignal?()
            }
        }
        return isForReload ? await UnixSignalsSequence(trapping: .sighup) : nil
    }

    /// Applies limits, speed, framing and face as if a user had typed them first.
    func begin(with tuning: Tuning) { apply(tuning, after: nil) }

    private func apply(_ tuning: Tuning, after before: Tuning?) {
        if configuration.host.ownsProcess { LineLog.tell(from: tuning.logLevel.level) }
        tuned.withLock { $0 = tuning }
        for command in tuning.commands(after: before) {
            call(command, from: .words) { [log] answer in
                if case .failure(let error) = answer { log.warning("settings: \(error.message): \(error.hint)") }
            }
        }
    }

    /// Reads the settings again and applies them; invalid settings change nothing.
    func reload() {
        guard let read = configuration.host.reload else { return }
        service.manager?.reloading()
        switch read() {
        case .refused(let why):
            for line in why.split(separator: "\n") {
                log.error("invalid settings, the old ones stay: \(line)")
            }
            service.manager?.ready()
        case .unchanged:
            log.notice("settings read again: nothing has changed")
            service.manager?.ready()
        case .tuned(let tuning):
            log.notice("settings read again")
            apply(tuning, after: tuned.withLock { $0 })
            service.manager?.ready()
        case .restart(let keys):
            // The dock stops before any changed setting applies.
            log.notice(
                "settings read again: \(keys.joined(separator: ", ")) changed: the dock stops, and dockface restarts"
            )
            end(.restart)
        }
    }
}
