internal import Aerie
public import Geometry

extension UplinkMachine {
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
        /// It must end, for this reason, and is tried again after this time, CLOCK_MONOTONIC.
        case closing(String, until: Seconds?)
    }

    /// One connection.
    struct Session: Sendable, Equatable {
        let since: Seconds
        /// The numbers of the requests that the server has not answered, and when the last one was sent.
        var nonces: [String] = [], asked: Seconds
        /// Whether the server knows this robot, and has shown that it may see frames.
        var isTrusted = false
        /// Whether the server accepts H.264.
        var takesVideo = false
        /// Whether the robot shows that frames are sent.
        var isSigned = false
        /// When that is tried again.
        var signAt: Seconds?
        /// When the last message arrived.
        var heard: Seconds
        var heartbeats = HeartbeatLedger()
        /// When the last heartbeat was sent.
        var beat: Seconds
        var outbox = Outbox()
        var course = FrameCourse()
    }

    /// How long the server may take to accept this robot, and how often it is asked. A message at once after the
    /// handshake can be lost on its way inside of the server.
    static let authenticationLimit: Seconds = 10, askEvery: Seconds = 1
    /// How often a heartbeat is sent at rest, and after how long a silence the server is lost.
    static let beatEvery: Seconds = 1, lostAfter: Seconds = 5

    mutating func start(_ actions: inout [Action]) {
        guard case .stopped = link else { return }
        connect(&actions)
    }

    private mutating func connect(_ actions: inout [Action]) {
        link = .connecting
        show(.connecting, &actions)
        actions.append(.connect(fragment: fragment))
    }

    mutating func stop(_ actions: inout [Action]) {
        switch link {
        case .stopped: return
        case .connecting, .open: actions.append(.disconnect(reason: "the owner has ended the connection"))
        case .waiting, .closing: break
        }
        link = .stopped
        show(.off, &actions)
    }

    mutating func opened(_ now: Moment, _ actions: inout [Action]) {
        guard case .connecting = link else { return }
        (clock, meter) = (ServerClock(), UplinkMeter())
        (totals.age, totals.peopleAge) = (nil, nil)
        var session = Session(
            since: now.monotonic, asked: now.monotonic, heard: now.monotonic, beat: now.monotonic)
        show(.authenticating, &actions)
        ask(&session, now, &actions)
        link = .open(session)
    }

    mutating func refused(_ reason: String, _ now: Moment, _ actions: inout [Action]) {
        switch link {
        case .connecting: lost(reason, until: nil, now, &actions)
        case .closing(let ours, let until): lost(ours, until: until, now, &actions)
        case .stopped, .waiting, .open: break
        }
    }

    mutating func distrusted(_ reason: String, _ now: Moment, _ actions: inout [Action]) {
        guard case .connecting = link else { return refused(reason, now, &actions) }
        lost(reason, until: now.monotonic + RetryPlan.refused, now, &actions)
    }

    /// The number with which a server ends a connection because of a newer one of the same device.
    static let replaced = 4409

    mutating func ended(_ code: Int?, _ reason: String, _ now: Moment, _ actions: inout [Action]) {
        switch link {
        case .stopped, .waiting: return
        case .closing(let ours, let until): return lost(ours, until: until, now, &actions)
        case .connecting: break
        case .open(let session):
            plan.lasted(now.monotonic - session.since)
            if code == 1009 { tooLarge() }
            if code == Self.replaced {
                return lost(
                    "another program uses this robot's name", until: now.monotonic + RetryPlan.refused, now, &actions)
            }
            // The server ends a connection that it does not know after ten seconds.
            if !session.isTrusted, code == 1008 {
                return lost(
                    "the server did not accept this robot", until: now.monotonic + RetryPlan.refused, now, &actions)
            }
        }
        lost(reason, until: nil, now, &actions)
    }

    /// The server takes no messages of this size: smaller parts first, then smaller pictures.
    private mutating func tooLarge() {
        guard let smaller = Self.fragments.first(where: { $0 < fragment }) else { return governor.tooLarge() }
        fragment = smaller
    }

    private mutating func lost(_ reason: String, until: Seconds?, _ now: Moment, _ actions: inout [Action]) {
        link = .waiting(until: until ?? now.monotonic + plan.next())
        say(reason, now, &actions, isWarning: until != nil)
        show(until == nil ? .waiting(reason) : .refused(reason), &actions)
    }

    /// Ends the connection. `lost` follows when the caller has done so.
    mutating func close(_ reason: String, until: Seconds? = nil, _ now: Moment, _ actions: inout [Action]) {
        if case .open(let session) = link { plan.lasted(now.monotonic - session.since) }
        link = .closing(reason, until: until)
        actions.append(.disconnect(reason: reason))
    }

    /// Ends the connection to a server that does not trust this robot, or that it does not trust.
    mutating func reject(_ reason: String, _ now: Moment, _ actions: inout [Action]) {
        close(reason, until: now.monotonic + RetryPlan.refused, now, &actions)
    }

    // MARK: time

    /// When `tick` must be called, CLOCK_MONOTONIC, or nil if there is nothing to wait for.
    public var deadline: Seconds? {
        switch link {
        case .stopped, .connecting, .closing: nil
        case .waiting(let until): until
        case .open(let session):
            session.isTrusted
                ? [
                    session.beat + Self.beatEvery, session.heard + Self.lostAfter,
                    session.heartbeats.oldest.map { $0 + Self.lostAfter }, session.signAt, session.course.quietAt,
                ].compactMap { $0 }.min()
                : min(session.since + Self.authenticationLimit, session.asked + Self.askEvery)
        }
    }

    mutating func due(_ now: Moment, _ actions: inout [Action]) {
        if case .waiting(let until) = link, now.monotonic >= until { return connect(&actions) }
        guard case .open(var session) = link else { return }
        guard session.isTrusted else {
            if now.monotonic >= session.since + Self.authenticationLimit {
                return close("the server did not answer within \(Int(Self.authenticationLimit)) s", now, &actions)
            }
            if now.monotonic >= session.asked + Self.askEvery {
                ask(&session, now, &actions)
            }
            link = .open(session)
            return
        }
        let unanswered = session.heartbeats.oldest ?? .infinity
        if now.monotonic >= min(session.heard, unanswered) + Self.lostAfter {
            return close("the server was silent for \(Int(Self.lostAfter)) s", now, &actions)
        }
        if now.monotonic >= session.beat + Self.beatEvery { beat(&session, now, &actions) }
        if let time = session.signAt, now.monotonic >= time {
            session.signAt = nil
            actions.append(.sign)
        }
        if let quiet = session.course.quietAt, now.monotonic >= quiet {
            session.course.quietAt = nil
            show(.paused, &actions)
        }
        link = .open(session)
    }

    // MARK: words

    mutating func show(_ new: UplinkState, _ actions: inout [Action]) {
        guard new != state else { return }
        state = new
        actions.append(.show(new))
    }

    /// Writes a line to the log, unless the server causes too many of them.
    mutating func say(_ text: String, _ now: Moment, _ actions: inout [Action], isWarning: Bool = false) {
        let line = "\(terms.server): \(text)"
        // What a server causes must not use up the room of what the owner has to know.
        guard isWarning ? warnings.admits(line, now: now.monotonic) : gate.admits(line, now: now.monotonic) else {
            return
        }
        actions.append(.log(line, isWarning: isWarning))
    }
}
