internal import CPosix
internal import ControlProtocol
internal import DockClient
internal import DockControl
internal import DockTypes
internal import Glibc
internal import Logging
internal import PlainText
internal import Processes

/// The session's interface for programs: the control API, standard input, and listeners in this process.
extension CompanionSession {
    /// Opens the control socket.
    /// - Throws: `permission` if others can write to its folder: they could answer `dockface stop` in place of this
    ///   run. `portBusy` if another dockface has the named socket. If it has the default socket, this run continues
    ///   without one, because two docks on one machine are not an error.
    func openControlServer() throws(DockError) -> ControlServer? {
        audience.control.session = self
        let source = configuration.source ?? configuration.detections.name
        audience.answers.listen { [control = audience.control] answer in
            var answer = answer
            if answer.source.isEmpty { answer.source = source }
            control.tell(answer)
        }
        let path: String
        switch configuration.control {
        case .none: return nil
        case .socket(let named): path = named
        case .usual: path = ControlClient.path
        }
        do throws(DockError) {
            let server = try ControlServer(
                path: path, group: configuration.controlGroup, version: Self.version, backend: audience.control,
                onLog: { [weak self] in self?.log.warning("\($0)") })
            audience.control.server = server
            server.start()
            return server
        } catch {
            // A socket for a group was requested, and without it the group could not reach this run.
            guard configuration.control == .usual, configuration.controlGroup == nil, error.code != .permission else {
                throw error
            }
            log.warning("\(error.message): `dockface` commands from other shells do not reach this run; \(error.hint)")
            return nil
        }
    }

    /// Starts the programs beside the daemon.
    func startExtensions(at path: String?) {
        guard let extensions = configuration.extensions else { return }
        guard let path else {
            return log.warning("no control socket, so nothing that --with names is started")
        }
        extensions.start(
            socket: path,
            listener: .init(
                onChange: { [weak self] readings in self?.handle { .extensions(readings) } },
                onLog: { [weak self] text, isWarning in
                    let text = ForeignText.line(text, longest: LineLog.longest)
                    if isWarning { self?.log.warning("\(text)") } else { self?.log.info("\(text)") }
                }))
    }

    /// Executes a call on standard input. The answer goes to standard output.
    func carryOutCall(_ line: String, isOvertaken: Bool = false) {
        audience.control.session = self
        audience.control.lines(version: Self.version).handle(line.utf8, isOvertaken: isOvertaken)
    }

    /// Executes the stops of a call whose turn has not come yet.
    func carryOutStops(_ line: String) {
        audience.control.session = self
        audience.control.lines(version: Self.version).handleStops(line.utf8)
    }

    func publish(_ update: SessionUpdate) {
        audience.control.tell(update)
        // Listeners in this process have the usual rate.
        if case .frame = update { return }
        audience.hub.tell(update)
    }

    /// Listens to topics. The newest states are sent at once. Returns the listener's number, or nil if the session has
    /// ended.
    func listen(
        to topics: Set<Topic>, onUpdate: @escaping @Sendable (SessionUpdate) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) -> Int? {
        let number = audience.hub.add(topics, onUpdate: onUpdate, onEnd: onEnd)
        audienceChanged()
        let status = self.status
        for topic in Topic.allCases where topics.contains(topic) && topic.isState { onUpdate(.state(topic, status)) }
        return number
    }

    func stopListening(_ number: Int) {
        audience.hub.remove(number)
        audienceChanged()
    }

    /// The entire known state of the session.
    var status: SessionStatus {
        let now = cposix_monotonic_now()
        return state.withLock { $0.status(now: now) }
    }

    /// What the distances of the detectors' answers follow from.
    var sight: AnswerSight {
        AnswerSight(frame: state.withLock { $0.tracking.frame }, profile: configuration.dock.profile)
    }

    /// The program that holds the lease, or nil if none does.
    var leaseHolder: Int? { state.withLock { $0.arbiter.lease?.client } }

    /// Reports the topics that have an audience. The set is built under the state's lock, so that the later of two
    /// simultaneous changes prevails.
    func audienceChanged() {
        handle {
            var all = audience.control.audience
            all.topics.formUnion(audience.hub.audience)
            return .audience(all)
        }
    }

    /// The version of this program.
    public static var version: String { ProgramVersion.current }
}
