public import Aerie
internal import ControlProtocol
public import DockTypes
internal import Geometry
internal import Glibc
public import Networking
internal import Processes
internal import Synchronization

/// A running server of a room: the machine decides, and this actor answers.
public actor RoomDesk {
    private var machine: RoomMachine
    private var lines: [RoomMachine.Visit: VisitLine] = [:]
    private var lastVisit = 0
    private var alarm: (at: Seconds, task: Task<Void, Never>)?
    private let log: @Sendable (String, _ isWarning: Bool) -> Void
    /// Which lines are written: the first ones, then one a second. Clients may come and go without end.
    private var notes = LogGate(), warnings = LogGate()
    /// What the pages say, for the network's thread.
    private nonisolated let pages = Pages()

    /// Creates a server. It begins with `serve`.
    public init(
        secret: SharedSecret, isLenient: Bool, log: @escaping @Sendable (String, _ isWarning: Bool) -> Void
    ) {
        (machine, self.log) = (RoomMachine(secret: secret, isLenient: isLenient), log)
    }

    /// Begins to listen. `run` must follow.
    /// - Throws: `portBusy`, `permission`, `cannotOpen`, `configuration`.
    public nonisolated func listen(_ plan: ServerPlan) async throws(DockError) -> WebSocketServer {
        var plan = plan
        plan.mostConnections = RoomMachine.mostConnections
        plan.options.largestMessage = RoomMachine.longestMessage
        plan.options.firstMessage = RoomMachine.longestStrangeMessage
        // Clients of the protocol send parts of 16 KiB.
        (plan.options.largestFrame, plan.options.mostWaiting) = (65_536, 4)
        let pages = pages
        return try await WebSocketServer(
            plan, accepts: { RoomMachine.device($0) != nil }, page: { pages.page($0, for: $1) })
    }

    /// Serves until the task is cancelled.
    public func run(_ server: WebSocketServer) async {
        refresh()
        await server.run { visit in await self.serve(visit) }
        alarm?.task.cancel()
    }

    /// What people see of the devices.
    public var summary: [String] { machine.lines }

    /// The robots whose headings are corrected, and by how many degrees.
    public var corrections: [String] { machine.corrections }

    // MARK: one connection

    private func serve(_ visit: WebSocketServer.Visit) async {
        lastVisit += 1
        let number = lastVisit, line = VisitLine(visit.connection)
        lines[number] = line
        perform(machine.opened(number, path: visit.path, address: visit.address, at: now))
        await withTaskGroup { group in
            group.addTask { await line.run() }
            for await event in visit.connection.events {
                if case .text(let bytes) = event { received(number, bytes) }
            }
            line.finish()
            group.cancelAll()
        }
        lines[number] = nil
        perform(machine.closed(number, at: now))
    }

    private func received(_ visit: Int, _ bytes: [UInt8]) {
        perform(machine.received(visit, bytes, at: now))
    }

    // MARK: the machine

    private var now: RoomMachine.Moment {
        RoomMachine.Moment(monotonic: Clock.read(CLOCK_MONOTONIC), unix: Clock.read(CLOCK_REALTIME))
    }

    private func perform(_ actions: [RoomMachine.Action]) {
        for action in actions { carryOut(action) }
        setAlarm()
        refresh()
    }

    private func carryOut(_ action: RoomMachine.Action) {
        switch action {
        case .send(let visit, let bytes): lines[visit]?.send(bytes)
        case .broadcast(let visits, let bytes): for visit in visits { lines[visit]?.broadcast(bytes) }
        case .accept(let visit): lines[visit]?.connection.accept(messagesOf: RoomMachine.longestMessage)
        case .close(let visit, let code, let reason): lines[visit]?.close(code: code, reason: reason)
        case .log(let text, let isWarning): write(text, isWarning: isWarning)
        }
    }

    private func write(_ text: String, isWarning: Bool) {
        let time = now.monotonic
        let line = isWarning ? warnings.pass(text, now: time) : notes.pass(text, now: time)
        if let line { log(line, isWarning) }
    }

    private func setAlarm() {
        guard machine.deadline != alarm?.at else { return }
        alarm?.task.cancel()
        alarm = nil
        guard let deadline = machine.deadline else { return }
        let wait = max(0.001, deadline - now.monotonic)
        let task = Task {
            guard (try? await Task.sleep(for: .seconds(wait))) != nil, !Task.isCancelled else { return }
            tick()
        }
        alarm = (deadline, task)
    }

    private func tick() {
        alarm = nil
        perform(machine.tick(at: now))
    }

    private func refresh() { pages.update(machine) }
}

/// What the pages say. They are made of the machine's newest state when a client asks.
private final class Pages: Sendable {
    private let machine = Mutex<RoomMachine?>(nil)

    func update(_ new: RoomMachine) { machine.withLock { $0 = new } }

    func page(_ path: String, for address: String) -> ServedPage? {
        guard let machine = machine.withLock({ $0 }) else { return nil }
        switch path {
        case "/": return ServedPage(text: "dockface room - running\n")
        case "/status": return ServedPage(json: machine.status(timestamp: Clock.iso()).bytes)
        // They tell how many people are there, so only this machine gets them.
        case "/metrics": return ["127.0.0.1", "::1"].contains(address) ? ServedPage(text: machine.metrics) : nil
        default: return nil
        }
    }
}

/// The clocks of the system, in seconds.
enum Clock {
    static func read(_ clock: clockid_t) -> Seconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) / 1e9
    }

    /// The time of now as `2026-11-18T20:41:20Z`.
    static func iso() -> String {
        var seconds = time(nil), parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
