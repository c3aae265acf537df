internal import DockControl
internal import Logging

/// The flight recorder's way out: from the loop, through the disk's queue, to a file.
extension CompanionSession {
    /// Somebody wants the last half minute.
    func askForTrace(_ ticket: Ticket) {
        guard traceFolder != nil else {
            let error = DockError(
                .notSupported, "there is no folder for traces", hint: "set XDG_STATE_HOME or HOME to a folder of yours")
            return send(.traced([ticket], .failure(error)))
        }
        switch traces.withLock({ $0.ask(ticket) }) {
        case true?: loop.requestTrace()
        case false?: break
        case nil:
            let error = DockError(.busy, "\(TraceDesk.mostWaiting) traces are asked for", hint: "slow down")
            send(.traced([ticket], .failure(error)))
        }
    }

    /// The file of the whole session, where one is wanted.
    /// - Throws: `permission`, `cannotOpen`: what the system says.
    func openTrace() throws(DockError) -> SessionTrace? {
        guard let path = configuration.traceFile else { return nil }
        let trace = try SessionTrace(path: path, program: Self.version, limit: configuration.traceLimit) { [log] in
            log.warning("\($0.message): \($0.hint)")
        }
        trace.begin()
        return trace
    }

    /// A copy came from the loop, on its thread: it is written elsewhere.
    func take(_ copy: TraceCopy) {
        let isAsked = copy.cause == "asked"
        guard let folder = traceFolder, isAsked || traces.withLock({ $0.admits(now: copy.time) }) else { return }
        let profile = configuration.profile
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
        if !isTaken { tell(.failure(DockError(.busy, "the disk is behind", hint: "ask again")), isAsked: isAsked) }
    }

    private func tell(_ result: Answer, isAsked: Bool) {
        send(.traced(isAsked ? traces.withLock { $0.answered() } : nil, result))
    }

    private static func words(_ value: Outcome.Value) -> String {
        guard case .trace(let path, let records, let duration) = value else { return "" }
        return "trace \(path): \(records) records, \((duration * 10).rounded() / 10) s"
    }
}
