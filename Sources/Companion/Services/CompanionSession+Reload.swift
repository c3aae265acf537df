internal import DockControl
internal import Glibc
internal import Logging
internal import UnixSignals

/// Settings that are read again: what they can change while the dock goes on, and what ends the session for a new one.
extension CompanionSession {
    /// From here on TERM, INT and QUIT end the session, and do not end the process under it.
    ///
    /// They count until the program begins anew, also those that nobody waits for because all ends already: the task outlives the
    /// session on purpose.
    /// - Returns: what HUP asks for; nil where it is an end like TERM, because somebody sits at the terminal that hung up, or
    ///   because there is nothing to read.
    func trapSignals() async -> UnixSignalsSequence? {
        guard configuration.ownsProcess else { return nil }
        let isForReload = configuration.reload != nil && !hasFace && isatty(0) == 0
        let ends = await UnixSignalsSequence(trapping: [.sigterm, .sigint, .sigquit] + (isForReload ? [] : [.sighup]))
        Task { [weak self, onEndSignal = configuration.onEndSignal] in
            for await _ in ends {
                self?.end(.over)
                onEndSignal?()
            }
        }
        return isForReload ? await UnixSignalsSequence(trapping: .sighup) : nil
    }

    /// Limits, speed, framing, face: as somebody would type them first.
    func begin(with tuning: Tuning) { apply(tuning, after: nil) }

    private func apply(_ tuning: Tuning, after before: Tuning?) {
        if configuration.ownsProcess { LineLog.tell(from: tuning.logLevel.level) }
        tuned.withLock { $0 = tuning }
        for command in tuning.commands(after: before) {
            call(command, from: .words) { [log] answer in
                if case .failure(let error) = answer { log.warning("settings: \(error.message): \(error.hint)") }
            }
        }
    }

    /// Reads the settings again and makes them so; wrong ones change nothing.
    func reload() {
        guard let read = configuration.reload else { return }
        services?.reloading()
        switch read() {
        case .refused(let why):
            for line in why.split(separator: "\n") { log.error("settings are wrong, the old ones stay: \(line)") }
            services?.ready()
        case .unchanged:
            log.notice("settings read again: nothing has changed")
            services?.ready()
        case .tuned(let tuning):
            log.notice("settings read again")
            apply(tuning, after: tuned.withLock { $0 })
            services?.ready()
        case .anew(let keys):
            // The dock stands still before anything of it holds.
            log.notice(
                "settings read again: \(keys.joined(separator: ", ")) changed: the dock is stopped, and all begins anew"
            )
            end(.anew)
        }
    }
}
