import DockControl
import DockTypes
import Glibc
import TestSupport
import Testing

@testable import Companion

@Suite struct ControlTestsServer {
    // MARK: conversation

    @Test func `a client is greeted, asks, and is answered`() throws {
        let served = try TestServer(FakeBackend(answer: { _ in .answer(.success(Outcome("", .mode(.manual)))) }))
        let client = try TestClient(served.path, greeted: false)
        #expect(
            try client.line()
                == .object([
                    "name": .string("dockface"), "version": .string("1.2.3"), "protocol": .number(1),
                    "features": APITypes.features,
                ]))
        let answer = try client.ask("setTrackingMode", #"{"mode":"manual"}"#)
        #expect(answer["result"] == .object(["mode": .string("manual")]) && answer["id"] == .number(1))
        #expect(served.backend.seen.calls == [.command(.motion(.setMode(.manual)))])
    }

    @Test func `refusals of the session and of the server have the same shape`() throws {
        let refusal = DockError(.noSubjectFound, "no face at that point", hint: "tap on a face")
        let served = try TestServer(FakeBackend(answer: { _ in .answer(.failure(refusal)) }))
        let client = try TestClient(served.path)
        let answer = try client.ask("selectSubject", #"{"x":0.9,"y":0.9}"#, id: "3")
        #expect(answer.code == -32003 && answer.message == "noSubjectFound: no face at that point")
        #expect(try client.ask("setOrientaton").code == -32601)
        #expect(try client.ask("home", #"{"x":1}"#).code == -32602)
        client.send("nonsense")
        let broken = try client.line()
        #expect(broken.code == -32700 && broken["id"] == .null)
        #expect(served.backend.seen.calls.count == 1)
        #expect(served.backend.seen.heard.count == 3)
    }

    @Test func `command words are answered in words`() throws {
        let served = try TestServer(FakeBackend(answer: { call in .said("ok \(call)") }))
        let client = try TestClient(served.path)
        let answer = try client.ask("command", #"{"line":"tap 0.4 0.6"}"#)
        #expect(answer["result"]?["answer"]?.string?.contains("tap 0.4 0.6") == true)
    }

    @Test func `answers keep the order of the requests, whenever they come`() throws {
        let served = try TestServer(
            FakeBackend(answer: { call in call == .command(.motion(.home)) ? nil : .said("at once") }))
        let client = try TestClient(served.path)
        for id in 1...3 { client.send(request("home", id: "\(id)") + [0x0A]) }
        client.send(request("stop", id: "4") + [0x0A])
        try #require(eventually { served.backend.seen.calls.count == 4 })
        for held in [2, 1, 0] { served.backend.release(held) }
        let ids = try (1...4).map { _ in try client.line()["id"] }
        #expect(ids == [.number(1), .number(2), .number(3), .number(4)])
    }

    @Test func `a notification is carried out and not answered, a batch is answered at once`() throws {
        let served = try TestServer()
        let client = try TestClient(served.path)
        client.send(#"{"jsonrpc":"2.0","method":"home"}"#)
        client.send(#"{"jsonrpc":"2.0","method":"nonsense"}"#)
        client.send(#"[{"jsonrpc":"2.0","method":"home"}]"#)
        client.send(#"[{"id":1,"method":"home"},{"method":"stop"},7,{"id":"b","method":"nonsense"}]"#)
        let answers = try client.line().array ?? []
        #expect(answers.map { $0["id"] } == [.number(1), .null, .string("b")])
        #expect(answers.map(\.code) == [nil, -32600, -32601])
        // A stop may be executed early and once more in its turn.
        let calls = served.backend.seen.calls, stop = ControlCall.command(.motion(.stop))
        #expect(calls.count { $0 == .command(.motion(.home)) } == 3 && calls.contains(stop) && calls.last == stop)
    }

    @Test func `any request keeps a client alive, and a client that leaves is gone`() throws {
        let served = try TestServer()
        do {
            let client = try TestClient(served.path)
            for _ in 0..<3 { _ = try client.ask("status") }
            client.send("\n\r\n  \n")
        }
        try #require(eventually { served.backend.seen.disconnected == [1] })
        #expect(served.backend.seen.heard == [1, 1, 1])
    }

    @Test func `a request is carried out even if its sender does not wait`() throws {
        let served = try TestServer()
        do {
            let client = try TestClient(served.path)
            for _ in 0..<500 { client.send(request("home") + [0x0A]) }
        }
        try #require(eventually { served.backend.seen.disconnected == [1] })
        #expect(served.backend.seen.calls.count == 500)
    }

    @Test func `a client that shuts down writing still gets its answers, and its last line needs no newline`() throws {
        let served = try TestServer(FakeBackend(answer: { _ in nil }))
        let client = try TestClient(served.path)
        client.send(request("home", id: "1") + [0x0A] + request("home", id: "2"))
        client.closeOutput()
        try #require(eventually { served.backend.seen.calls.count == 2 })
        served.backend.release(1)
        served.backend.release(0)
        #expect(try client.line()["id"] == .number(1))
        #expect(try client.line()["id"] == .number(2))
        #expect(try client.lineBytes() == nil)
        try #require(eventually { served.backend.seen.disconnected == [1] })
    }

    @Test func `a client that shuts down writing still gets its events until it closes`() throws {
        let served = try TestServer()
        do {
            let client = try TestClient(served.path)
            _ = try client.ask("subscribe", #"{"topics":["face"]}"#)
            client.closeOutput()
            #expect(try client.line()["params"]?["kind"] == .string("snapshot"))
            for number in 1...3 {
                served.server.publish(.face, .number(number))
                #expect(try client.line()["params"]?["data"] == .number(number))
            }
            #expect(served.backend.seen.disconnected.isEmpty)
        }
        try #require(eventually { served.backend.seen.disconnected == [1] })
        #expect(served.backend.seen.audiences == [[.face], []])
    }

    // MARK: topics

    @Test func `a subscription begins with a snapshot, and ends`() throws {
        let served = try TestServer()
        let client = try TestClient(served.path)
        served.server.publish(.face, .null)
        #expect(try client.ask("subscribe", #"{"topics":["motion","face"]}"#)["result"] != nil)
        let snapshots = [try client.line(), try client.line()].compactMap { $0["params"] }
        #expect(snapshots.map { $0["topic"] } == [.string("motion"), .string("face")])
        #expect(snapshots.map { $0["seq"] } == [.number(0), .number(1)])
        #expect(snapshots.map { $0["data"] } == [.object(["of": .string("motion")]), .object(["of": .string("face")])])
        served.server.publish(.face, .object(["a": .number(1)]))
        let change = try client.line()
        #expect(change["method"] == .string("event") && change["jsonrpc"] == .string("2.0") && change["id"] == nil)
        #expect(change["params"]?["kind"] == .string("change") && change["params"]?["seq"] == .number(2))
        let left = try client.ask("unsubscribe", #"{"topics":["face"]}"#)
        #expect(left["result"]?["topics"] == .array([.string("motion")]))
        #expect(!served.server.hasAudience(.face) && served.server.hasAudience(.motion))
        served.server.publish(.face, .null)
        #expect(try client.ask("unsubscribe")["result"]?["topics"] == .array([]))
        #expect(served.backend.seen.audiences == [[.motion, .face], [.motion], []])
    }
}
