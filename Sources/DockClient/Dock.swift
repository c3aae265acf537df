public import ControlProtocol
public import DockTypes
public import Geometry

/// A running daemon, for programs that do several things at once: calls, topics, the lease, layers and pictures.
///
/// It may be used from any task. If the daemon ends, pending calls fail, and the connection is made again by itself;
/// subscriptions and indicators then go on. The lease does not: what the program moved has stopped.
///
/// ```swift
/// let dock = try await Dock.connect()
/// for await update in try dock.updates(.tracking) where update.value.followed != nil {
///     try await dock.setExpression("happy")
/// }
/// ```
public final class Dock: Sendable {
    let core: DockCore
    /// The path of the daemon's socket.
    public let path: String

    private init(core: DockCore, path: String) { (self.core, self.path) = (core, path) }

    /// Connects to a daemon.
    /// - Parameters:
    ///   - path: the socket. If nil, the default is used, see docs/CONTROL-API.md.
    ///   - timeout: for the connection and the greeting, in seconds.
    ///   - reconnects: whether a lost connection is made again.
    /// - Throws: `notConnected` if no daemon runs there, `permission`, `timeout`, `protocolError`.
    public static func connect(
        path: String? = nil, timeout: Seconds = 2, reconnects: Bool = true
    ) async throws(DockError) -> Dock {
        try Dock(connectingTo: path, timeout: timeout, reconnects: reconnects)
    }

    /// Connects like `connect`, and blocks the thread meanwhile.
    package convenience init(
        connectingTo path: String?, timeout: Seconds = 2, reconnects: Bool = true
    ) throws(DockError) {
        let (channel, greeting) = try DockCore.connect(path, timeout: timeout)
        let found = channel.path
        let core = try DockCore(path: found, greeting: greeting)
        try core.start(DockWork(core: core, channel: channel, reconnects: reconnects))
        self.init(core: core, path: found)
    }

    deinit { core.close() }

    /// Ends the connection: sequences end, and waiting calls fail. It waits for the connection's thread, which may take
    /// a second or two while it connects again. Idempotent.
    public func close() { core.close() }

    /// Whether the program is connected.
    public var connection: DockConnection { core.connection }

    /// The connection's changes, beginning with the present state. The last is `closed`.
    public var connections: AsyncStream<DockConnection> { core.watch() }

    /// Calls a method by its name, for methods that this library does not know yet.
    /// - Parameters:
    ///   - method: the name.
    ///   - parameters: the parameters by name.
    ///   - timeout: the longest wait for the answer, in seconds.
    /// - Throws: the daemon's error; `notConnected`; `timeout`, also if the task is cancelled. The daemon may then
    ///   still carry out the call.
    public func call(
        _ method: String, _ parameters: [String: JSONValue] = [:], timeout: Seconds = 10
    ) async throws(DockError) -> JSONValue {
        try await core.call(method, parameters, timeout: timeout).result.get()
    }

    /// Requests something before all later calls, and does not wait for the result.
    /// - Throws: `notConnected`; `busy` if the daemon does not read what it is sent.
    package func post(_ method: String, _ parameters: [String: JSONValue] = [:]) throws(DockError) {
        try core.post(method, parameters)
    }

    /// Subscribes to a topic. The first update is the present state; events begin with the last few.
    /// - Parameters:
    ///   - topic: the topic.
    ///   - everyFrame: only for `tracking`: each frame as it is tracked, instead of at most ten a second. A slow reader
    ///     still gets only the newest.
    /// - Throws: `notSupported` if the daemon does not know the topic, `notConnected` after `close`.
    public func updates<Value>(
        _ topic: TopicKey<Value>, everyFrame: Bool = false
    ) throws(DockError) -> TopicUpdates<Value> {
        try updates(topic, everyFrame: everyFrame, endsWithConnection: false)
    }

    func updates<Value>(
        _ topic: TopicKey<Value>, everyFrame: Bool = false, endsWithConnection: Bool
    ) throws(DockError) -> TopicUpdates<Value> {
        let place = ListenerPlace(core: core, topic: topic.topic, everyFrame: everyFrame && topic.topic == .tracking)
        let feed = TopicFeed(
            topic, endsWithConnection: endsWithConnection, onBeat: { [weak core] in core?.beat() },
            onEnd: { place.leave() })
        try place.add(feed)
        return TopicUpdates(feed: feed, dock: self)
    }

    /// A sign of life: a program that holds the lease calls this during long work.
    public func beat() { core.beat() }
}
