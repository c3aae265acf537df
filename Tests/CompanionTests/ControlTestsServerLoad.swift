import ControlProtocol
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Companion

/// Too much from one client, and many clients at once.
extension ControlTestsServer {
    // MARK: too much

    @Test func `a line of 10 MB is refused without being buffered, and the connection ends`() throws {
        let served = try TestServer()
        let client = try TestClient(served.path)
        client.send(request("home", id: "1") + [0x0A])
        client.send([UInt8](repeating: 0x78, count: 10_000_000))
        client.send(request("stop") + [0x0A])
        #expect(try client.line()["id"] == .number(1))
        let answer = try client.line()
        #expect(answer.code == -32700 && answer.message.contains("longer than 1048576 bytes"))
        #expect(try client.lineBytes() == nil)
        #expect(served.backend.seen.calls == [.command(.motion(.home))])
    }

    @Test func `a client with 32 requests in progress is not read until some are answered`() throws {
        let served = try TestServer(FakeBackend(answer: { _ in nil }))
        let client = try TestClient(served.path)
        for id in 1...40 { client.send(request("home", id: "\(id)") + [0x0A]) }
        try #require(eventually { served.backend.seen.calls.count == 32 })
        let other = try TestClient(served.path)
        other.send(request("stop") + [0x0A])
        try #require(eventually { served.backend.seen.calls.count == 33 })
        for held in 0..<32 { served.backend.release(held) }
        try #require(eventually { served.backend.seen.calls.count == 41 })
        for held in 33..<41 { served.backend.release(held) }
        for id in 1...40 { #expect(try client.line()["id"] == .number(id)) }
    }

    @Test func `a client that reads no answers is served until too many wait, and is then disconnected`() throws {
        let words = String(repeating: "x", count: 10_000)
        let served = try TestServer(FakeBackend(answer: { _ in .said(words) }))
        let client = try TestClient(served.path)
        let line = request("command", #"{"line":"help"}"#) + [0x0A]
        var sent = 0
        while sent < 10_000, send(client.descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count { sent += 1 }
        #expect(sent < 10_000, "the connection has ended")
        try #require(eventually { served.backend.seen.disconnected.count == 1 })
        #expect(served.backend.seen.calls.count > 25, "far more was carried out than fits unread")
        #expect(try TestClient(served.path).ask("stop")["result"] != nil)
    }

    // MARK: many

    @Test func `a thousand clients one after another are served`() throws {
        let served = try TestServer()
        for number in 0..<1000 {
            let client = try TestClient(served.path)
            #expect(try client.ask("stop", id: "\(number)")["id"] == .number(number))
        }
        try #require(eventually { served.backend.seen.disconnected.count == 1000 })
    }

    @Test func `200 clients at once get every event`() throws {
        let served = try TestServer()
        let clients = try (0..<200).map { _ in try TestClient(served.path) }
        for client in clients { client.send(request("subscribe", #"{"topics":["face","log"]}"#) + [0x0A]) }
        for client in clients {
            #expect(try client.line()["result"]?["topics"] == .array([.string("face"), .string("log")]))
            for _ in 0..<2 { #expect(try client.line()["params"]?["kind"] == .string("snapshot")) }
        }
        for number in 1...20 {
            served.server.publish(.log, .object(["n": .number(number)]))
            for client in clients { #expect(try client.line()["params"]?["seq"] == .number(number)) }
        }
        #expect(served.backend.seen.audiences == [[.face, .log]])
    }

    @Test func `200 clients with layers get every frame, and one that never reads keeps little`() throws {
        let served = try TestServer()
        let clients = try (0..<200).map { _ in try TestClient(served.path) }
        let subscription = request("subscribe", #"{"topics":["tracking","layers"],"rate":"all"}"#) + [0x0A]
        let layer = request("setLayer", #"{"name":"a","items":[{"kind":"point","points":[[0.5,0.5]]}]}"#, id: "2")
        for client in clients { client.send(subscription + layer + [0x0A]) }
        let silent = clients[0], others = clients[1...]
        for client in others {
            // The answers, and the snapshots of both topics.
            for _ in 0..<4 { _ = try client.line() }
        }
        let padding = String(repeating: "x", count: 16_000), frames = 40
        for number in 1...frames {
            served.server.publish(.tracking, isExtra: true, .object(["p": .string(padding)]))
            for client in others {
                // Parsing what is mostly padding would take most of the test's time.
                while let line = try client.lineBytes() {
                    let ends = String(decoding: line.prefix(120) + line.suffix(120), as: UTF8.self)
                    if ends.contains(#""topic":"tracking""#), ends.contains(#""seq":\#(number)"#) { break }
                }
            }
        }
        var bytes = 0, isDone = false
        while !isDone, let line = try silent.lineBytes() {
            bytes += line.count
            isDone = try JSONReader.value(of: line)["params"]?["seq"] == .number(frames)
        }
        // What the kernel and the outbox keep of 640 kB.
        #expect(isDone && bytes < 16_000 * frames / 2, "\(bytes) bytes")
        #expect(served.backend.seen.disconnected.isEmpty)
    }

    @Test func `a slow reader delays no other client, and continues with a snapshot`() throws {
        let served = try TestServer()
        let slow = try TestClient(served.path)
        _ = try slow.ask("subscribe", #"{"topics":["face","log"]}"#)
        let quick = try TestClient(served.path)
        _ = try quick.ask("subscribe", #"{"topics":["face"]}"#)
        _ = try quick.line()
        let padding = String(repeating: "x", count: 4000)
        for number in 1...10_000 {
            served.server.publish(.face, .object(["n": .number(number), "p": .string(padding)]))
            served.server.publish(.log, .object(["n": .number(number), "p": .string(padding)]))
            if number % 100 == 0 { while try quick.line()["params"]?["data"]?["n"] != .number(number) {} }
        }
        served.server.publish(.face, .string("last"))
        served.server.publish(.log, .string("last"))
        var kinds: [String] = [], lost = 0, faces = 0, logs = 0, isDone = (false, false)
        while !(isDone.0 && isDone.1) {
            guard let params = try slow.line()["params"], let topic = params["topic"]?.string else { continue }
            lost += params["lost"]?.integer ?? 0
            if topic == "face" {
                kinds.append(params["kind"]?.string ?? "")
                faces += 1
                // A snapshot comes from the session, and this session always gives the same.
                isDone.0 = isDone.0 || params["seq"] == .number(10_001)
            } else {
                logs += 1
                isDone.1 = params["data"] == .string("last")
            }
        }
        #expect(kinds.first == "snapshot" && kinds.dropFirst().contains("snapshot"))
        #expect(faces < 9000 && lost > 0)
        // Every line of the log arrived or was counted; the first is the snapshot.
        #expect(logs - 1 + lost == 10_001)
        served.server.publish(.face, .string("on"))
        #expect(try slow.line()["params"]?["kind"] == .string("change"))
    }

    @Test func `publishing from many threads while clients come and go breaks nothing`() throws {
        let served = try TestServer()
        let isOver = Atomic<Bool>(false)
        let group = ThreadGroup()
        for topic in Topic.allCases {
            group.start { [server = served.server] in
                var number = 0
                while !isOver.load(ordering: .relaxed) {
                    number += 1
                    server.publish(topic, .object(["n": .number(number)]))
                    usleep(200)
                }
            }
        }
        for _ in 0..<100 {
            let client = try TestClient(served.path)
            let all = Topic.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
            _ = try client.ask("subscribe", "{\"topics\":[\(all)]}")
            var last: [String: Int] = [:]
            for _ in 0..<30 {
                let params = try client.line()["params"]
                let topic = params?["topic"]?.string ?? "", sequence = params?["seq"]?.integer ?? -1
                #expect(sequence > last[topic] ?? -1)
                last[topic] = sequence
            }
        }
        isOver.store(true, ordering: .relaxed)
        group.wait()
    }
}

/// Threads that can be joined.
final class ThreadGroup: @unchecked Sendable {
    private var threads: [pthread_t] = []

    func start(_ body: @escaping @Sendable () -> Void) {
        var id = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        if pthread_create(&id, nil, threadGroupMain, box.toOpaque()) == 0 { threads.append(id) } else { box.release() }
    }

    func wait() { for thread in threads { pthread_join(thread, nil) } }

    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

/// Called by C on the new thread.
private func threadGroupMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<ThreadGroup.Box>.fromOpaque(raw).takeRetainedValue().body() }
    return nil
}
