public import AllSpark
internal import DockTypes
internal import Geometry
internal import Glibc
public import Networking

/// The conversation with one server: the machine decides, and this actor connects, reads and sends.
///
/// The machine asks for one connection, one message and one file at a time, so no more than a few jobs ever wait.
public actor ServerConversation {
    private let server: ChosenServer
    private let desk: any UploadDesk
    private let locate: @Sendable () async -> ServerPlace?
    private let options: WebSocketOptions
    private var machine: AllSparkMachine
    private var connection: WebSocketConnection?
    /// The attempt to connect, and then the connection.
    private var attempt: Task<Void, Never>?
    private var alarm: (at: Seconds, task: Task<Void, Never>)?
    private var files: [FileNeed: FileSource] = [:]
    private var wasIdle = true
    private let jobs: AsyncStream<@Sendable () async -> Void>
    private nonisolated let put: AsyncStream<@Sendable () async -> Void>.Continuation

    /// Prepares a conversation. Nothing is connected yet.
    /// - Parameters:
    ///   - terms: what the owner allows.
    ///   - naming: how files are named on the server.
    ///   - locate: finds the server on the local network, if it was chosen there; nil if it cannot.
    public init(
        _ server: ChosenServer, terms: OwnerTerms, naming: UploadName, desk: any UploadDesk,
        options: WebSocketOptions = WebSocketOptions(),
        locate: @escaping @Sendable () async -> ServerPlace? = { nil }
    ) {
        (self.server, self.desk, self.locate, self.options) = (server, desk, locate, options)
        machine = AllSparkMachine(server: server.facts, terms: terms, naming: naming)
        (jobs, put) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64))
    }

    /// Holds the conversation until the task is cancelled. The connection has ended when it returns.
    public func run() async {
        handle(.start)
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await job() } }
            group.cancelAll()
        }
        alarm?.task.cancel()
        attempt?.cancel()
        await attempt?.value
        desk.note(.state(.off, LinkState.off.text(server.name)))
    }

    /// The recorder has finished a chunk.
    public nonisolated func recorded(_ chunk: ChunkReference) { put.yield { await self.handle(.recorded(chunk)) } }

    /// Uploads the chunks of a time, because the owner wants that.
    public nonisolated func upload(_ range: TimeRange) { put.yield { await self.handle(.upload(range)) } }

    // MARK: the machine

    private var now: AllSparkMachine.Moment {
        AllSparkMachine.Moment(monotonic: Clock.read(CLOCK_MONOTONIC), unix: Clock.read(CLOCK_REALTIME))
    }

    private func handle(_ event: AllSparkMachine.Event) { perform(machine.handle(event, at: now)) }

    private func perform(_ actions: [AllSparkMachine.Action]) {
        for action in actions {
            guard carryOut(action) else { break }
        }
        if machine.isIdle != wasIdle {
            wasIdle = machine.isIdle
            desk.note(.idle(wasIdle))
        }
        setAlarm()
    }

    /// Returns whether the actions after this one may be carried out.
    private func carryOut(_ action: AllSparkMachine.Action) -> Bool {
        switch action {
        case .connect: connect()
        case .disconnect(let reason): disconnect(reason)
        case .send(let bytes): send { try await $0.send(text: bytes) }
        case .sendFile(let need, _): send(need)
        case .find(let request): find(request)
        case .prepare(let need): prepare(need)
        case .release(let need):
            files[need] = nil
            desk.close(need)
        case .uploaded(let chunk): desk.note(.uploaded(chunk: chunk))
        case .configure(let config): desk.note(.configured(config))
        case .startRecording(let request): desk.note(.recordingRequested(request))
        case .show(let state): desk.note(.state(state, state.text(server.name)))
        case .log(let text, let isWarning): desk.note(.log(text, isWarning: isWarning))
        case .audit(let record): return keep(record)
        }
        return true
    }

    /// What cannot be written down must not leave the machine: the connection ends, and is tried again later.
    private func keep(_ record: AuditRecord) -> Bool {
        do throws(DockError) {
            try desk.keep(record)
            return true
        } catch {
            desk.note(.log("nothing is uploaded: \(error.message); \(error.hint)", isWarning: true))
            attempt?.cancel()
            return false
        }
    }

    private func setAlarm() {
        guard machine.deadline != alarm?.at else { return }
        alarm?.task.cancel()
        alarm = nil
        guard let deadline = machine.deadline else { return }
        let wait = max(0.001, deadline - now.monotonic)
        let task = Task {
            guard (try? await Task.sleep(for: .seconds(wait))) != nil else { return }
            tick()
        }
        alarm = (deadline, task)
    }

    private func tick() {
        alarm = nil
        perform(machine.tick(at: now))
    }

    // MARK: the connection

    private func connect() {
        let before = attempt
        attempt = Task {
            await before?.value
            await talk()
        }
    }

    private func disconnect(_ reason: String) {
        guard let connection else {
            attempt?.cancel()
            return
        }
        put.yield { await connection.close(reason: reason) }
    }

    private func talk() async {
        do {
            let plan = try await server.plan(at: locate())
            let health = try await Self.health(plan, limit: options.handshakeLimit)
            let client = WebSocketClient(plan, options: options)
            let ending = try await client.withConnection { connection in
                await self.opened(connection, plan, health)
                for await event in connection.events { await self.arrived(event) }
                // Otherwise it would look as if the server had ended it.
                try Task.checkCancellation()
                return connection.ending
            }
            ended(code: ending.code, ending.failure.message)
        } catch let failure as TransportFailure {
            refused(failure.message)
        } catch let error as DockError {
            refused(error.message)
        } catch {
            refused("the connection was given up here")
        }
    }

    /// Asks the server how it is. A server without that page may still be the right one.
    private static func health(_ plan: TransportPlan, limit: Double) async throws -> ServerHealth? {
        do {
            return ServerHealth(try await HTTPFetch(plan, limit: limit).body(of: AllSparkServer.healthPath))
        } catch let failure as TransportFailure {
            if case .notWebSocket = failure.kind { return nil }
            throw failure
        }
    }

    private func opened(_ connection: WebSocketConnection, _ plan: TransportPlan, _ health: ServerHealth?) {
        self.connection = connection
        handle(
            .opened(
                PeerFacts(
                    isEncrypted: plan.isEncrypted, certificate: connection.certificate?.fingerprint, health: health,
                    medium: connection.localHost.flatMap(LinkMedium.of))))
    }

    private func arrived(_ event: WebSocketEvent) {
        switch event {
        case .text(let bytes): handle(.received(bytes))
        case .sent: handle(.written)
        // No message of the protocol is binary.
        case .binary: break
        }
    }

    private func ended(code: Int?, _ reason: String) {
        connection = nil
        handle(.ended(code: code, reason: reason))
    }

    private func refused(_ reason: String) {
        guard connection == nil else { return ended(code: nil, reason) }
        handle(.refused(reason))
    }

    // MARK: messages and files

    /// A message that cannot be sent ends the connection, which is reported by its events.
    private func send(_ work: @escaping @Sendable (WebSocketConnection) async throws -> Void) {
        guard let connection else { return }
        put.yield { try? await work(connection) }
    }

    private func send(_ need: FileNeed) {
        guard let file = files[need] else {
            attempt?.cancel()
            return
        }
        let desk = desk
        send { connection in
            try await connection.send(file: file) { desk.note(.progress(need, sent: $0, of: file.size)) }
        }
    }

    private func find(_ request: FindRequest) {
        put.yield {
            let (chunks, isComplete) = await self.desk.chunks(in: request.range, limit: request.limit)
            await self.handle(.found(request.number, chunks, isComplete: isComplete))
        }
    }

    private func prepare(_ need: FileNeed) {
        put.yield { await self.opened(need) }
    }

    private func opened(_ need: FileNeed) async {
        do throws(DockError) {
            let file = try await desk.open(need)
            files[need] = file
            handle(.prepared(need, bytes: file.size))
        } catch {
            handle(.unavailable(need, reason: error.message))
        }
    }
}

/// The clocks of the system, in seconds.
private enum Clock {
    static func read(_ clock: clockid_t) -> Seconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) / 1e9
    }
}
