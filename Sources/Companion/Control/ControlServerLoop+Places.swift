internal import CPosix
internal import ControlProtocol
internal import DockControl
internal import Geometry
internal import Glibc

/// Admission of connections, eviction of others, and work left over from closed connections.
extension ControlServerLoop {
    // MARK: admission

    /// Admits connections that wait at the socket.
    func accept() {
        var isAskedToLeave = false
        // Built once for all connections of this turn: with many connections it is most of the work.
        var known: ControlPlaces?
        for _ in 0..<ControlEntrance.turn {
            let now = cposix_monotonic_now()
            switch entrance.next() {
            case .nobody: return
            case .guest(let descriptor, let peer, let isOnReserve):
                isAskedToLeave = false
                guard letIn(descriptor, peer: peer, isOnReserve: isOnReserve, &known, now: now) else { return }
            case .noDescriptor:
                guard !isAskedToLeave else { return entrance.close(until: now + ControlEntrance.pause) }
                isAskedToLeave = true
                known = nil
                switch places.leaverWithoutDescriptors(now: now) {
                case .provisional(let leaver?), .ordinary(let leaver?):
                    dismiss(leaver, "no descriptors are left", now: now)
                    entrance.refill()
                case .later(let moment): return entrance.close(until: moment)
                case .ordinary, .provisional: return
                }
            }
        }
    }

    /// Gives a connection its place. False: it has none yet, and no other connection is admitted meanwhile.
    private func letIn(
        _ descriptor: Int32, peer: Int32, isOnReserve: Bool, _ known: inout ControlPlaces?, now: Seconds
    ) -> Bool {
        lastNumber += 1
        let client = ControlConnection(number: lastNumber, descriptor: descriptor, peer: peer, now: now)
        var moment: Seconds?
        if isOnReserve {
            client.seat.isProvisional = true
            known = nil
            if let leaver = places.leaverForDescriptors(of: peer) {
                dismiss(leaver, "no descriptors are left", now: now)
                entrance.refill()
            }
        } else if clients.count >= ControlPlaces.ordinary {
            var seats = known ?? places
            switch seats.admit(peer, now: now) {
            case .ordinary(let leaver):
                if let leaver { dismiss(leaver, Self.crowded, now: now) }
                seats.leave(leaver)
            case .provisional(let leaver):
                client.seat.isProvisional = true
                if let leaver { dismiss(leaver, Self.crowded, now: now) }
                seats.leave(leaver)
            // It is already accepted. The next connection waits at the socket until one may be closed for it.
            case .later(let due):
                client.seat.isProvisional = true
                moment = due
            }
            seats.seats.append(client.seat)
            known = seats
        }
        let greeting: [String: JSONValue] = [
            "name": .string("dockface"), "version": .string(version), "protocol": .number(1),
        ]
        client.outbox.answer(JSONValue.object(greeting).bytes)
        client.send(now: now, snapshot: snapshot)
        clients[client.number] = client
        readFirst(client)
        if client.estate != nil { known?.leave(client.number) }
        if let moment { entrance.close(until: moment) }
        return moment == nil
    }

    private static let crowded = "\(ControlPlaces.ordinary) programs are connected"

    /// The connections as values. A closed connection has no place any more.
    private var places: ControlPlaces {
        let holder = backend.leaseHolder
        var gone: [Int32: Bool] = [:]
        return ControlPlaces(
            seats: clients.values.filter { $0.estate == nil }.sorted { $0.number < $1.number }.map { client in
                var seat = client.seat
                seat.isIdle = client.isIdle
                seat.isKept = client.number == holder || seat.isProvisional && !client.queue.isEmpty
                let isGone = gone[seat.peer] ?? (seat.peer > 0 && kill(seat.peer, 0) < 0 && errno == ESRCH)
                gone[seat.peer] = isGone
                seat.isGone = isGone
                return seat
            })
    }

    /// If an ordinary place is free, gives it to the provisional connection that has waited longest.
    func promote() {
        guard entrance.isComplete else { return }
        let waiting = clients.values.filter { $0.seat.isProvisional && $0.estate == nil }
        guard !waiting.isEmpty else { return }
        let free = ControlPlaces.ordinary - clients.values.count { !$0.seat.isProvisional && $0.estate == nil }
        for client in waiting.sorted(by: { $0.number < $1.number }).prefix(max(0, free)) {
            client.seat.isProvisional = false
        }
    }

    // MARK: provisional connections

