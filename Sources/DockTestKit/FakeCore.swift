internal import ControlProtocol

/// A fake daemon as a pure value: it receives lines, and what it sends waits in its connections.
struct FakeCore: Sendable {
    /// A reply that waits for `release`.
    private struct Held: Sendable {
        var request: FakeRequest
        var steps: [FakeStep]
    }

    var greeting: FakeGreeting
    var script = FakeScript()
    private(set) var connections: [Int: FakeConnection] = [:]
    private var topics = FakeTopics()
    private var leaseHolder: Int?
    private var isHolding = false
    private var held: [Held] = []
    private var lastNumber = 0

    init(greeting: FakeGreeting) { self.greeting = greeting }

    // MARK: connections

    /// Adds a connection, and greets it. Returns its number.
    mutating func connect() -> Int {
        lastNumber += 1
        var connection = FakeConnection()
        switch greeting {
        case .daemon(let version, let speaks, let features):
            connection.send(
                .object([
                    "name": .string("dockface"), "version": .string(version), "protocol": .number(speaks),
                    "features": features.map { .array($0.map { .string($0) }) } ?? APITypes.features,
                ]))
        case .line(let line): connection.send((line + "\n").utf8)
        case .silence: break
        }
        connections[lastNumber] = connection
        return lastNumber
    }

    /// Removes a connection that has ended.
    mutating func remove(_ number: Int) {
        connections[number] = nil
        held.removeAll { $0.request.connection == number }
        if leaseHolder == number { leaseHolder = nil }
    }

    /// Forgets everything that a daemon forgets when it ends.
    mutating func restart() {
        for number in connections.keys { remove(number) }
        topics = FakeTopics()
    }

    /// Records that bytes of a connection were sent.
    mutating func didSend(_ count: Int, to number: Int) { connections[number]?.didSend(count) }

    // MARK: requests

    /// Takes bytes of a connection. Returns the requests in them.
    mutating func receive(_ bytes: some Collection<UInt8>, from number: Int) -> [FakeRequest] {
        (connections[number]?.receive(bytes) ?? []).map { FakeRequest($0, on: number) }
    }

    /// Replies to a request with these steps, now or at `release`.
    mutating func reply(_ steps: [FakeStep], to request: FakeRequest) {
        guard !isHolding else { return held.append(Held(request: request, steps: steps)) }
        for step in steps { perform(step, for: request) }
    }

    /// Holds all replies back from now on.
    mutating func hold() { isHolding = true }

    /// Sends the replies that were held back, and holds none back from now on.
    mutating func release() {
        isHolding = false
        let late = held
        held = []
        for one in late { for step in one.steps { perform(step, for: one.request) } }
    }

    /// Does something at all connections, without a request.
    mutating func perform(_ steps: [FakeStep]) {
        for number in connections.keys.sorted() { for step in steps { perform(step, on: number) } }
    }

    // MARK: topics

    /// Records a change of a topic, and sends it to those who have subscribed.
    mutating func publish(_ topic: Topic, _ data: JSONValue, lost: Int) {
        let event = topics.change(topic, data, lost: lost)
        for (number, connection) in connections where connection.topics.contains(topic) {
            connections[number]?.send(event)
        }
    }

    // MARK: steps

    private mutating func perform(_ step: FakeStep, for request: FakeRequest) {
        switch step {
        case .usual: usual(request)
        case .result(let value): answer(request, "result", value)
        case .refusal(let code, let message, let hint): refuse(request, code, message, hint: hint)
        case .event, .line, .bytes, .hangUp: perform(step, on: request.connection)
        }
    }

    private mutating func perform(_ step: FakeStep, on number: Int) {
        switch step {
        case .event(let topic, let data): connections[number]?.send(topics.change(topic, data))
        case .line(let line): connections[number]?.send((line + "\n").utf8)
        case .bytes(let bytes): connections[number]?.send(bytes)
        case .hangUp: connections[number]?.end()
        // There is no request to answer.
        case .usual, .result, .refusal: break
        }
    }

    private mutating func answer(_ request: FakeRequest, _ member: String, _ value: JSONValue) {
        guard let id = request.id else { return }
        connections[request.connection]?.send(.object(["jsonrpc": .string("2.0"), "id": id, member: value]))
    }

    private mutating func refuse(_ request: FakeRequest, _ code: APIErrorCode, _ message: String, hint: String = "") {
        answer(
            request, "error",
            .object([
                "code": .number(code.number), "message": .string("\(code.rawValue): \(message)"),
                "data": .object(["name": .string(code.rawValue), "hint": .string(hint)]),
            ]))
    }

    /// Answers as the real daemon would, as far as the table of methods says how.
    private mutating func usual(_ request: FakeRequest) {
        guard !request.method.isEmpty else { return refuse(request, .invalidRequest, "this is no request") }
        guard let row = MethodTable.row(request.method) else {
            return refuse(request, .methodNotFound, "unknown method \"\(request.method)\"")
        }
        let given = request.parameters.isNull ? JSONValue.object([:]) : request.parameters
        guard Shape.object(row.parameters).fits(given), !row.isChoice || given.object?.count == 1 else {
            return refuse(request, .invalidParameter, "\(row.name) takes " + Field.usage(row.parameters))
        }
        switch row.name {
        case "subscribe": subscribe(request)
        case "unsubscribe":
            connections[request.connection]?.topics.subtract(Self.topics(in: request) ?? Topic.allCases)
            answerTopics(request)
        case "acquireControl": acquire(request)
        case "releaseControl":
            if leaseHolder == request.connection { leaseHolder = nil }
            answer(request, "result", row.result.sample)
        case "openPictures": refuse(request, .notConnected, "there is no camera")
        default: answer(request, "result", row.result.sample)
        }
    }

    private mutating func subscribe(_ request: FakeRequest) {
        let wanted = Self.topics(in: request) ?? []
        connections[request.connection]?.topics.formUnion(wanted)
        answerTopics(request)
        for topic in wanted { connections[request.connection]?.send(topics.snapshot(topic)) }
    }

    private mutating func answerTopics(_ request: FakeRequest) {
        let topics = (connections[request.connection]?.topics ?? []).map(\.rawValue).sorted()
        answer(request, "result", .object(["topics": .array(topics.map { .string($0) })]))
    }

    private mutating func acquire(_ request: FakeRequest) {
        if let holder = leaseHolder, holder != request.connection {
            return refuse(request, .busy, "another program holds the lease", hint: "try again later")
        }
        let isRenewed = leaseHolder != nil
        leaseHolder = request.connection
        answer(request, "result", .object(["lease": .number(2), "renewed": .bool(isRenewed)]))
    }

    private static func topics(in request: FakeRequest) -> [Topic]? {
        request["topics"]?.array?.compactMap { $0.string.flatMap(Topic.init(rawValue:)) }
    }
}
