internal import Aerie
internal import Geometry

/// The way of pictures to the server on one connection.
struct FrameCourse: Sendable, Equatable {
    /// The most pictures on their way that the server has not read. More would wait in the buffers of the network, which
    /// makes them old.
    static let mostUnread = 2
    /// With a round trip that is shorter than this, in seconds, one is enough.
    static let nearby: Seconds = 0.01
    /// After so many refused messages within a time, in seconds, a new connection is made.
    static let mostRefusals = 2, refusalsWithin: Seconds = 1.5
    /// A picture that shows what the last one showed waits this long, in seconds.
    static let stillFor: Seconds = 1
    /// After so long without a picture, in seconds, none are being sent.
    static let quietAfter: Seconds = 2

    var clock = FrameClock()
    /// The picture that is being encoded, by its time.
    var encoding: Seconds?
    /// When the last picture was sent.
    var lastSent: Seconds?
    /// When messages were refused last.
    var refusals: [Seconds] = []
    /// When it counts that no pictures are sent any more.
    var quietAt: Seconds?
    /// Before this time no further key frame is made: each is as large as many others.
    var keyFrom: Seconds = -.infinity
    /// The least time between two key frames that a server asks for, in seconds.
    static let keyEvery: Seconds = 1
}

/// Messages that wait until the one before is on its way, in order: at most a request, a heartbeat and a picture.
struct Outbox: Sendable, Equatable {
    enum Kind: Sendable, Equatable { case request, heartbeat, frame }

    private(set) var waiting: [(kind: Kind, bytes: [UInt8])] = []
    var isWriting = false

    /// Whether a heartbeat waits.
    var hasHeartbeat: Bool { waiting.contains { $0.kind == .heartbeat } }

    /// Puts a message in line. Returns whether it may leave at once.
    mutating func put(_ bytes: [UInt8], _ kind: Kind) -> Bool {
        guard isWriting else {
            isWriting = true
            return true
        }
        if kind == .request { waiting.removeAll { $0.kind == .request } }
        waiting.append((kind, bytes))
        return false
    }

    /// Returns the next message, if one waits.
    mutating func written() -> [UInt8]? {
        guard !waiting.isEmpty else {
            isWriting = false
            return nil
        }
        return waiting.removeFirst().bytes
    }

    static func == (a: Outbox, b: Outbox) -> Bool {
        a.isWriting == b.isWriting && a.waiting.map(\.bytes) == b.waiting.map(\.bytes)
    }
}

extension UplinkMachine {
    // MARK: messages

    mutating func received(_ bytes: [UInt8], _ now: Moment, _ actions: inout [Action]) {
        guard case .open(var session) = link else { return }
        session.heard = now.monotonic
        // It is put back before each step that may end the connection.
        link = .open(session)
        let message: Envelope
        do throws(Envelope.Flaw) {
            message = try Envelope(bytes, longest: Self.longestMessage)
        } catch {
            return say("ignored a message: \(error.rawValue)", now, &actions)
        }
        // A server that is not trusted yet has nothing else to say.
        guard session.isTrusted || message.type == MessageKind.authResponse.rawValue else { return }
        switch MessageKind(rawValue: message.type) {
        case .authResponse:
            guard let answer = AuthAnswer(message.payload) else {
                return say("ignored an answer that says nothing", now, &actions)
            }
            answered(answer, &session, now, &actions)
        case .heartbeat: pulse(message, &session, now)
        case .poseBroadcast: reported(message, now, &actions)
        case .keyFrame:
            guard session.takesVideo, now.monotonic >= session.course.keyFrom else { break }
            session.course.keyFrom = now.monotonic + FrameCourse.keyEvery
            actions.append(.keyFrame)
        case .authRequest, .cameraFrame, nil:
            say("ignored a message of the kind \"\(message.type.prefix(40))\"", now, &actions)
        }
        // A step that has ended the connection has replaced the link.
        if case .open = link { link = .open(session) }
    }

