internal import DockControl
internal import Logging
internal import Processes

/// Reloading of settings: changes that apply while the session runs, and changes that end it for a restart.
extension CompanionSession {
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
            // The dock stops before any changed setting takes effect.
            log.notice(
                "settings read again: \(keys.joined(separator: ", ")) changed: the dock stops, and dockface restarts"
            )
            end(.restart)
        }
    }
}
