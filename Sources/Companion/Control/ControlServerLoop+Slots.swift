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
        // It is built once for all connections of this turn, because it is most of the work if there are many
        // connections.
        var known: ConnectionSlots?
        for _ in 0..<ControlEntrance.turn {
            let now = cposix_monotonic_now()
            switch entrance.next() {
            case .none: return
            case .connection(let descriptor, let peer, let isOnReserve):
                isAskedToLeave = false
                guard admit(descriptor, peer: peer, isOnReserve: isOnReserve, &known, now: now) else { return }
            case .noDescriptor:
                guard !isAskedToLeave else { return entrance.close(until: now + ControlEntrance.pause) }
                isAskedToLeave = true
                known = nil
                switch slots.evictionWithoutDescriptors(now: now) {
                case .provisional(let victim?), .ordinary(let victim?):
                    evict(victim, "no descriptors are left", now: now)
                    entrance.refill()
                case .later(let moment): return entrance.close(until: moment)
                case .ordinary, .provisional: return
                }
            }
        }
    }

    /// Gives a connection its slot. Returns false if it has none yet; no other connection is admitted meanwhile.
    private func admit(
        _ descriptor: Int32, peer: Int32, isOnReserve: Bool, _ known: inout ConnectionSlots?, now: Seconds
    ) -> Bool {
        let client = ControlConnection(number: roster.nextNumber(), descriptor: descriptor, peer: peer, now: now)
        var moment: Seconds?
        if isOnReserve {
            client.slot.isProvisional = true
            known = nil
            if let victim = slots.evictionForDescriptors(of: peer) {
                evict(victim, "no descriptors are left", now: now)
                entrance.refill()
            }
        } else if roster.count >= ConnectionSlots.ordinary {
            var slots = known ?? slots
            switch slots.admit(peer, now: now) {
            case .ordinary(let victim):
                if let victim { evict(victim, Self.crowded, now: now) }
                slots.leave(victim)
            case .provisional(let victim):
                client.slot.isProvisional = true
                if let victim { evict(victim, Self.crowded, now: now) }
                slots.leave(victim)
            // The connection is already accepted. The next connection waits at the socket until one may be closed for
            // it.
            case .later(let due):
                client.slot.isProvisional = true
                moment = due
            }
            slots.slots.append(client.slot)
            known = slots
        }
        let greeting: [String: JSONValue] = [
            "name": .string("dockface"), "version": .string(version), "protocol": .number(1),
            "features": APITypes.features,
        ]
        client.outbox.answer(JSONValue.object(greeting).bytes)
        client.send(now: now, snapshot: snapshot)
        roster.add(client)
        readFirst(client)
        if client.closedWork != nil { known?.leave(client.number) }
        if let moment { entrance.close(until: moment) }
        return moment == nil
    }

    private static let crowded = "\(ConnectionSlots.ordinary) programs are connected"

    /// The connections as values. A closed connection no longer has a slot.
    private var slots: ConnectionSlots {
        let holder = backend.leaseHolder
        var gone: [Int32: Bool] = [:]
        return ConnectionSlots(
            slots: roster.open.map { client in
                var slot = client.slot
                slot.isIdle = client.isIdle
                slot.isKept = client.number == holder || slot.isProvisional && !client.queue.isEmpty
                let isGone = gone[slot.peer] ?? (slot.peer > 0 && kill(slot.peer, 0) < 0 && errno == ESRCH)
                gone[slot.peer] = isGone
                slot.isGone = isGone
                return slot
            })
    }

    /// Gives an ordinary slot, if one is free, to the provisional connection that has waited longest.
    func promote() {
        guard entrance.isComplete else { return }
        let waiting = roster.provisional
        guard !waiting.isEmpty else { return }
        let free = ConnectionSlots.ordinary - (roster.open.count - waiting.count)
        for client in waiting.prefix(max(0, free)) {
            client.slot.isProvisional = false
        }
    }

    // MARK: provisional connections

    /// Handles the next line of a provisional connection: a stop is executed and answered, and anything else fails with
    /// `busy` and ends the connection.
    /// - Returns: false if the connection has ended.
    func hearProvisional(_ client: ControlConnection, now: Seconds) -> Bool {
        let why = entrance.isComplete ? Self.crowded : "no descriptors are left"
        guard client.mayBeginLine, let item = client.nextLine() else {
            let isSilent = client.queue.isEmpty && now - client.slot.heardAt >= ConnectionSlots.silence
            guard client.input.count > ConnectionInput.shortLine || isSilent else { return true }
            evict(client.number, why, now: now)
            return false
        }
        guard case .line(let bytes) = item else {
            evict(client.number, why, now: now)
            return false
        }
        var line = ControlLine(bytes)
        let hasStop = !line.stops.isEmpty
        line.refuse(ControlEntrance.refusal(why)) { !$0.isStop }
        let before = client.outbox.count
        begin(line, of: client, now: now)
        answer(client, now: now)
        guard !hasStop else {
            client.slot.heardAt = now
            return true
        }
        // A refused call already names the reason, and a notification has no answer.
        evict(client.number, client.outbox.count > before ? nil : why, now: now)
        return false
    }

    /// Ends a connection to make room. Its stops are executed, and it receives the reason unless an answer already
    /// contains it.
    func evict(_ number: Int, _ why: String?, now: Seconds) {
        guard let client = roster[number] else { return }
        for _ in 0..<16 where !client.readAhead(into: &buffer) { break }
        hearRemaining(client)
        client.say(last: why.map { ControlAnswer.answer(ControlRequest.null, .failure(ControlEntrance.refusal($0))) })
        drop(number)
    }

    // MARK: closed connections

    /// The limits for the requests of all closed connections: bytes and connections. Beyond them the oldest are given
    /// up.
    static let closedBytesLimit = 1 << 20, closedLimit = 256

    /// Handles a client that has closed. Its requests are still executed, but it keeps neither its slot nor its
    /// descriptor.
    func settle(_ client: ControlConnection, now: Seconds) {
        client.settle(now: now, &buffer) { hearRemaining(client) }
        client.closedWork?.stops = hearRemaining(client)
        // The lease ends now and not after the backlog, because a dead program would otherwise continue to move the
        // dock.
        if backend.leaseHolder == client.number {
            client.closedWork?.lostLease = true
            backend.disconnected(client: client.number)
        }
        var left = roster.closed[...]
        var bytes = left.reduce(0) { $0 + $1.input.count }
        while bytes > Self.closedBytesLimit || left.count > Self.closedLimit, left.count > 1,
            let oldest = left.popFirst()
        {
            bytes -= oldest.input.count
            giveUp(oldest)
        }
    }

    /// Executes requests of closed connections for the rest of a turn, at least one line.
    /// - Returns: when to call again, or nil if no requests are left.
    func executeClosedWork(until end: Seconds, now: Seconds) -> Seconds? {
        var due: Seconds?
        for client in roster.closed {
            answer(client, now: now)
            if client.closedWork?.isOverdue(now: now) == true {
                giveUp(client)
                continue
            }
            while client.mayBeginLine, let item = client.nextLine() {
                if case .line(let bytes) = item { carryOut(ControlLine(bytes), of: client, now: now) }
                guard cposix_monotonic_now() < end else { return now }
            }
            if client.isOver(now: now) { drop(client.number) } else { due = now + Self.tick }
        }
        return due
    }

    /// Executes the requests of a line that the connection's closedWork admits.
    private func carryOut(_ line: ControlLine, of client: ControlConnection, now: Seconds) {
        guard var closedWork = client.closedWork else { return }
        var line = line
        line.requests = line.requests.filter { closedWork.admit($0) }
        client.closedWork = closedWork
        guard !line.requests.isEmpty else { return }
        begin(line, of: client, now: now)
        answer(client, now: now)
    }

    private func giveUp(_ client: ControlConnection) {
        hearRemaining(client)
        drop(client.number)
    }

    /// Executes the stops in all waiting lines. Returns their number.
    @discardableResult
    private func hearRemaining(_ client: ControlConnection) -> Int {
        guard client.input.remaining.containsStop else { return 0 }
        return client.input.remaining.split(separator: 0x0A).reduce(0) { $0 + carryOutStops($1, of: client) }
    }
}
