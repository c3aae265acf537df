public import ControlProtocol
public import DockTypes
internal import Processes

/// A daemon for tests of clients and extensions: a real Unix socket, and behind it only what a test wants.
///
/// Without a script it speaks the control protocol as its table says: it greets, checks calls, answers each with a
/// sample of its result, and sends published data to subscribers. A test can replace every part of that, also by lies:
/// wrong versions, garbage, half lines, late answers, hung-up connections.
///
/// ```swift
/// let daemon = try FakeDaemon()
/// daemon.answer("home", .refusal(.faulted, "a stall is latched"))
/// let dock = try await Dock.connect(path: daemon.path)
/// await #expect(throws: DockError.self) { try await dock.home() }
/// let call = try await daemon.next("home")
/// ```
public final class FakeDaemon: Sendable {
    /// The daemon has ended, or the task was cancelled, before a request arrived.
    public struct NoRequest: Error, Sendable, CustomStringConvertible {
        /// The methods that were waited for, and those that arrived.
        public let description: String
    }

    /// The path of its socket, in a folder of its own.
    public let path: String
    private let folder = TemporaryFolder()
    private let hub: FakeHub
    private let thread: PollThread

    /// Starts to listen.
    /// - Throws: `cannotOpen` if the system has no socket, descriptor or thread left.
    public init(greeting: FakeGreeting = .daemon()) throws(DockError) {
        path = folder.path + "/s"
        guard let thread = PollThread(name: "fake-daemon") else { throw Self.poor }
        let hub = FakeHub(path: path, greeting: greeting)
        (self.thread, self.hub) = (thread, hub)
        try hub.listen()
        guard thread.start({ FakeDaemonWork(hub) }) else {
            hub.end()
            throw Self.poor
        }
    }

    deinit { end() }

    private static var poor: DockError {
        DockError(.cannotOpen, "the system has no thread or no file descriptor left", hint: "raise `ulimit -n`")
    }

    /// Ends all connections and the thread. Those who wait for requests get an error. Idempotent.
    public func end() { thread.stop() }

    // MARK: script

    /// Greets new connections in this way.
    public func greet(_ greeting: FakeGreeting) { hub.change { $0.greeting = greeting } }

    /// Answers all calls of a method with these steps.
    public func answer(_ method: String, _ steps: FakeStep...) {
        hub.change { $0.script.answer(method, inTurn: [steps]) }
    }

    /// Answers the calls of a method with one list of steps after another. The last list is repeated.
    public func answer(_ method: String, inTurn steps: [[FakeStep]]) {
        hub.change { $0.script.answer(method, inTurn: steps) }
    }

    /// Answers the calls of all other methods by a rule, which is called on the daemon's thread. The rule must not keep
    /// the daemon, which keeps the rule.
    public func answerOthers(_ rule: @escaping @Sendable (FakeRequest) -> [FakeStep]) {
        hub.change { $0.script.rule = rule }
    }

    /// Answers as in a recording: one JSON object in each line, requests and answers in any order. Several answers to
    /// one method are given in turn.
    public func replay(_ recording: String) { hub.change { $0.script.replay(recording) } }

    /// Holds all replies back until `release`, as a daemon that hangs.
    public func hold() { hub.change { $0.hold() } }

    /// Sends the replies that were held back, in order, and holds none back from now on.
    public func release() { hub.change { $0.release() } }

    // MARK: without a request

    /// Publishes the data of a topic to its subscribers. A later subscriber gets it as its snapshot.
    /// - Parameter lost: how many changes before it the daemon says that it has dropped.
    public func publish(_ topic: Topic, _ data: JSONValue, lost: Int = 0) {
        hub.change { $0.publish(topic, data, lost: lost) }
        thread.wake()
    }

    /// Does something at every connection. Steps that answer a request have no effect.
    public func send(_ steps: FakeStep...) {
        hub.change { $0.perform(steps) }
        thread.wake()
    }

    /// Ends as a daemon that dies: without its socket, its connections, and what it had published. The script stays.
    public func leave() {
        hub.leave()
        thread.wake()
    }

    /// Listens at the same path again, as a new daemon.
    /// - Throws: `cannotOpen`.
    public func comeBack() throws(DockError) {
        try hub.listen()
        thread.wake()
    }

    // MARK: requests

    /// All requests so far, at most the last 131,072. The daemon has replied to each of them, unless replies are held.
    public var requests: [FakeRequest] { hub.log.all }

    /// Waits for the next request of one of these methods, or of any if none is named. Earlier requests that no call has
    /// returned are skipped.
    /// - Throws: `NoRequest`.
    @discardableResult
    public func next(_ methods: String...) async throws(NoRequest) -> FakeRequest {
        try await next(methods.joined(separator: ", ")) { methods.isEmpty || methods.contains($0.method) }
    }

    /// Waits for the next request that matches. Earlier requests that no call has returned are skipped.
    /// - Parameter what: its description, for the error.
    /// - Throws: `NoRequest`.
    @discardableResult
    public func next(
        _ what: String, where isWanted: @escaping @Sendable (FakeRequest) -> Bool
    ) async throws(NoRequest) -> FakeRequest {
        guard let request = await hub.log.next(where: isWanted) else {
            let last = requests.suffix(20).map(\.words).joined(separator: ", ")
            throw NoRequest(description: "no request \(what) arrived; the last ones were: \(last)")
        }
        return request
    }
}
