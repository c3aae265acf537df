internal import CPosix
internal import Camera
internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Processes

/// Connects the control API to the session: it passes calls in and events out.
final class ControlBridge: ControlBackend {
    private struct State {
        weak var session: CompanionSession?
        var server: ControlServer?
        var lines: ControlLineSession?
        var audience: TopicInterest = []
        var watched: Set<Topic> = []
        var recent: [Topic: [JSONValue]] = [:]
    }

    private let state = Locked(State())

    /// The number of log lines and events that a new subscriber receives.
    static let remembered = 32
    /// The client number of standard input.
    static let standardInput = -1

    var session: CompanionSession? {
        get { state.withLock { $0.session } }
        set { state.withLock { $0.session = newValue } }
    }

    var server: ControlServer? {
        get { state.withLock { $0.server } }
        set { state.withLock { $0.server = newValue } }
    }

    /// What programs at the socket subscribe to.
    var audience: TopicInterest { state.withLock { $0.audience } }

    /// Returns the session for calls on standard input.
    func lines(version: String) -> ControlLineSession {
        state.withLock { state in
            if let lines = state.lines { return lines }
            let lines = ControlLineSession(client: Self.standardInput, version: version, backend: self) {
                LineOutput.answers.put($0)
            }
            state.lines = lines
            return lines
        }
    }

    // MARK: calls

    func perform(_ call: ControlCall, client: Int, reply: @escaping @Sendable (ControlReply) -> Void) {
        guard let session else {
            reply(.answer(.failure(DockError(.notConnected, "dockface is ending", hint: "start it again"))))
            return
        }
        switch call {
        case .command(let command): session.call(command, from: .client(client)) { reply(.answer($0)) }
        // A person's rank, but the motion belongs to the program: it ends with its lease.
        case .words(let line): session.call(words: line, of: ProgramID(client)) { reply(.words($0)) }
        case .guestWords(let line):
            session.call(words: line, from: .client(client)) { reply(.words($0.mapError(Self.forGuest))) }
        case .subscribe, .unsubscribe: break
        case .openPictures(let request):
            guard let vision = session.configuration.vision else { return reply(.pictures(.failure(.noCamera))) }
            vision.openPictures(request, reader: client) { reply(.pictures($0)) }
        case .closePictures:
            session.configuration.vision?.outlets.close(reader: client)
            reply(.done)
        }
    }

    /// Converts a refusal into an explanation that is useful to a user who is not the daemon's owner.
    static func forGuest(_ error: DockError) -> DockError {
        guard error.code == .busy else { return error }
        return DockError(
            error.code, error.message,
            hint:
                "\(error.hint); over a shared socket your words rank as a program's: only the daemon's user or root "
                + "ranks as a person (sudo dockface ...)")
    }

    func snapshot(of topic: Topic) -> JSONValue {
        guard topic.isState else { return EventEncoder.recent(state.withLock { $0.recent[topic] ?? [] }) }
        guard let session else { return .null }
        return TopicEncoder.data(of: topic, session.status, now: cposix_monotonic_now())
    }

    func renewLease(of client: Int) { session?.send(.clientHeard(client: client)) }

    var leaseHolder: Int? { session?.leaseHolder }

    func disconnected(client: Int) {
        session?.configuration.vision?.outlets.close(reader: client)
        session?.send(.clientClosed(client: client))
    }

    func audienceChanged(_ interest: TopicInterest) {
        state.withLock { $0.audience = interest }
        session?.audienceChanged()
        hearDetectors()
    }

    /// Asks for the answers of detectors if a program or the terminal wants them.
    private func hearDetectors() {
        // Set under the lock, so that the later of two changes prevails. The session must not end in there.
        let session = state.withLock { state in
            let session = state.session
            session?.audience.answers.isWanted =
                state.audience.topics.contains(.detections) || state.watched.contains(.detections)
            return session
        }
        withExtendedLifetime(session) {}
    }

    // MARK: events

    /// Reports these topics on standard output from now on.
    func watch(_ topics: Set<Topic>) {
        state.withLock { $0.watched = topics }
        hearDetectors()
    }

    /// Passes on an answer of a detector. It is encoded on the server's thread.
    func tell(_ answer: DetectorAnswer) {
        let (server, isWatched) = state.withLock { ($0.server, $0.watched.contains(.detections)) }
        server?.encode(.detections) { [self] in json(of: answer) }
        guard isWatched else { return }
        let line = JSONValue.object(["topic": .string(Topic.detections.rawValue), "data": json(of: answer)])
        LineOutput.answers.put(String(decoding: line.bytes, as: UTF8.self))
    }

    /// Encodes an answer with the distances of its faces. After the session's end, without those.
    private func json(of answer: DetectorAnswer) -> JSONValue {
        guard let session else { return AnswerEncoder.json(answer) { _, _ in nil } }
        let sight = session.sight
        return AnswerEncoder.json(answer, distance: sight.distance)
    }

    func tell(_ update: SessionUpdate) {
        let topic = update.topic, now = cposix_monotonic_now()
        let (server, isWatched) = state.withLock { ($0.server, $0.watched.contains(topic)) }
        switch update {
        // States are encoded on the server's thread, and only those that are sent: this may be the loop's thread.
        case .frame(let status):
            server?.encode(topic, isExtra: true) { TopicEncoder.data(of: topic, status, now: now) }
            return
        case .state(_, let status) where !isWatched:
            server?.encode(topic) { TopicEncoder.data(of: topic, status, now: now) }
            return
        case .state, .notice, .cue, .log: break
        }
        let data = Self.json(update)
        if topic.isRemembered { remember(data, topic) }
        server?.publish(topic, data)
        if isWatched {
            let line = JSONValue.object(["topic": .string(topic.rawValue), "data": data])
            LineOutput.answers.put(String(decoding: line.bytes, as: UTF8.self))
        }
    }

    private func remember(_ data: JSONValue, _ topic: Topic) {
        state.withLock { state in
            var recent = state.recent[topic] ?? []
            if recent.count >= Self.remembered { recent.removeFirst() }
            recent.append(data)
            state.recent[topic] = recent
        }
    }

    private static func json(_ update: SessionUpdate) -> JSONValue {
        switch update {
        case .frame(let status): TopicEncoder.data(of: .tracking, status, now: cposix_monotonic_now())
        case .state(let topic, let status): TopicEncoder.data(of: topic, status, now: cposix_monotonic_now())
        case .log(let level, let text): EventEncoder.line(level, text)
        case .notice(.button(let id, let pressed)): EventEncoder.event(.button(id: id, pressed: pressed))
        case .notice(.cameraShutter): EventEncoder.event(.cameraShutter)
        case .notice(.cameraFlip): EventEncoder.event(.cameraFlip)
        case .notice(.cameraZoom(let factor)):
            .object(["event": .string("cameraZoom"), "factor": .number(factor)])
        case .notice(.trackingButton(let enabled)):
            .object(["event": .string("trackingButton"), "enabled": .bool(enabled)])
        case .notice(.camera(let camera)): EventEncoder.event(camera)
        case .notice(.recording(let isWanted)):
            .object(["event": .string("recording"), "wanted": .bool(isWanted)])
        case .notice(.near(let isNear)): .object(["event": .string("near"), "near": .bool(isNear)])
        case .cue(let cue): EventEncoder.event(cue)
        }
    }
}