    /// Handles the next line of a provisional connection: a stop is carried out and answered; anything else fails with `busy`
    /// and ends the connection.
    /// - Returns: false if the connection has ended.
    func hearProvisional(_ client: ControlConnection, now: Seconds) -> Bool {
        let why = entrance.isComplete ? Self.crowded : "no descriptors are left"
        guard client.mayTakeLine, let item = client.nextLine() else {
            let isSilent = client.queue.isEmpty && now - client.seat.heardAt >= ControlPlaces.silence
            guard client.framer.count > ControlConnection.shortLine || isSilent else { return true }
            dismiss(client.number, why, now: now)
            return false
        }
        guard case .line(let bytes) = item else {
            dismiss(client.number, why, now: now)
            return false
        }
        var line = ControlLine(bytes)
        let hasStop = !line.stops.isEmpty
        line.refuse(ControlEntrance.refusal(why)) { !$0.isStop }
        let before = client.outbox.count
        begin(line, of: client, now: now)
        answer(client, now: now)
        guard !hasStop else {
            client.seat.heardAt = now
            return true
        }
        // A refused call already names the reason; a notification has no answer.
        dismiss(client.number, client.outbox.count > before ? nil : why, now: now)
        return false
    }

    /// Ends a connection to make room. Its stops are carried out, and it receives the reason unless an answer contains it.
    func dismiss(_ number: Int, _ why: String?, now: Seconds) {
        guard let client = clients[number] else { return }
        for _ in 0..<16 where !client.readAhead(into: &buffer) { break }
        hearRemaining(client)
        client.say(last: why.map { ControlAnswer.answer(ControlRequest.null, .failure(ControlEntrance.refusal($0))) })
        drop(number)
    }

    // MARK: closed connections

    /// Limits for the requests of all closed connections: bytes and connections. Beyond them the oldest are given up.
    static let estateRoom = 1 << 20, estates = 256
    /// Requests of a closed connection are given up after this time, seconds.
    static let estatePatience: Seconds = 10

    /// A client has closed. Its requests are still carried out, but it keeps neither its place nor its descriptor.
    func settle(_ client: ControlConnection, now: Seconds) {
        client.settle(now: now, &buffer) { hearRemaining(client) }
        client.estate?.stops = hearRemaining(client)
        // The lease ends now, not after the backlog: otherwise a dead program would continue to move the dock.
        if backend.leaseHolder == client.number {
            client.estate?.lostLease = true
            backend.gone(client: client.number)
        }
        var left = clients.values.filter { $0.estate != nil }.sorted { $0.number < $1.number }[...]
        var bytes = left.reduce(0) { $0 + $1.framer.count }
        while bytes > Self.estateRoom || left.count > Self.estates, left.count > 1, let oldest = left.popFirst() {
            bytes -= oldest.framer.count
            giveUp(oldest)
        }
    }

    /// Carries out requests of closed connections for the rest of a turn, at least one line.
    /// - Returns: when to call again; nil: no requests are left.
    func carryOutEstates(until end: Seconds, now: Seconds) -> Seconds? {
        var due: Seconds?
        for client in clients.values.filter({ $0.estate != nil }).sorted(by: { $0.number < $1.number }) {
            answer(client, now: now)
            if let estate = client.estate, now - estate.closedAt >= Self.estatePatience {
                giveUp(client)
                continue
            }
            while client.mayTakeLine, let item = client.nextLine() {
                if case .line(let bytes) = item { carryOut(ControlLine(bytes), of: client, now: now) }
                guard cposix_monotonic_now() < end else { return now }
            }
            if client.isOver(now: now) { drop(client.number) } else { due = now + Self.tick }
        }
        return due
    }

    /// Carries a line out, except queries, whose answers no client reads. Motion before a stop is also skipped, because the
    /// stop was carried out when the connection closed. So is all motion of a program that closed while it held the lease.
    private func carryOut(_ line: ControlLine, of client: ControlConnection, now: Seconds) {
        var line = line
        var stops = client.estate?.stops ?? 0
        let lostLease = client.estate?.lostLease ?? false
        line.requests.removeAll { request in
            guard case .success(let call) = request.call else { return true }
            if call.isStop { stops -= 1 }
            if lostLease, call == .command(.acquireControl) { return true }
            return call.isQuestion || (stops > 0 || lostLease) && call.movesAfterStop
        }
        client.estate?.stops = stops
        guard !line.requests.isEmpty else { return }
        begin(line, of: client, now: now)
        answer(client, now: now)
    }

    private func giveUp(_ client: ControlConnection) {
        hearRemaining(client)
        drop(client.number)
    }

    /// Carries out the stops in all waiting lines. Returns their number.
    @discardableResult
    private func hearRemaining(_ client: ControlConnection) -> Int {
        guard client.framer.remaining.containsStop else { return 0 }
        return client.framer.remaining.split(separator: 0x0A).reduce(0) { $0 + carryOutStops($1, of: client) }
    }
}
