public import Aerie
internal import ControlProtocol
public import Geometry

/// A server for the robots and telephones of a room as a pure value: it receives what clients do and the time, and
/// returns answers.
public struct RoomMachine: Sendable {
    /// A time on both clocks.
    public struct Moment: Sendable, Equatable {
        /// CLOCK_MONOTONIC.
        public var monotonic: Seconds
        /// Seconds since 1970.
        public var unix: Double

        /// Creates a time.
        public init(monotonic: Seconds, unix: Double) { (self.monotonic, self.unix) = (monotonic, unix) }
    }

    /// The number of a connection.
    public typealias Visit = Int

    /// What to do.
    public enum Action: Sendable, Equatable {
        /// Send a message.
        case send(Visit, [UInt8])
        /// Send a message that replaces an earlier one that still waits.
        case broadcast([Visit], [UInt8])
        /// The client has proved itself: take larger messages of it.
        case accept(Visit)
        /// End a connection.
        case close(Visit, code: UInt16, reason: String)
        /// Write to the program's log.
        case log(String, isWarning: Bool)
    }

    /// One connection.
    struct Client: Sendable {
        let device: String, address: String
        let since: Seconds
        var session: String?
        var isVerified = false
        var name = ""
        var clock = ClientClock()
        /// Refused requests, and messages before it was accepted.
        var failures = 0, strangeMessages = 0
        var frames = FrameCount()
        var intake = Intake()
    }

    /// What a client sends in a second. It is bounded before anything is read, so that no client keeps the others waiting.
    struct Intake: Sendable {
        /// The most messages and bytes of a second.
        static let mostMessages = 200, mostBytes = 16 << 20
        private var second: Seconds = -.infinity, messages = 0, bytes = 0

        /// Whether a message of this size is read.
        mutating func admits(_ count: Int, now: Seconds) -> Bool {
            if now - second >= 1 { (second, messages, bytes) = (now, 0, 0) }
            messages += 1
            bytes += count
            return messages <= Self.mostMessages && bytes <= Self.mostBytes
        }
    }

    /// The pictures of a client.
    struct FrameCount: Sendable {
        var total = 0, skeletons = 0, refused = 0
        /// When the second began in which pictures are counted, and how many there were.
        var second: Seconds = -.infinity, inSecond = 0
        /// The pictures of the last whole second.
        var rate = 0
    }

    var credentials: Credentials
    var gate = FailureGate()
    var model = RoomModel()
    var clients: [Visit: Client] = [:]
    var totals = Totals()
    private var nextReport: Seconds = -.infinity

    /// What was counted since the start.
    struct Totals: Sendable, Equatable {
        var connections = 0, refusals = 0, frames = 0, videoFrames = 0, reports = 0, people = 0
        /// When people were reported last.
        var reported: Seconds = -.infinity
    }

    /// How long a client may take to be accepted; how often people are reported.
    static let authenticationLimit: Seconds = 10, reportEvery: Seconds = 0.1
    /// After so many refused requests, or messages before it is accepted, a connection ends.
    static let mostFailures = 5, mostStrangeMessages = 50
    /// The most devices, and the most connections of one address that are not accepted yet.
    static let mostDevices = 64, mostStrangers = 64
    /// The most connections in all: strangers of one address leave room for everyone else.
    public static let mostConnections = 192
    /// The most pictures a second of a client that are looked at.
    static let mostFrames = 70
    /// The longest message of a client that was accepted, in bytes, and of one that was not.
    public static let longestMessage = 2 << 20, longestStrangeMessage = 16 << 10

    /// Creates a server.
    /// - Parameter isLenient: whether clients whose signature cannot be verified are accepted.
    public init(secret: SharedSecret, isLenient: Bool) { credentials = Credentials(secret, isLenient: isLenient) }

    // MARK: events

    /// A client has connected with this path.
    public mutating func opened(_ visit: Visit, path: String, address: String, at now: Moment) -> [Action] {
        totals.connections += 1
        guard let device = Self.device(path) else {
            return [.close(visit, code: 1008, reason: "the path names no device")]
        }
        let strangers = clients.values.filter { $0.session == nil && $0.address == address }
        guard strangers.count < Self.mostStrangers else {
            return [.close(visit, code: 1008, reason: "too many connections of this address are not accepted yet")]
        }
        guard gate.admits(address, now: now.monotonic) else {
            return [.close(visit, code: 1008, reason: "too many refused requests; try again in a minute")]
        }
        clients[visit] = Client(device: device, address: address, since: now.monotonic)
        return []
    }

