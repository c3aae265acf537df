import CPosix
import ControlProtocol
import DockControl
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Companion
@testable import DockClient

/// A session that only records its calls, and answers as the test says.
final class FakeBackend: ControlBackend {
    struct Heard: Sendable {
        var calls: [ControlCall] = []
        var clients: [Int] = []
        var heard: [Int] = []
        var disconnected: [Int] = []
        var audiences: [TopicInterest] = []
        var held: [@Sendable (ControlReply) -> Void] = []
        var leaseHolder: Int?
    }

    private let state = Mutex(Heard())
    private let answer: @Sendable (ControlCall) -> ControlReply?
    private let data: @Sendable (Topic) -> JSONValue

    /// `answer` nil: the call waits until the test answers it.
    init(
        data: @escaping @Sendable (Topic) -> JSONValue = { .object(["of": .string($0.rawValue)]) },
        answer: @escaping @Sendable (ControlCall) -> ControlReply? = { _ in .answer(.success(Outcome("done"))) }
    ) {
        self.answer = answer
        self.data = data
    }

    var seen: Heard { state.withLock { $0 } }

    /// Answers the waiting call at this index.
    func release(_ index: Int, _ reply: ControlReply = .answer(.success(Outcome("done")))) {
        state.withLock { $0.held[index] }(reply)
    }

    func perform(_ call: ControlCall, client: Int, reply: @escaping @Sendable (ControlReply) -> Void) {
        let now = answer(call)
        state.withLock {
            $0.calls.append(call)
            $0.clients.append(client)
            if now == nil { $0.held.append(reply) }
        }
        if let now { reply(now) }
    }

    func snapshot(of topic: Topic) -> JSONValue { data(topic) }
    /// The client that holds the lease; set by the test.
    var leaseHolder: Int? {
        get { state.withLock { $0.leaseHolder } }
        set { state.withLock { $0.leaseHolder = newValue } }
    }
    func renewLease(of client: Int) { state.withLock { $0.heard.append(client) } }
    func disconnected(client: Int) { state.withLock { $0.disconnected.append(client) } }
    func audienceChanged(_ interest: TopicInterest) { state.withLock { $0.audiences.append(interest) } }
}

/// A server on its own path with a fake session; ended on deinit.
final class TestServer {
    let backend: FakeBackend
    let server: ControlServer
    let path: String

    init(_ backend: FakeBackend = FakeBackend(), path: String = TestServer.freePath()) throws {
        self.backend = backend
        self.path = path
        server = try ControlServer(path: path, version: "1.2.3", backend: backend)
        server.start()
    }

    deinit {
        server.stop()
        rmdir(ControlSocketPath.folder(of: path))
    }

    /// In a new folder that does not exist yet.
    static func freePath() -> String { TemporaryFile.freePath("\(next())/control.sock") }

    static func next() -> Int { counter.add(1, ordering: .relaxed).newValue }
    private static let counter = Atomic<Int>(0)
}

/// A client program.
final class TestClient {
    let descriptor: Int32
    private var bytes: [UInt8] = []
    private(set) var isEnded = false

    /// Connects; `greeted`: also reads the greeting.
    init(_ path: String, greeted: Bool = true) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let reason = ControlSocketPath.withAddress(path) { address, size in
            while connect(descriptor, address, size) != 0 { if errno != EINTR { return errno } }
            return 0
        }
        try #require(reason == 0, "connect \(path): \(String(cString: strerror(reason ?? 0)))")
        if greeted { #expect(try line()["name"] == .string("dockface")) }
    }

    deinit { close(descriptor) }

    /// Writes all bytes; false if the other side does not accept them.
    @discardableResult
    func send(_ text: String, end: String = "\n") -> Bool { send(Array((text + end).utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    func closeOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next line as JSON; fails the test if none arrives.
    func line() throws -> JSONValue {
        let text = try #require(try lineBytes(), "no line arrived")
        return try JSONReader.value(of: text)
    }

    /// The next line; nil: the other side has closed.
    func lineBytes(within seconds: Double = 20) throws -> [UInt8]? {
        let end = cposix_monotonic_now() + seconds
        while true {
            if let newline = bytes.firstIndex(of: 0x0A) {
                defer { bytes.removeFirst(newline + 1) }
                return Array(bytes[..<newline])
            }
            if isEnded { return nil }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = end - cposix_monotonic_now()
            try #require(left > 0, "nothing arrived in \(seconds) s")
            guard poll(&wait, 1, Int32(left * 1000) + 1) > 0 else { continue }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count > 0 { bytes += chunk[..<count] } else if count == 0 || errno != EINTR { isEnded = true }
        }
    }

    /// Sends one request and returns its answer.
    func ask(_ method: String, _ params: String = "{}", id: String = "1") throws -> JSONValue {
        send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
        return try line()
    }
}

/// A request as bytes.
func request(_ method: String, _ params: String = "{}", id: String = "1") -> [UInt8] {
    Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#.utf8)
}

extension JSONValue {
    /// The code of an error answer.
    var code: Int? { self["error"]?["code"]?.integer }
    /// The message of an error answer.
    var message: String { self["error"]?["message"]?.string ?? "" }
}

/// Decodes a call from bytes.
func call(_ bytes: [UInt8]) -> Result<ControlCall, ControlError>? { ControlLine(bytes).requests.first?.call }

extension ControlReply {
    /// The answer to a line of command words.
    static func said(_ text: String) -> ControlReply { .words(.success(Outcome(text))) }
}
