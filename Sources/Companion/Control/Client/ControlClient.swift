internal import CPosix
public import DockControl
public import Geometry
internal import Glibc

/// A connection to a running daemon for programs that do one thing after the other: calls wait for their answers, and no
/// longer than they are told. It belongs to one thread.
public final class ControlClient {
    /// What the daemon says of itself.
    public struct Greeting: Sendable, Equatable {
        /// Its version.
        public var version: String
        /// The version of the protocol.
        public var speaks: Int
    }

    /// The version of the protocol that is spoken here.
    public static let speaks = 1

    /// What the daemon said first.
    public let greeting: Greeting

    private let channel: LineChannel
    private var nextID = 1
    /// Events that came while an answer was waited for. Of too many the newest stay: each tells a whole state.
    private var waiting: [DaemonEvent] = []
    private static let bound = 256

    /// Connects, and reads the greeting.
    /// - Parameters:
    ///   - path: the socket; nil: where docs/CONTROL-API.md looks for it.
    ///   - timeout: for the greeting, seconds.
    /// - Throws: `notConnected` if no daemon runs there, `permission`, `timeout`, `protocolError` if it is another program
    ///   or another version of the protocol.
    public init(path: String? = nil, timeout: Seconds = 2) throws(DockError) {
        let (channel, path) = try Self.connect(path, timeout: timeout)
        guard let line = try channel.next(until: cposix_monotonic_now() + timeout) else { throw channel.silence }
        let first = JSONValue(json: line)
        // A daemon with no room for one more says so, and closes.
        if let refusal = first?["error"] { throw ControlRefusal(refusal).error }
        guard first?["name"]?.string == "dockface", let speaks = first?["protocol"]?.integer else {
            throw DockError(
                .protocolError, "what listens at \(path) is not dockface",
                hint: "give dockface's socket with --socket PATH")
        }
        let version = first?["version"]?.string ?? "?"
        guard speaks == Self.speaks else {
            throw DockError(
                .protocolError,
                "the dockface \(version) at \(path) speaks protocol \(speaks), this program speaks \(Self.speaks)",
                hint: "update the older one, and start the daemon again")
        }
        greeting = Greeting(version: version, speaks: speaks)
        self.channel = channel
    }

    /// Where a daemon of this user is looked for.
    public static var path: String {
        ControlSocketPath.default(
            environment: ProcessEnvironment.values("DOCKFACE_SOCKET", "XDG_RUNTIME_DIR"), uid: geteuid())
    }

    /// Of this user's daemon; where there is none, and nobody has named a socket, of the service.
    private static func connect(
        _ named: String?, timeout: Seconds
    ) throws(DockError) -> (channel: LineChannel, path: String) {
        let own = named ?? path
        guard named == nil, ProcessEnvironment.value("DOCKFACE_SOCKET") == nil else {
            return (try LineChannel(path: own, timeout: timeout), own)
        }
        var isSafe = false
        do throws(DockError) {
            try SocketTrust.checkFolder(of: own)
            isSafe = true
            return (try LineChannel(path: own, timeout: timeout), own)
        } catch {
            // Whoever has a place of its own elsewhere, as tests and containers do, means nobody else's dock. In a folder that is not
            // safe no daemon of this user can be.
            let runtime = ProcessEnvironment.value("XDG_RUNTIME_DIR"), service = ControlSocketPath.service
            guard runtime?.hasPrefix("/run/user/") ?? true, error.code == .notConnected || !isSafe, own != service
            else { throw error }
            do throws(DockError) {
                return (try LineChannel(path: service, timeout: timeout), service)
            } catch let other {
                // A service that is not for this user is worth knowing; that there is none either is not.
                throw other.code == .permission && isSafe ? other : error
            }
        }
    }

    /// A descriptor that ends waiting when it becomes readable, for example for Ctrl-C; -1: none. The caller reads it.
    public var interrupt: Int32 {
        get { channel.interrupt }
        set { channel.interrupt = newValue }
    }

