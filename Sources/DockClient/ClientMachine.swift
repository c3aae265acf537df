internal import ControlProtocol
internal import DockTypes
internal import Geometry

/// A program's side of the protocol as a pure value: calls and their answers, subscriptions, indicators and the lease,
/// across any number of connections. It receives lines and the time, and returns what to do.
struct ClientMachine: Sendable {
    /// What to do next.
    enum Output: Sendable, Equatable {
        /// Send these bytes, a whole line.
        case send([UInt8])
        /// A call has its result.
        case answer(Int, Result<JSONValue, DockError>)
        /// An event arrived.
        case event(DaemonEvent)
        /// Close the descriptors that came with this line.
        case discardDescriptors
        /// The lease was lost: the daemon has ended what the program moved.
        case leaseLost(DockError)
    }

    /// A request that the machine itself sends.
    private enum Errand: Equatable { case subscription, renewal, indicator }

    private var calls: [Int: Seconds] = [:]
    private var errands: [Int: Errand] = [:]
    private var nextID = 1
    private var wanted: [Topic: Interest] = [:]
    private var indicators: [String: [String: JSONValue]] = [:]
    private var lease: LeaseKeeper?
    /// The motion that the program began last.
    private var lastMotion: Int?
    /// The daemon's description of itself while connected.
    private(set) var greeting: ControlGreeting?
    private let path: String

    /// How many listeners want a topic, and how many of them want every frame.
    private struct Interest: Sendable, Equatable { var count = 0, everyFrame = 0 }

    /// The maximum number of calls that wait for their answers.
    static let mostCalls = 1024

    init(path: String = "") { self.path = path }

    /// Whether the program holds the lease, as far as it knows.
    var holdsLease: Bool { lease != nil }

    // MARK: connection

    /// Records a new connection: everything that the program wants is requested again.
    mutating func connected(_ greeting: ControlGreeting) -> [Output] {
        self.greeting = greeting
        var outputs: [Output] = []
        // One by one, because an older daemon refuses a topic that it does not know, and the others with it.
        for topic in Topic.allCases where wanted[topic] != nil { outputs.append(subscribe([topic])) }
        for name in indicators.keys.sorted() {
            outputs.append(errand(.indicator, "setIndicator", indicators[name] ?? [:]))
        }
        return outputs
    }

    /// Records that the connection has ended: pending calls fail, and a lease is lost.
    mutating func lost(_ error: DockError) -> [Output] {
        greeting = nil
        errands = [:]
        defer { calls = [:] }
        var outputs = calls.keys.sorted().map { Output.answer($0, .failure(error)) }
        if lease != nil {
            lease = nil
            outputs.append(.leaseLost(error))
        }
        return outputs
    }

    // MARK: calls

    /// Begins a call. Returns its number.
    /// - Throws: `notConnected` while there is no connection, `notSupported` if the daemon lacks the feature, `busy` if
    ///   too many calls wait.
    mutating func call(
        _ method: String, _ parameters: [String: JSONValue], timeout: Seconds, feature: String? = nil,
        isStop: Bool = false, now: Seconds
    ) throws(DockError) -> (Int, [UInt8]) {
        guard let greeting else { throw Self.disconnected(path) }
        if let feature { try greeting.require(feature, at: path) }
        guard isStop || calls.count < Self.mostCalls else {
            throw DockError(.busy, "\(Self.mostCalls) calls wait for their answers", hint: "wait for some of them")
        }
        let (id, bytes) = request(method, parameters)
        calls[id] = now + timeout
        lease?.beat(now: now)
        return (id, bytes)
    }

    /// Returns a request without an answer, as a line.
    static func notification(_ method: String, _ parameters: [String: JSONValue]) -> [UInt8] {
        let members: [String: JSONValue] = [
            "jsonrpc": .string("2.0"), "method": .string(method), "params": .object(parameters),
        ]
        return JSONValue.object(members).bytes + [0x0A]
    }

    /// Gives up a call, because its caller does not wait any more.
    mutating func abandon(_ id: Int) { calls[id] = nil }

    /// Handles a line from the daemon.
    /// - Throws: `protocolError` if it is not JSON.
    mutating func receive(_ line: [UInt8], now: Seconds) throws(DockError) -> [Output] {
        guard let message = JSONValue(json: line) else { throw ControlGreeting.invalid(line, from: path) }
        if let event = DaemonEvent(message) { return [.event(event)] }
        let result: Result<JSONValue, DockError> =
            message["error"].map { .failure(ControlRefusal($0).error) } ?? .success(message["result"] ?? .null)
        guard let id = message["id"]?.integer else {
            // The daemon closes the connection and says why.
            if case .failure(let error) = result { throw error }
            return []
        }
        if case .success(let value) = result, let motion = value["motion"]?.integer { lastMotion = motion }
        if calls.removeValue(forKey: id) != nil { return [.answer(id, result)] }
        if errands.removeValue(forKey: id) == .renewal { return renewed(result) }
        if case .success(let value) = result, value["slots"] != nil { return [.discardDescriptors] }
        return []
    }

    /// Whether the line answers a call that still waits.
    func awaits(_ id: Int) -> Bool { calls[id] != nil }

    // MARK: topics

    /// Adds a listener to a topic.
    /// - Throws: `notSupported` if the daemon does not know the topic.
    mutating func listen(to topic: Topic, everyFrame: Bool) throws(DockError) -> [Output] {
        // The rate came with topic `detections`.
        if let greeting, let feature = everyFrame ? Topic.detections.rawValue : Self.feature(of: topic) {
            try greeting.require(feature, at: path)
        }
        var interest = wanted[topic] ?? Interest()
        interest.count += 1
        interest.everyFrame += everyFrame ? 1 : 0
        wanted[topic] = interest
        // Each new listener gets a snapshot.
        return greeting == nil ? [] : [subscribe([topic])]
    }

