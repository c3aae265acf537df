import ControlProtocol
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Companion

/// More connections than places: a stop still gets through.
@Suite struct ControlTestsServerCrowd {
    /// Blocks the server's thread in a call until the gate opens.
    private final class Gate: Sendable {
        private let ends: (read: Int32, write: Int32)

        init() {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            self.ends = (ends[0], ends[1])
        }

        deinit { for end in [ends.read, ends.write] { close(end) } }

        func wait() {
            var byte: UInt8 = 0
            read(ends.read, &byte, 1)
        }

        func open() { write(ends.write, "x", 1) }
    }

    /// A server whose thread is blocked in a call of `flip` until the gate opens. It answers everything else at once.
    private static func held(_ gate: Gate) throws -> TestServer {
        try TestServer(
            FakeBackend(answer: { call in
                if call == .command(.camera(.flip)) { gate.wait() }
                return .said("done")
            }))
    }

    /// Connections that listen to a topic, so that none of them is idle.
    private static func listeners(_ served: TestServer, _ count: Int = ConnectionSlots.ordinary) throws -> [TestClient]
    {
        try (0..<count).map { _ in
            let client = try TestClient(served.path)
            #expect(try client.ask("subscribe", #"{"topics":["log"]}"#)["result"] != nil)
            return client
        }
    }

    private static let stop = ControlCall.command(.motion(.stop))

