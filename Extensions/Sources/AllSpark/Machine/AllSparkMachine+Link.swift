public import Geometry

extension AllSparkMachine {
    /// The connection.
    enum Link: Sendable, Equatable {
        /// The owner wants none.
        case stopped
        /// The next attempt is made at this time, CLOCK_MONOTONIC.
        case waiting(until: Seconds)
        /// An attempt is running.
        case connecting
        /// There is one.
        case open(Session)
        /// It must end, for this reason.
        case closing(String)
    }

    /// One connection.
    struct Session: Sendable, Equatable {
        let facts: PeerFacts
        let since: Seconds
        var variant: ServerVariant
        /// Whether the server's configuration has arrived, or was waited for long enough.
        var isReady = false
        /// Whether a message is being sent.
        var isWriting = false
    }

    var session: Session? { if case .open(let session) = link { session } else { nil } }

    mutating func start(_ now: Moment, _ actions: inout [Action]) {
        guard case .stopped = link else { return }
        connect(&actions)
    }

    private mutating func connect(_ actions: inout [Action]) {
        link = .connecting
        show(.connecting, &actions)
        actions.append(.connect)
    }

    mutating func stop(_ actions: inout [Action]) {
        switch link {
        case .stopped: return
        case .connecting, .open: actions.append(.disconnect(reason: "the owner has ended the connection"))
        case .waiting, .closing: break
        }
        if let need = course?.need { actions.append(.release(need)) }
        (link, plan, answers, course) = (.stopped, ReconnectPlan(), AnswerQueue(), nil)
        queue.removeAll()
        (announcements, uploadsUntil, pausedUntil) = ([], -.infinity, -.infinity)
        show(.off, &actions)
    }

    mutating func opened(_ facts: PeerFacts, _ now: Moment, _ actions: inout [Action]) {
        guard case .connecting = link else { return }
        if let objection = objection(to: facts) {
            // The caller checks the same. No name leaves this machine if either of them finds a difference.
            actions.append(.log("\(server.name): \(objection)", isWarning: true))
            return close(objection, &actions)
        }
        plan.connected()
        link = .open(Session(facts: facts, since: now.monotonic, variant: facts.health?.variant ?? .unknown))
        show(facts.isEncrypted ? .secure : .connected, &actions)
        audit(.connected, now, &actions)
        write(.send(ClientMessage.clientInfo(name: naming.device.text).bytes), &actions)
    }

    /// Returns why the connection is not the one that the owner wants, or nil if it is.
    private func objection(to facts: PeerFacts) -> String? {
        if server.isEncrypted, !facts.isEncrypted { return "the connection is not encrypted" }
        if let pin = server.pin, facts.certificate != pin { return "the certificate is not the accepted one" }
        return nil
    }

    mutating func refused(_ reason: String, _ now: Moment, _ actions: inout [Action]) {
        switch link {
        case .connecting, .closing: lost(reason, now, &actions)
        case .stopped, .waiting, .open: break
        }
    }

    mutating func ended(_ code: Int?, _ reason: String, _ now: Moment, _ actions: inout [Action]) {
        switch link {
        case .stopped, .waiting: return
        case .closing(let ours): lost(ours, now, &actions)
        case .connecting, .open:
            breakCourse(isTooLarge: code == 1009, now, &actions)
            lost(reason, now, &actions)
        }
    }

    private mutating func lost(_ reason: String, _ now: Moment, _ actions: inout [Action]) {
        breakCourse(isTooLarge: false, now, &actions)
        // The server may not have heard of them. A chunk that it hears of twice is at most uploaded twice.
        announcements = Array((answers.removeAll() + announcements).suffix(Self.mostAnnouncements))
        link = .waiting(until: now.monotonic + plan.failed())
        say(reason, now, &actions)
        show(.disconnected(reason), &actions)
    }

    /// Ends the connection. `lost` follows when the caller has done so.
    mutating func close(_ reason: String, _ actions: inout [Action]) {
        link = .closing(reason)
        show(.disconnected(reason), &actions)
        actions.append(.disconnect(reason: reason))
    }

    // MARK: time

    /// When `tick` must be called again, CLOCK_MONOTONIC, or nil if there is nothing to wait for.
    public var deadline: Seconds? {
        switch link {
        case .stopped, .connecting, .closing: nil
        case .waiting(let until): until
        case .open(let session):
            [
                answers.deadline, course?.settlesAt, session.isReady ? nil : session.since + Self.configPatience,
                isOnlyPaused(session) ? pausedUntil : nil,
            ].compactMap { $0 }.min()
        }
    }

    /// Whether an upload is held back by the pause, and by nothing else.
    private func isOnlyPaused(_ session: Session) -> Bool {
        session.isReady && !session.isWriting && !isHeld(session) && course == nil && !queue.tasks.isEmpty
    }

    mutating func due(_ now: Moment, _ actions: inout [Action]) {
        if case .waiting(let until) = link, now.monotonic >= until { return connect(&actions) }
        guard var session else { return }
        if let deadline = answers.deadline, now.monotonic >= deadline {
            breakCourse(isTooLarge: false, now, &actions)
            return close("no answer in time", &actions)
        }
        if !session.isReady, now.monotonic >= session.since + Self.configPatience {
            session.isReady = true
            link = .open(session)
        }
        settle(now, &actions)
    }

    // MARK: words

    mutating func show(_ new: LinkState, _ actions: inout [Action]) {
        guard new != state else { return }
        state = new
        actions.append(.show(new))
    }

    /// Writes a line to the log, unless the server causes too many of them.
    mutating func say(_ text: String, _ now: Moment, _ actions: inout [Action], isWarning: Bool = false) {
        let line = "\(server.name): \(text)"
        guard gates.lines.admits(line, now: now.monotonic) else { return }
        actions.append(.log(line, isWarning: isWarning))
    }

    func audit(
        _ what: AuditRecord.What, _ now: Moment, _ actions: inout [Action], file: String? = nil, bytes: Int? = nil,
        range: TimeRange? = nil, result: String? = nil
    ) {
        actions.append(
            .audit(
                AuditRecord(
                    what: what, time: now.unix, server: server.name, address: server.address,
                    certificate: session?.facts.certificate, file: file, bytes: bytes, range: range, result: result)))
    }
}