    /// The longest message of a server, in bytes: 12 people have more than 16 kB. And of one that is not trusted yet.
    public static let longestMessage = 1 << 20, longestStrangeMessage = 16 << 10
    /// A report that is older or younger than this, in seconds, has a wrong time.
    static let oldestReport: Seconds = 60

    private mutating func pulse(_ message: Envelope, _ session: inout Session, _ now: Moment) {
        guard let answer = session.heartbeats.answered(serverTime: message.time, clock: &clock, now: now) else {
            return
        }
        for exposure in answer.exposures {
            // Half of the quickest round trip is the way of the answer.
            let age = max(0, now.monotonic - exposure - (clock.roundTrip ?? 0) / 2)
            governor.arrived(age: age)
            meter.read(now: now.monotonic)
            totals.age = age
        }
    }

    private mutating func reported(_ message: Envelope, _ now: Moment, _ actions: inout [Action]) {
        guard let report = PoseReport(message.payload) else {
            return say("ignored a report of people that cannot be read", now, &actions)
        }
        // Without an answer to a heartbeat the server's clock is unknown, and the report counts as new.
        let age = clock.offset.map { now.unix - (report.time - $0) } ?? 0
        guard abs(age) <= Self.oldestReport else {
            return say("ignored a report of people with a wrong time", now, &actions)
        }
        totals.peopleAge = max(0, age)
        actions.append(.people(report, time: now.monotonic - max(0, age)))
    }

    // MARK: pictures

    mutating func pictured(_ exposure: Seconds, _ isStill: Bool, _ now: Moment, _ actions: inout [Action]) {
        guard case .open(var session) = link, session.isTrusted, session.isSigned else { return }
        var shape = governor.shape
        shape.isVideo = session.takesVideo
        guard session.course.clock.wants(exposure, rate: shape.rate) else { return }
        if isStill, let last = session.course.lastSent, exposure - last < FrameCourse.stillFor { return }
        let isNear = clock.roundTrip.map { $0 < FrameCourse.nearby } ?? false
        let mostUnread = isNear ? 1 : FrameCourse.mostUnread
        guard session.course.encoding == nil, !session.outbox.isWriting, session.heartbeats.unread < mostUnread else {
            totals.dropped += 1
            if session.heartbeats.unread >= mostUnread { governor.leftOut() }
            return
        }
        session.course.clock.advance(past: exposure, rate: shape.rate)
        session.course.encoding = exposure
        link = .open(session)
        actions.append(.encode(shape))
    }

    mutating func encoded(_ payload: [UInt8]?, _ now: Moment, _ actions: inout [Action]) {
        guard case .open(var session) = link, let exposure = session.course.encoding else { return }
        session.course.encoding = nil
        if let payload, session.isTrusted, session.isSigned {
            let text = Envelope.text(.cameraFrame, at: WireTime(unix: now.unix), payload: payload)
            send(text, .frame, &session, &actions)
            session.heartbeats.sent(picture: exposure)
            beat(&session, now, &actions)
            (session.course.lastSent, session.course.quietAt) = (exposure, now.monotonic + FrameCourse.quietAfter)
            totals.sent += 1
            meter.sent(text.count, now: now.monotonic)
            show(.streaming, &actions)
        }
        link = .open(session)
    }

    // MARK: sending

    /// Sends a heartbeat: its answer says that everything before it has been read.
    mutating func beat(_ session: inout Session, _ now: Moment, _ actions: inout [Action]) {
        session.beat = now.monotonic
        guard !session.outbox.hasHeartbeat else { return }
        session.heartbeats.sent(at: now)
        send(Envelope.text(.heartbeat, at: WireTime(unix: now.unix), [:]), .heartbeat, &session, &actions)
    }

    func send(_ bytes: [UInt8], _ kind: Outbox.Kind, _ session: inout Session, _ actions: inout [Action]) {
        if session.outbox.put(bytes, kind) { actions.append(.send(bytes)) }
    }

    mutating func written(_ actions: inout [Action]) {
        guard case .open(var session) = link else { return }
        if let next = session.outbox.written() { actions.append(.send(next)) }
        link = .open(session)
    }
}