    /// A connection has ended.
    public mutating func closed(_ visit: Visit, at now: Moment) -> [Action] {
        guard let client = clients.removeValue(forKey: visit), client.session != nil else { return [] }
        if !clients.values.contains(where: { $0.device == client.device && $0.session != nil }) {
            model.leave(client.device)
        }
        return [.log("\(client.name) has left after \(client.frames.total) frames", isWarning: false)]
    }

    /// A client has sent a text.
    public mutating func received(_ visit: Visit, _ text: [UInt8], at now: Moment) -> [Action] {
        guard var client = clients[visit] else { return [] }
        var actions: [Action] = []
        guard client.intake.admits(text.count, now: now.monotonic) else {
            clients[visit] = client
            return []
        }
        if client.session == nil {
            client.strangeMessages += 1
            guard client.strangeMessages <= Self.mostStrangeMessages else {
                return [.close(visit, code: 1008, reason: "too many messages before the client was accepted")]
            }
        }
        handle(text, visit, &client, now, &actions)
        if clients[visit] != nil { clients[visit] = client }
        return actions
    }

    private mutating func handle(
        _ text: [UInt8], _ visit: Visit, _ client: inout Client, _ now: Moment, _ actions: inout [Action]
    ) {
        let longest = client.session == nil ? Self.longestStrangeMessage : Self.longestMessage
        let message: Envelope
        do throws(Envelope.Flaw) {
            message = try Envelope(text, longest: longest)
        } catch {
            return refuse(error.rawValue, visit, now, &actions)
        }
        switch MessageKind(rawValue: message.type) {
        case .authRequest: authenticate(message, visit, &client, now, &actions)
        case .cameraFrame: frame(message, visit, &client, now, &actions)
        case .heartbeat:
            client.clock.heard(sent: message.time, arrived: now.monotonic)
            actions.append(
                .send(visit, Envelope.text(.heartbeat, at: WireTime(unix: now.unix), ["pong": .bool(true)])))
        case .authResponse, .poseBroadcast, .keyFrame, nil:
            refuse("this kind of message is not for a server", visit, now, &actions)
        }
    }

    /// Answers a message that is not taken.
    func refuse(_ reason: String, _ visit: Visit, _ now: Moment, _ actions: inout [Action]) {
        let answer = AuthAnswer(isSuccess: false, error: reason)
        actions.append(.send(visit, Envelope.text(.authResponse, at: WireTime(unix: now.unix), answer.members)))
    }

    // MARK: time

    /// When `tick` must be called, CLOCK_MONOTONIC, or nil if there is nothing to wait for.
    public var deadline: Seconds? {
        let strangers = clients.values.filter { $0.session == nil }.map { $0.since + Self.authenticationLimit }
        let report = clients.values.contains { $0.session != nil } ? nextReport : nil
        return (strangers + [report].compactMap { $0 }).min()
    }

    /// Does what is due. Call it at `deadline`.
    public mutating func tick(at now: Moment) -> [Action] {
        var actions: [Action] = []
        for (visit, client) in clients where client.session == nil {
            guard now.monotonic >= client.since + Self.authenticationLimit else { continue }
            clients[visit] = nil
            gate.failed(client.address, now: now.monotonic)
            actions.append(.close(visit, code: 1008, reason: "not accepted within 10 s"))
        }
        guard now.monotonic >= nextReport else { return actions }
        nextReport = max(nextReport + Self.reportEvery, now.monotonic + Self.reportEvery / 2)
        guard let report = model.report(now: now) else {
            if now.monotonic - totals.reported > 1 { totals.people = 0 }
            return actions
        }
        totals.reports += 1
        totals.reported = now.monotonic
        totals.people = report.people.count
        let text = Envelope.text(.poseBroadcast, at: WireTime(unix: now.unix), report.members)
        actions.append(.broadcast(clients.filter { $0.value.session != nil }.map(\.key).sorted(), text))
        return actions
    }

    /// The device that a path names: `/ws/connect/DEVICE`.
    public static func device(_ path: String) -> String? {
        let start = "/ws/connect/"
        guard path.hasPrefix(start) else { return nil }
        let device = String(path.dropFirst(start.count))
        return Credentials.isName(device) ? device : nil
    }
}
