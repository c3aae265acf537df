internal import DockControl
internal import DockTypes
internal import Logging
internal import Processes

/// Passes the flight recorder's copies from the loop through the disk's queue to a file.
extension CompanionSession {
    /// Requests a trace of the last half minute.
    func askForTrace(_ ticket: Ticket) {
        guard traces.folder != nil else {
            let error = DockError(
                .notSupported, "there is no folder for traces",
                hint: "set XDG_STATE_HOME or HOME to a folder that you own")
            return send(.traced([ticket], .failure(error)))
        }
        switch traces.desk.withLock({ $0.ask(ticket) }) {
        case true?: loop.requestTrace()
        case false?: break
        case nil:
            let error = DockError(
                .busy, "\(TraceDesk.mostWaiting) requests for a trace are waiting", hint: "retry later")
            send(.traced([ticket], .failure(error)))
        }
    }

    /// Opens the trace file of the whole session, if the configuration names one.
    /// - Throws: `permission` or `cannotOpen`, as the system reports.
    func openTrace() throws(DockError) -> SessionTrace? {
        guard let path = configuration.storage.traceFile else { return nil }
        let trace = try SessionTrace(path: path, program: Self.version, limit: configuration.storage.traceLimit) {
            [log] in
            log.warning("\($0.message): \($0.hint)")
        }
        trace.begin()
        return trace
    }

    /// Receives a copy on the loop's thread and lets the keeper write it.
    func store(_ copy: TraceCopy) {
        let isAsked = copy.cause == "asked"
        guard let folder = traces.folder, isAsked || traces.desk.withLock({ $0.admits(now: copy.time) }) else { return }
        let profile = configuration.dock.profile
        let isTaken = keeper.run { [weak self] in
            let result: Answer
            do throws(DockError) {
                let value = try folder.write(copy, profile: profile, program: Self.version)
                result = .success(Outcome(Self.words(value), value))
            } catch {
                result = .failure(error)
            }
            self?.tell(result, isAsked: isAsked)
        }
        if !isTaken {
            tell(
                .failure(DockError(.busy, "too many changes wait for the disk", hint: "retry later")), isAsked: isAsked)
        }
    }

    private func tell(_ result: Answer, isAsked: Bool) {
        send(.traced(isAsked ? traces.desk.withLock { $0.answered() } : nil, result))
    }

    private static func words(_ value: Outcome.Value) -> String {
        guard case .trace(let path, let records, let duration) = value else { return "" }
        return "trace \(path): \(records) records, \((duration * 10).rounded() / 10) s"
    }
}
