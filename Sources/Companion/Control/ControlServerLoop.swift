internal import CPosix
internal import Geometry
internal import Glibc

/// The server's thread: poll over the listening socket, the mailbox and all clients.
final class ControlServerLoop: @unchecked Sendable {
    // Unchecked: made by whoever opens the server, then handed to its thread and touched by nobody else.

    /// More connections are refused.
    static let capacity = 256
    /// Lines of all clients together in a turn; each has one at the least.
    static let turn = 128
    /// Who has said nothing for so long, waits for nothing and listens to nothing may go for somebody new: longer than a
    /// lease lives, seconds.
    static let idleTime: Seconds = 3
    /// How often clocks are looked at while a client waits for something, seconds.
    static let tick: Seconds = 0.25

    var isEnding: @Sendable () -> Bool = { false }
    let version: String
    let backend: any ControlBackend
    let mailbox: ControlMailbox
    var clients: [Int: ControlConnection] = [:]

    private let socket: ControlSocket
    private var entrance: ControlEntrance
    private var audience: Set<Topic> = []
    private var lastNumber = 0
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(socket: ControlSocket, mailbox: ControlMailbox, version: String, backend: any ControlBackend) {
        self.socket = socket
        self.mailbox = mailbox
        self.version = version
        self.backend = backend
        entrance = ControlEntrance(listener: socket.descriptor, isShared: socket.isShared)
    }

    func run() {
        cposix_thread_name("control")
        while !isEnding() {
            let now = cposix_monotonic_now()
            let due = serve(now: now)
            wait(until: due, now: now)
        }
        finish()
    }

    /// Closes everything; what a client can take at once it still gets.
    func finish() {
        _ = serve(now: cposix_monotonic_now())
        for number in clients.keys.sorted() { drop(number) }
        entrance.close()
        socket.close()
    }

    // MARK: turns

    /// Hands out what came; when it must be called again, nil: when something happens.
    private func serve(now: Seconds) -> Seconds? {
        let contents = mailbox.take(now: now)
        for delivery in contents.deliveries { clients[delivery.client]?.queue.finish(delivery.ticket, delivery.reply) }
        for new in contents.publications {
            let event = ControlEvent(topic: new.topic, sequence: new.sequence, data: new.data.bytes, lost: new.lost)
            let line = event.line(.change, lost: event.lost)
            for client in clients.values { client.outbox.offer(event, line: line) }
        }
        var due = contents.due
        for client in clients.values.sorted(by: { $0.number < $1.number }) {
            answer(client, now: now)
            takeLines(client, now: now)
            hearStops(client)
            client.send(now: now, snapshot: snapshot)
            if client.isOver(now: now) {
                drop(client.number)
            } else if client.mayTakeLine {
                due = now
            } else if client.isTicking {
                due = min(due ?? .infinity, now + Self.tick)
            }
        }
        if let opens = entrance.opens(now: now) { due = min(due ?? .infinity, opens) }
        return due
    }

