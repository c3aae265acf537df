internal import CPosix
internal import ControlProtocol
internal import DockTypes
internal import Geometry
internal import Glibc

/// The server's thread: it polls the listening socket, the mailbox and all clients.
///
/// Each turn serves new connections first, so that a stop on a new connection does not wait behind another client's
/// backlog. Then it encodes what was published, and serves the other clients, beginning after the last one of the
/// previous turn; each of the two has a time limit. Then it serves the requests of closed connections.
final class ControlServerLoop: @unchecked Sendable {
    // Unchecked: the opener of the server creates it and hands it to its thread. Nothing else accesses it.

    /// The number of lines of all clients together in one turn. Each client gets at least one.
    static let turn = 128
    /// The time limit of a turn, separately for reading and for execution, in seconds.
    static let budget: Seconds = 0.01
    /// The part of the time for execution after which no further publication is encoded, in seconds.
    static let encoding: Seconds = 0.005
    /// The interval between checks of the time limits while a client waits for something, in seconds.
    static let tick: Seconds = 0.25

    var isEnding: @Sendable () -> Bool = { false }
    /// Whether the socket's files were found missing. Reading this resets it.
    var isMissed: @Sendable () -> Bool = { false }
    var onLog: @Sendable (String) -> Void = { _ in }
    let version: String
    let backend: any ControlBackend
    let mailbox: ControlMailbox
    let socket: ControlSocket
    var roster = ControlRoster()
    var entrance: ControlEntrance
    var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// The topics with subscribers.
    var audience: TopicInterest = []
    /// What was published and is not encoded yet. Nothing more is taken from the mailbox until it is empty.
    private var publications: ArraySlice<ControlMailbox.Publication> = []
    /// Whether the files could not be created again and the log already says so.
    private var isLost = false

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
            // Collecting takes the ring, also one that has just announced the end.
            if isEnding() { break }
            wait(until: due, now: now)
            if isMissed() { restore() }
        }
        finish()
    }

    /// Closes everything. A client still receives what it accepts at once.
    func finish() {
        _ = serve(now: cposix_monotonic_now())
        for number in roster.numbers { drop(number) }
        entrance.close()
        socket.close()
    }

    /// Creates the socket's files again after something removed them, such as a logout or a cleaner of /tmp.
    private func restore() {
        // Admits the clients that have already connected, because they do not appear at the new socket.
        accept()
        do throws(DockError) {
            guard try socket.restore() else { return }
            isLost = false
            onLog("the control socket \(socket.path) was gone and is there again")
        } catch {
            if !isLost {
                onLog("the control socket \(socket.path) is gone, and cannot be made again: \(error.message)")
            }
            isLost = true
        }
    }

    // MARK: turns

    /// Delivers and serves. Returns when it must be called again, or nil if that is at the next event.
    private func serve(now: Seconds) -> Seconds? {
        var due = collect(now: now)
        entrance.refill()
        promote()
        let open = roster.open, first = open.filter(\.goesFirst)
        for client in first.filter(\.input.mayStop) + first.filter({ !$0.input.mayStop }) {
            serve(client, most: client.input.isNew ? 1 : 0, until: .infinity, now: now, &due)
        }
        // The more clients there are, the fewer lines each get in a turn.
        let most = max(1, min(ControlConnection.turn, Self.turn / max(1, open.count)))
        let begin = cposix_monotonic_now(), end = begin + Self.budget
        publish(until: begin + Self.encoding)
        if !publications.isEmpty { due = now }
        for client in roster.toServe where !client.slot.isProvisional && roster[client.number] != nil {
            guard cposix_monotonic_now() < end else {
                due = now
                hearStops(client)
                continue
            }
            roster.recordServed(client)
            serve(client, most: most, until: end, now: now, &due)
            hearStops(client)
        }
        if let next = executeClosedWork(until: end, now: now) { due = min(due ?? .infinity, next) }
        if let opens = entrance.opens(now: now) { due = min(due ?? .infinity, opens) }
        return due
    }

    /// Takes the answers from the mailbox, and the publications if none waits here. Returns when to call again.
    private func collect(now: Seconds) -> Seconds? {
        let isTakingAll = publications.isEmpty
        let contents = mailbox.drain(now: now, withPublications: isTakingAll)
        for delivery in contents.deliveries { roster[delivery.client]?.queue.finish(delivery.ticket, delivery.reply) }
        publications.append(contentsOf: contents.publications)
        // The mailbox does not ring again for publications that it still holds.
        return isTakingAll ? contents.due : now
    }

    /// Encodes publications and offers them to the clients, at least one of them and no more than fit into the time.
    private func publish(until end: Seconds) {
        while let new = publications.popFirst() {
            let event = ControlEvent(
                topic: new.topic, sequence: new.sequence, data: new.data().bytes, lost: new.lost, pace: new.pace)
            let line = event.line(.change, lost: event.lost)
            for client in roster.all { client.outbox.offer(event, line: line) }
            guard cposix_monotonic_now() < end else { return }
        }
    }

    private func serve(_ client: ControlConnection, most: Int, until end: Seconds, now: Seconds, _ due: inout Seconds?)
    {
        answer(client, now: now)
        if client.slot.isProvisional {
            guard hearProvisional(client, now: now) else { return }
        } else {
            beginLines(client, most: most, until: end, now: now)
        }
        client.send(now: now, snapshot: snapshot)
        if client.isOver(now: now) {
            drop(client.number)
        } else if client.mayBeginLine {
            due = now
        } else if client.isTicking {
            due = min(due ?? .infinity, now + Self.tick)
        }
    }

    private func wait(until due: Seconds?, now: Seconds) {
        var waits = [pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0)]
        waits.append(
            pollfd(fd: entrance.opens(now: now) == nil ? socket.descriptor : -1, events: Int16(POLLIN), revents: 0))
        let watched = roster.toRead
        for client in watched {
            let events = client.events
            waits.append(pollfd(fd: events == nil ? -1 : client.descriptor, events: events ?? 0, revents: 0))
        }
        let milliseconds = due.map { Int32((max(0, $0 - now) * 1000).rounded(.up)) } ?? -1
        guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return }
        let ready = zip(watched, waits[2...]).filter { $1.revents != 0 }
        for (client, wait) in ready where client.goesFirst { read(client, wait) }
        if waits[1].revents != 0 { accept() }
        let end = cposix_monotonic_now() + Self.budget
        for (client, wait) in ready where !client.goesFirst && roster[client.number] != nil {
            guard cposix_monotonic_now() < end else { return }
            roster.recordRead(client)
            read(client, wait)
        }
    }

    /// Reads what a connection sent before it was admitted.
    func readFirst(_ client: ControlConnection) {
        var wait = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&wait, 1, 0) > 0 { read(client, wait) }
    }

    private func read(_ client: ControlConnection, _ wait: pollfd) {
        guard roster[client.number] != nil, client.closedWork == nil else { return }
        let now = cposix_monotonic_now()
        // For a provisional connection only a stop counts.
        if !client.slot.isProvisional { client.slot.heardAt = now }
        guard wait.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else { return settle(client, now: now) }
        client.read(into: &buffer)
    }

    func drop(_ number: Int) {
        guard let client = roster.remove(number) else { return }
        // Closed at once, because another connection may need the descriptor.
        client.giveBack()
        narrowAudience()
        if client.closedWork?.lostLease != true { backend.disconnected(client: number) }
    }

    // MARK: topics

    func narrowAudience() {
        let new = roster.interest
        if new != audience { setAudience(new) }
    }

    /// Sets the topics with subscribers. Changes are collected before a snapshot is taken, so that none is lost in
    /// between.
    func setAudience(_ interest: TopicInterest) {
        audience = interest
        mailbox.setAudience(interest)
        backend.audienceChanged(interest)
    }

    func snapshot(of topic: Topic) -> ControlEvent {
        let sequence = mailbox.sequence(of: topic)
        return ControlEvent(topic: topic, sequence: sequence, data: backend.snapshot(of: topic).bytes)
    }
}
