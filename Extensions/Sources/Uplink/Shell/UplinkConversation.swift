internal import Aerie
internal import DockTypes
public import Geometry
internal import Glibc
public import Networking

/// The conversation with one server: the machine decides, and this actor connects, reads and sends.
public actor UplinkConversation {
    private let desk: any UplinkDesk
    private let server: String
    private let plan: @Sendable () async throws -> TransportPlan
    private let path: String
    private var machine: UplinkMachine
    private var connection: WebSocketConnection?
    /// The attempt to connect, and then the connection.
    private var attempt: Task<Void, Never>?
    private var alarm: Task<Void, Never>?
    private var alarmClock = AlarmClock()
    private var isOver = false
    private let jobs: AsyncStream<@Sendable () async -> Void>
    private nonisolated let put: AsyncStream<@Sendable () async -> Void>.Continuation
    /// Only the newest picture counts.
    private let pictures: AsyncStream<(exposure: Seconds, isStill: Bool)>
    private nonisolated let offer: AsyncStream<(exposure: Seconds, isStill: Bool)>.Continuation

    /// Prepares a conversation. Nothing is connected yet.
    /// - Parameter plan: where the server is and which certificate is accepted; asked before each connection.
    public init(
        _ identity: UplinkIdentity, _ terms: UplinkTerms, desk: any UplinkDesk,
        plan: @escaping @Sendable () async throws -> TransportPlan
    ) {
        (self.desk, self.plan, server) = (desk, plan, terms.server)
        path = "/ws/connect/\(identity.device)"
        machine = UplinkMachine(
            identity: identity, terms: terms, seed: UInt64.random(in: 1...UInt64.max))
        (jobs, put) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64))
        (pictures, offer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Holds the conversation until the task is cancelled. The connection has ended when it returns.
    public func run() async {
        handle(.start)
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await picture in self.pictures {
                        await self.handle(.pictured(exposure: picture.exposure, isStill: picture.isStill))
                    }
                }
                for await job in jobs { group.addTask { await job() } }
                group.cancelAll()
            }
        } onCancel: {
            // A message that is being sent would hold the end up.
            Task { await self.end() }
        }
        end()
        await attempt?.value
        desk.note(.state(.off, UplinkState.off.text(server)))
    }

    /// Ends the connection, and makes no other.
    private func end() {
        guard !isOver else { return }
        isOver = true
        alarm?.cancel()
        attempt?.cancel()
    }

    /// The robot may no longer show that frames are sent.
    public nonisolated func signLost() { put.yield { await self.handle(.signLost) } }

    /// The camera has taken a picture. The newest one counts.
    public nonisolated func pictured(exposure: Seconds, isStill: Bool) { offer.yield((exposure, isStill)) }

    /// The figures of now.
    public var readout: UplinkReadout { machine.readout(at: now) }

    // MARK: the machine

    private var now: UplinkMachine.Moment {
        UplinkMachine.Moment(monotonic: Clock.read(CLOCK_MONOTONIC), unix: Clock.read(CLOCK_REALTIME))
    }

    private func handle(_ event: UplinkMachine.Event) {
        guard !isOver else { return }
        perform(machine.handle(event, at: now))
    }

    private func perform(_ actions: [UplinkMachine.Action]) {
        for action in actions { carryOut(action) }
        setAlarm()
    }

    private func carryOut(_ action: UplinkMachine.Action) {
        switch action {
        case .connect(let fragment): connect(fragment)
        case .disconnect(let reason): disconnect(reason)
        case .send(let bytes): send(bytes)
        case .accept: connection?.accept(messagesOf: UplinkMachine.longestMessage)
        case .sign: put.yield { await self.handle(.signed(problem: await self.desk.sign())) }
        case .encode(let shape): put.yield { await self.handle(.encoded(payload: await self.desk.payload(shape))) }
        case .keyFrame: desk.keyFrame()
        case .people(let report, let time): desk.note(.people(report, time: time))
        case .show(let state): desk.note(.state(state, state.text(server)))
        case .log(let text, let isWarning): desk.note(.log(text, isWarning: isWarning))
        }
    }

    private func setAlarm() {
        guard let deadline = machine.deadline, alarmClock.mustSet(deadline) else { return }
        alarm?.cancel()
        let wait = max(0.001, deadline - now.monotonic)
        alarm = Task {
            guard (try? await Task.sleep(for: .seconds(wait))) != nil, !Task.isCancelled else { return }
            tick()
        }
    }

    private func tick() {
        guard !isOver else { return }
        alarmClock.wentOff()
        perform(machine.tick(at: now))
    }

    // MARK: the connection

    private func connect(_ fragment: Int) {
        let before = attempt
        attempt = Task {
            await before?.value
            await talk(fragment)
        }
    }

    private func disconnect(_ reason: String) {
        guard let connection else {
            attempt?.cancel()
            return
        }
        put.yield { await connection.close(reason: reason) }
    }

    /// The longest header of a frame with less than 64 KiB, in bytes.
    static let header = 8

    /// A frame of 16,384 bytes would not fit into one record of TLS with its header, and cost a second one.
    static func options(_ fragment: Int) -> WebSocketOptions {
        var options = WebSocketOptions()
        (options.textPart, options.unsent) = (fragment - header, 16_384)
        (options.largestMessage, options.firstMessage) = (
            UplinkMachine.longestMessage, UplinkMachine.longestStrangeMessage
        )
        (options.mostWaiting, options.handshakeLimit, options.closeLimit) = (4, 5, 1)
        return options
    }

    private func talk(_ fragment: Int) async {
        do {
            let plan = try await plan().at(path: path)
            let client = WebSocketClient(plan, options: Self.options(fragment))
            let ending = try await client.withConnection { connection in
                await self.opened(connection)
                for await event in connection.events { await self.arrived(event) }
                // Otherwise it would look as if the server had ended it.
                try Task.checkCancellation()
                return connection.ending
            }
            ended(code: ending.code, ending.failure.message)
        } catch let failure as TransportFailure {
            refused(failure.error)
        } catch let error as DockError {
            refused(error)
        } catch {
            refused(DockError(.notConnected, "the connection was given up here", hint: ""))
        }
    }

    private func opened(_ connection: WebSocketConnection) {
        self.connection = connection
        handle(.opened)
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

    private func refused(_ error: DockError) {
        guard connection == nil else { return ended(code: nil, error.message) }
        // A wrong certificate does not become right by itself.
        handle(error.code == .permission ? .distrusted(error.message) : .refused(error.message))
    }

    /// A message that cannot be sent ends the connection, which is reported by its events.
    private func send(_ bytes: [UInt8]) {
        guard let connection else { return }
        put.yield { try? await connection.send(text: bytes) }
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