    /// Removes a listener.
    mutating func stopListening(to topic: Topic, everyFrame: Bool) -> [Output] {
        guard var interest = wanted[topic] else { return [] }
        interest.count -= 1
        interest.everyFrame -= everyFrame ? 1 : 0
        wanted[topic] = interest.count > 0 ? interest : nil
        guard greeting != nil else { return [] }
        guard interest.count == 0 else { return everyFrame && interest.everyFrame == 0 ? [subscribe([topic])] : [] }
        return [errand(.subscription, "unsubscribe", ["topics": .array([.string(topic.rawValue)])])]
    }

    private mutating func subscribe(_ topics: [Topic]) -> Output {
        var parameters: [String: JSONValue] = ["topics": .array(topics.map { .string($0.rawValue) })]
        if topics.contains(.tracking), wanted[.tracking]?.everyFrame ?? 0 > 0 { parameters["rate"] = .string("all") }
        return errand(.subscription, "subscribe", parameters)
    }

    private static func feature(of topic: Topic) -> String? {
        switch topic {
        case .detections, .layers, .indicators, .cues: topic.rawValue
        case .accessory, .motion, .tracking, .battery, .events, .face, .log: nil
        }
    }

    // MARK: indicators

    /// Remembers an indicator, so that it is shown again after a reconnection.
    mutating func remember(indicator name: String, _ parameters: [String: JSONValue], isOff: Bool) {
        indicators[name] = isOff ? nil : parameters
    }

    // MARK: lease

    /// Records that the program has acquired the lease. Returns false if the connection has ended meanwhile.
    mutating func acquired(patience: Seconds, now: Seconds) -> Bool {
        guard greeting != nil else { return false }
        lease = LeaseKeeper(patience: patience, now: now)
        return true
    }

    /// Gives the lease back. `isAbandoned`: the program has lost sight of it, so what it moves ends first.
    mutating func released(isAbandoned: Bool) -> [Output] {
        lease = nil
        guard greeting != nil else { return [] }
        var outputs: [Output] = []
        if isAbandoned, let motion = lastMotion {
            outputs.append(errand(.subscription, "cancelMotion", ["motion": .number(motion)]))
        }
        return outputs + [errand(.subscription, "releaseControl", [:])]
    }

    /// Records a sign of life.
    mutating func beat(now: Seconds) { lease?.beat(now: now) }

    private mutating func renewed(_ result: Result<JSONValue, DockError>) -> [Output] {
        guard lease != nil else { return [] }
        switch result {
        case .success(let answer) where answer["renewed"]?.bool == true:
            lease?.answered()
            return []
        case .success:
            // It had expired, so what it moved has stopped. The new lease is given back: the program must know first.
            // A motion that it began meanwhile has no owner, and ends.
            return released(isAbandoned: true) + [.leaseLost(Self.expired)]
        case .failure(let error):
            lease = nil
            return [.leaseLost(error)]
        }
    }

    private static let expired = DockError(
        .timeout, "the lease has expired, and the daemon has ended what this program moved",
        hint: "acquire control again")

    // MARK: time

    /// Does what is due: calls time out, and the lease is renewed.
    mutating func due(now: Seconds) -> [Output] {
        var outputs: [Output] = []
        for (id, deadline) in calls.sorted(by: { $0.key < $1.key }) where now >= deadline {
            calls[id] = nil
            outputs.append(
                .answer(
                    id,
                    .failure(
                        DockError(
                            .timeout, "the dockface at \(path) does not answer", hint: "check it, and restart it"))))
        }
        if let keeper = lease, keeper.isSilent(now: now) {
            // Another part of the program may go on calling, which would renew the lease in the daemon.
            outputs += released(isAbandoned: true) + [.leaseLost(Self.silent(keeper.patience))]
        } else if lease?.isDue(now: now) == true {
            outputs.append(errand(.renewal, "acquireControl", [:]))
        }
        return outputs
    }

    /// When `due` must be called again, or nil if there is nothing to wait for.
    func deadline(now: Seconds) -> Seconds? {
        let lease = lease.map { keeper in keeper.deadline(now: now) ?? now + LeaseKeeper.period }
        return [calls.values.min(), lease].compactMap { $0 }.min()
    }

    private static func silent(_ patience: Seconds) -> DockError {
        DockError(
            .timeout, "this program gave no sign of life for \(patience) s, so its lease was not renewed",
            hint: "call `beat` during long work, or give the lease more patience")
    }

    static func disconnected(_ path: String) -> DockError {
        DockError(
            .notConnected, "there is no connection to dockface" + (path.isEmpty ? "" : " (\(path))"),
            hint: "start it with `dockface run`; the connection is made again by itself")
    }

    // MARK: requests

    private mutating func errand(_ errand: Errand, _ method: String, _ parameters: [String: JSONValue]) -> Output {
        let (id, bytes) = request(method, parameters)
        errands[id] = errand
        return .send(bytes)
    }

    private mutating func request(_ method: String, _ parameters: [String: JSONValue]) -> (Int, [UInt8]) {
        let id = nextID
        nextID += 1
        var request: [String: JSONValue] = ["jsonrpc": .string("2.0"), "id": .number(id), "method": .string(method)]
        if !parameters.isEmpty { request["params"] = .object(parameters) }
        return (id, JSONValue.object(request).bytes + [0x0A])
    }
}