    @Test func `one client too many may stop, and is otherwise refused with the reason`() throws {
        let served = try TestServer()
        var clients = try Self.listeners(served)
        let late = try TestClient(served.path)
        #expect(try late.ask("stop")["result"] != nil)
        #expect(try late.ask("command", #"{"line":"estop"}"#)["result"] != nil)
        late.send(#"[{"id":1,"method":"home"},{"id":2,"method":"emergencyStop"}]"#)
        let batch = try late.line().array
        #expect(batch?.map(\.code) == [-32007, nil])
        let answer = try late.ask("home", id: "7")
        #expect(answer.code == -32007 && answer["id"] == .number(7) && answer.message.contains("256 programs"))
        #expect(try late.lineBytes() == nil)
        let notifier = try TestClient(served.path)
        notifier.send(#"{"jsonrpc":"2.0","method":"home"}"#)
        #expect(try notifier.line().code == -32007)
        #expect(try notifier.lineBytes() == nil)
        let long = try TestClient(served.path)
        long.send([UInt8](repeating: 0x20, count: 9000))
        #expect(try long.line().code == -32007)
        #expect(!served.backend.seen.calls.contains(.command(.motion(.home))))
        // The clients that were there first are served as before.
        #expect(try clients[0].line()["params"]?["kind"] == .string("snapshot"))
        #expect(try clients[0].ask("stop")["result"] != nil)
        clients.removeLast()
        try #require(eventually { served.backend.seen.disconnected.contains(256) })
        #expect(try TestClient(served.path).ask("home")["result"] != nil)
    }

    @Test func `a provisional connection gets a place as soon as one is free`() throws {
        let served = try TestServer()
        var clients = try Self.listeners(served)
        let late = try TestClient(served.path)
        #expect(try late.ask("stop")["result"] != nil)
        clients.removeLast()
        try #require(eventually { served.backend.seen.disconnected.contains(256) })
        #expect(try late.ask("home")["result"] != nil)
    }

    @Test func `a provisional connection that is silent is closed`() throws {
        let served = try TestServer()
        let clients = try Self.listeners(served)
        let late = try TestClient(served.path)
        #expect(try late.line().code == -32007)
        #expect(try late.lineBytes() == nil)
        #expect(clients.count == ConnectionSlots.ordinary)
    }

    @Test func `stops are carried out while others connect and close as fast as they can`() throws {
        let served = try TestServer()
        let clients = try Self.listeners(served)
        let isOver = Atomic<Bool>(false), count = Atomic<Int>(0)
        let group = ThreadGroup()
        for talks in [true, false] {
            group.start { [path = served.path] in
                while !isOver.load(ordering: .relaxed) {
                    guard let client = try? TestClient(path, greeted: false) else { continue }
                    if talks { client.send(request("status") + [0x0A]) }
                    count.add(1, ordering: .relaxed)
                }
            }
        }
        for number in 1...20 {
            let peer = try TestClient(served.path)
            #expect(try peer.ask("stop", id: "\(number)")["result"] != nil)
            // The connecting and closing continues between two stops.
            let before = count.load(ordering: .relaxed)
            #expect(eventually { count.load(ordering: .relaxed) > before + 100 })
        }
        isOver.store(true, ordering: .relaxed)
        group.wait()
        #expect(served.backend.seen.calls.count { $0 == Self.stop } == 20 && clients.count == ConnectionSlots.ordinary)
    }

    @Test func `a stop on a new connection precedes the backlog of all others`() throws {
        let gate = Gate(), served = try Self.held(gate)
        let clients = try (0..<ConnectionSlots.ordinary - 1).map { _ in try TestClient(served.path) }
        let first = try TestClient(served.path)
        first.send(request("flipCamera") + [0x0A])
        try #require(eventually { served.backend.seen.heard.count == 1 })
        // The server's thread is blocked in that call: all of this arrives before its next turn.
        let lines = [UInt8]([[UInt8]](repeating: request("home") + [0x0A], count: 200).joined())
        for client in clients { client.send(lines) }
        let late = try TestClient(served.path, greeted: false)
        late.send(request("stop") + [0x0A])
        gate.open()
        try #require(eventually { served.backend.seen.calls.contains(Self.stop) })
        #expect(served.backend.seen.calls.firstIndex(of: Self.stop) == 1, "after the call in progress")
    }

    // MARK: closed ones

    @Test func `a closed connection holds no place, its queries are skipped, and its other lines are carried out`()
        throws
    {
        let gate = Gate(), served = try Self.held(gate)
        let first = try TestClient(served.path)
        first.send(request("flipCamera") + [0x0A])
        try #require(eventually { served.backend.seen.heard.count == 1 })
        let lines =
            [UInt8]([[UInt8]](repeating: request("status") + [0x0A], count: 100).joined())
            + request("setExpression", #"{"name":"happy"}"#)
        for _ in 0..<100 { try TestClient(served.path, greeted: false).send(lines) }
        gate.open()
        try #require(eventually { served.backend.seen.disconnected.count == 100 })
        let calls = served.backend.seen.calls
        #expect(calls.count == 101 && !calls.contains(.command(.status(why: false))), "\(calls.count)")
    }

    @Test func `a stop of a closed connection comes at once, and lines before it begin no motion after it`()
        throws
    {
        let gate = Gate(), served = try Self.held(gate)
        let first = try TestClient(served.path)
        first.send(request("flipCamera") + [0x0A])
        try #require(eventually { served.backend.seen.heard.count == 1 })
        do {
            let client = try TestClient(served.path, greeted: false)
            client.send(request("home") + [0x0A] + request("setExpression", #"{"next":true}"#) + [0x0A])
            client.send(#"[{"id":1,"method":"home"},{"id":2,"method":"stop"},{"id":3,"method":"home"}]"#)
        }
        gate.open()
        try #require(eventually { served.backend.seen.disconnected == [2] })
        let calls = served.backend.seen.calls.dropFirst()
        #expect(calls.filter { $0 == Self.stop }.count == 2 && calls.first == Self.stop, "\(calls)")
        #expect(Array(calls.suffix(2)) == [Self.stop, .command(.motion(.home))] && calls.count == 4, "\(calls)")
    }

    @Test func `the backlog of closed connections is bounded, and all stops in it are carried out`() throws {
        // Nothing is answered, so each of them has 32 requests in progress and the rest waits.
        let served = try TestServer(FakeBackend(answer: { _ in nil }))
        let home = request("setExpression", #"{"next":true,"pad":"\#(String(repeating: "x", count: 900))"}"#) + [0x0A]
        for _ in 0..<20 {
            let client = try TestClient(served.path)
            // More than the server reads of a waiting connection, and less than the system buffers for it.
            for _ in 0..<100 { client.send(request("home") + [0x0A]) }
            for _ in 0..<100 { client.send(home) }
            client.send(request("stop") + [0x0A])
        }
        try #require(eventually { served.backend.seen.calls.count { $0 == Self.stop } >= 20 })
        try #require(eventually { served.backend.seen.disconnected.count >= 8 }, "the oldest were dropped")
        #expect(try TestClient(served.path).line(for: "stop", served)["result"] == nil)
    }

    @Test func `a program that closes while it holds the lease loses it at once, whatever it had queued`() throws {
        let gate = Gate(), served = try Self.held(gate)
        var owner: TestClient? = try TestClient(served.path)
        #expect(try owner?.ask("acquireControl")["result"] != nil)
        served.backend.leaseHolder = 1
        let turn = #"{"jsonrpc":"2.0","method":"setAngularVelocity","params":{"pan":0.3,"tilt":0,"for":60}}"# + "\n"
        owner?.send(#"{"jsonrpc":"2.0","method":"flipCamera"}"#)
        owner?.send(Array(String(repeating: turn, count: 1200).utf8))
        owner = nil
        gate.open()
        let other = try TestClient(served.path)
        #expect(eventually(10) { served.backend.seen.disconnected == [1] })
        for _ in 0..<20 { #expect(try other.ask("status")["result"] != nil) }
        // The lines of one turn may have been taken with the first ones; after the end none is.
        let begun = served.backend.seen.calls.count { call in
            if case .command(.motion(.velocity)) = call { true } else { false }
        }
        #expect(begun < 200, "\(begun)")
        #expect(served.backend.seen.disconnected == [1])
    }
}

extension TestClient {
    /// Sends a request that this server does not answer, and waits until it was received.
    fileprivate func line(for method: String, _ served: TestServer) throws -> JSONValue {
        let before = served.backend.seen.calls.count
        send(request(method) + [0x0A])
        try #require(eventually { served.backend.seen.calls.count > before })
        return .null
    }
}