    private func wait(until due: Seconds?, now: Seconds) {
        var waits = [pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0)]
        waits.append(
            pollfd(fd: entrance.opens(now: now) == nil ? socket.descriptor : -1, events: Int16(POLLIN), revents: 0))
        let watched = Array(clients.values)
        for client in watched {
            let events = client.events
            waits.append(pollfd(fd: events == nil ? -1 : client.descriptor, events: events ?? 0, revents: 0))
        }
        let milliseconds = due.map { Int32((max(0, $0 - now) * 1000).rounded(.up)) } ?? -1
        guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return }
        for (client, wait) in zip(watched, waits[2...]) where wait.revents != 0 {
            if wait.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { client.hangUp() }
            client.read(into: &buffer)
            client.heardAt = cposix_monotonic_now()
        }
        if waits[1].revents != 0 { accept() }
    }

    /// Connections that nobody uses must not keep a stop out: the longest silent one makes room.
    private func makeRoom() {
        let now = cposix_monotonic_now()
        let idle = clients.values.filter { $0.isIdle && now - $0.heardAt > Self.idleTime }
        if let oldest = idle.min(by: { $0.heardAt < $1.heardAt }) { drop(oldest.number) }
    }

    private func accept() {
        if clients.count >= Self.capacity { makeRoom() }
        entrance.accept(now: cposix_monotonic_now(), room: Self.capacity - clients.count) { descriptor in
            lastNumber += 1
            let client = ControlConnection(number: lastNumber, descriptor: descriptor)
            client.heardAt = cposix_monotonic_now()
            client.isOwner = ControlEntrance.isOwner(descriptor)
            let greeting: [String: JSONValue] = [
                "name": .string("dockface"), "version": .string(version), "protocol": .number(1),
            ]
            client.outbox.answer(JSONValue.object(greeting).bytes)
            clients[lastNumber] = client
        }
    }

    private func drop(_ number: Int) {
        guard clients.removeValue(forKey: number) != nil else { return }
        narrowAudience()
        backend.gone(client: number)
    }

    // MARK: requests

    private func takeLines(_ client: ControlConnection, now: Seconds) {
        var taken = 0
        // Of many clients each has less in a turn: a stop waits for no more than a turn of all of them.
        let most = max(1, min(ControlConnection.turn, Self.turn / clients.count))
        while client.mayTakeLine, taken < most, let item = client.nextLine() {
            taken += 1
            switch item {
            case .line(let bytes): begin(ControlLine(bytes), of: client, now: now)
            case .tooLong:
                let error = ControlError.parse("a line is longer than \(LineFramer.longest) bytes; the connection ends")
                begin(ControlLine(refused: error), of: client, now: now)
                client.stopReading()
                narrowAudience()
            }
            // What is answered already (a refusal, a subscription) makes room for more.
            answer(client, now: now)
        }
    }

    /// Who sends faster than answers come is still heard when it says stop: that is carried out at once, and once more in
    /// its place, after what was asked before it.
    private func hearStops(_ client: ControlConnection) {
        for line in client.waitingLines() where line.containsStop {
            for request in ControlLine(Array(line)).requests {
                guard case .success(let call) = request.call, call.isStop else { continue }
                backend.perform(call, client: client.number) { _ in }
            }
        }
    }

    private func begin(_ line: ControlLine, of client: ControlConnection, now: Seconds) {
        let number = client.number
        if line.requests.contains(where: \.isCall) { backend.heard(from: number) }
        for (ticket, call) in client.queue.begin(line, now: now) {
            backend.perform(client.isOwner ? call : call.ofGuest, client: number) { [mailbox] reply in
                mailbox.deliver(.init(client: number, ticket: ticket, reply: reply))
            }
        }
    }

    private func answer(_ client: ControlConnection, now: Seconds) {
        client.queue.expire(now: now)
        while let line = client.queue.takeReady() {
            let bytes = ControlAnswer.line(line, version: version, now: now) { local($0, client) }
            if let bytes, !client.outputEnded { client.outbox.answer(bytes) }
        }
    }

    /// Subscriptions begin and end with their answer, so that they keep their place in the order of requests.
    private func local(_ call: ControlCall, _ client: ControlConnection) -> Result<JSONValue, ControlError> {
        switch call {
        case .subscribe(let topics):
            if !client.outputEnded, !client.isClosing { client.outbox.subscribe(topics) }
            if !audience.isSuperset(of: client.outbox.topics) { setAudience(audience.union(client.outbox.topics)) }
        case .unsubscribe(let topics):
            client.outbox.unsubscribe(topics)
            narrowAudience()
        case .command, .words, .guestWords: break
        }
        return .success(ControlResults.topics(client.outbox.topics))
    }

    // MARK: topics

    private func narrowAudience() {
        let new = clients.values.reduce(into: Set<Topic>()) { $0.formUnion($1.outbox.topics) }
        if new != audience { setAudience(new) }
    }

    /// First what changes is kept, then a snapshot is taken: nothing falls between.
    private func setAudience(_ topics: Set<Topic>) {
        audience = topics
        mailbox.setAudience(topics)
        backend.audienceChanged(topics)
    }

    private func snapshot(of topic: Topic) -> ControlEvent {
        let sequence = mailbox.sequence(of: topic)
        return ControlEvent(topic: topic, sequence: sequence, data: backend.snapshot(of: topic).bytes)
    }
}