    /// A descriptor that ends `nextEvent` when nobody reads it any more, for example standard output; -1: none.
    public var output: Int32 {
        get { channel.output }
        set { channel.output = newValue }
    }

    /// Calls a method and gives its result.
    /// - Throws: the daemon's error with its name, message and hint; `timeout`; `notConnected` if the daemon ends.
    public func call(
        _ method: String, _ parameters: [String: JSONValue] = [:], timeout: Seconds = 10
    ) throws(DockError) -> JSONValue {
        switch try ask(method, parameters, timeout: timeout) {
        case .success(let result): return result
        case .failure(let refusal): throw refusal.error
        }
    }

    /// Calls a method and gives its result, or the daemon's error as it came. Once `interrupt` is readable, the answer has
    /// one second left.
    /// - Throws: `timeout`; `notConnected` if the daemon ends; `protocolError` if it does not speak JSON.
    public func ask(
        _ method: String, _ parameters: [String: JSONValue] = [:], timeout: Seconds = 10
    ) throws(DockError) -> Result<JSONValue, ControlRefusal> {
        let id = nextID
        nextID += 1
        var deadline = cposix_monotonic_now() + timeout
        var request: [String: JSONValue] = ["jsonrpc": .string("2.0"), "id": .number(id), "method": .string(method)]
        if !parameters.isEmpty { request["params"] = .object(parameters) }
        try channel.send(JSONValue.object(request).bytes, until: deadline)
        var isHurried = false
        while true {
            guard let line = try channel.next(until: deadline, isPatient: isHurried) else {
                let now = cposix_monotonic_now()
                guard !isHurried, now < deadline else { throw channel.silence }
                isHurried = true
                deadline = min(deadline, now + 1)
                continue
            }
            let message = try read(line)
            if let event = DaemonEvent(message) {
                if waiting.count == Self.bound { waiting.removeFirst() }
                waiting.append(event)
            } else if let error = message["error"] {
                // A request that could not be read is answered without its number.
                guard let number = message["id"]?.integer else { return .failure(ControlRefusal(error)) }
                if number == id { return .failure(ControlRefusal(error)) }
            } else if message["id"]?.integer == id {
                return .success(message["result"] ?? .null)
            }
            // Other lines may follow without end.
            guard cposix_monotonic_now() < deadline else { throw channel.silence }
        }
    }

    /// Subscribes to topics: `nextEvent` gives a snapshot of each, then changes.
    public func subscribe(_ topics: [Topic]) throws(DockError) {
        _ = try call("subscribe", ["topics": .array(topics.map { .string($0.rawValue) })])
    }

    /// The next event; nil: `timeout` seconds are over (nil: never), or `interrupt` or `output` ended the waiting.
    /// - Throws: `notConnected` if the daemon ends; `protocolError`.
    public func nextEvent(timeout: Seconds? = nil) throws(DockError) -> DaemonEvent? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        let deadline = timeout.map { cposix_monotonic_now() + $0 }
        while let line = try channel.next(until: deadline) {
            if let event = DaemonEvent(try read(line)) { return event }
            if let deadline, cposix_monotonic_now() >= deadline { break }
        }
        return nil
    }

    /// Waits until the daemon closes the connection; false: it has not within `timeout` seconds.
    public func waitForEnd(timeout: Seconds) -> Bool {
        let deadline = cposix_monotonic_now() + timeout
        do {
            while try channel.next(until: deadline) != nil, cposix_monotonic_now() < deadline {}
            return false
        } catch {
            return true
        }
    }

    private func read(_ line: [UInt8]) throws(DockError) -> JSONValue {
        guard let value = JSONValue(json: line) else {
            throw DockError(
                .protocolError,
                "\(channel.path) says what is not JSON: \(String(decoding: line.prefix(60), as: UTF8.self))",
                hint: "is that dockface's socket?")
        }
        return value
    }
}
