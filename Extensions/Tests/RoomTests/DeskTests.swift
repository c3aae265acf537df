import ControlProtocol
import DockTypes
import Foundation
import Geometry
import Networking
import Synchronization
import Testing

@testable import Aerie
@testable import Room

/// The server on a real port.
@Suite("a room on the network", .timeLimit(.minutes(10)))
struct DeskTests {
    /// A server that runs as long as the body.
    private static func serving(
        isLenient: Bool = false, change: (inout ServerPlan) -> Void = { _ in },
        _ body: @escaping @Sendable (Int, RoomDesk) async throws -> Void
    ) async throws {
        let secret = try #require(SharedSecret(Bench.secret))
        let desk = RoomDesk(secret: secret, isLenient: isLenient) { _, _ in }
        var plan = ServerPlan(host: "127.0.0.1", port: 0)
        change(&plan)
        let server = try await desk.listen(plan)
        try await withThrowingTaskGroup { group in
            group.addTask { await desk.run(server) }
            try await body(server.port, desk)
            group.cancelAll()
        }
    }

    private static func client(_ port: Int, _ device: String) throws -> WebSocketClient {
        let address = try ServerAddress("ws://127.0.0.1:\(port)/ws/connect/\(device)", defaultPort: 80)
        var options = WebSocketOptions()
        (options.largestMessage, options.textPart) = (4 << 20, 16_384)
        return WebSocketClient(try TransportPlan(address, trust: .off), options: options)
    }

    private static var now: WireTime { WireTime(unix: Date().timeIntervalSince1970) }

    private static func request(_ device: String) throws -> [UInt8] {
        let secret = try #require(SharedSecret(Bench.secret)), nonce = SharedSecret.nonce(), time = now
        let request = AuthRequest(
            device: device, token: secret.token(device: device, time: time, nonce: nonce), model: device, system: "1",
            time: time.text, nonce: nonce)
        return Envelope.text(.authRequest, at: time, request.members)
    }

    private static func frame(of people: Int) -> [UInt8] {
        let time = now
        let seen = (0..<people).map { Scene.person(x: Double($0) - 1, z: -3) }
        return Envelope.text(
            .cameraFrame, at: time, payload: Scene.view(x: 0, heading: 0, of: seen, time: time.unix).payload())
    }

    @Test("fifty robots get the reports, and one that reads nothing holds no one up")
    func crowd() async throws {
        try await Self.serving { port, _ in
            let idle = Socket(port)
            await idle.send(
                "GET /ws/connect/IDLE HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            #expect(await idle.line().hasPrefix("HTTP/1.1 101"))
            await idle.send(Socket.masked(try Self.request("IDLE")))
            let reports = Seen()
            // On a busy machine the server may end a connection that is late. Robots then connect again.
            await withTaskGroup { group in
                for number in 0..<50 {
                    group.addTask {
                        while !reports.contains(number), !Task.isCancelled {
                            try? await Self.client(port, "ROBOT-\(number)").withConnection { connection in
                                try await connection.send(text: Self.request("ROBOT-\(number)"))
                                for await event in connection.events {
                                    guard case .text(let bytes) = event else { continue }
                                    let message = try Envelope(bytes, longest: 4 << 20)
                                    guard message.type == "poseBroadcast" else { continue }
                                    #expect(PoseReport(message.payload)?.people.count == 3)
                                    return reports.add(number)
                                }
                            }
                        }
                    }
                }
                // One more sees people until all are served.
                group.addTask {
                    while reports.count < 50, !Task.isCancelled {
                        try? await Self.client(port, "EYE").withConnection { connection in
                            try await connection.send(text: Self.request("EYE"))
                            for await event in connection.events {
                                guard case .text(let bytes) = event else { continue }
                                if try Envelope(bytes, longest: 4 << 20).type == "authResponse" { break }
                            }
                            while reports.count < 50 {
                                try await connection.send(text: Self.frame(of: 3))
                                try await Task.sleep(for: .milliseconds(30))
                            }
                        }
                    }
                }
            }
            #expect(reports.count == 50)
        }
    }

    @Test("a client that floods and never reads holds no one up")
    func flood() async throws {
        try await Self.serving { port, desk in
            let deaf = Socket(port)
            await deaf.send(
                "GET /ws/connect/DEAF HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            #expect(await deaf.line().hasPrefix("HTTP/1.1 101"))
            await deaf.send(Socket.masked(try Self.request("DEAF")))
            let beats = (0..<500).flatMap { _ in Socket.masked(Envelope.text(.heartbeat, at: Self.now, [:])) }
            for _ in 0..<100 { await deaf.send(beats) }
            try await Self.client(port, "OTHER").withConnection { connection in
                try await connection.send(text: Self.request("OTHER"))
                var answer: AuthAnswer?
                for await event in connection.events {
                    if case .text(let bytes) = event {
                        answer = AuthAnswer(try Envelope(bytes, longest: 1 << 20).payload)
                    }
                    if answer != nil { break }
                }
                #expect(answer?.isSuccess == true)
            }
            #expect(await desk.summary.count >= 1)
        }
    }

    @Test("a client that does not read gets the end of its connection, although messages wait for it")
    func deaf() async throws {
        let server = try await WebSocketServer(
            ServerPlan(host: "127.0.0.1", port: 0), accepts: { _ in true }, page: { _, _ in nil })
        let port = server.port, (ends, put) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            group.addTask {
                await server.run { visit in
                    let line = VisitLine(visit.connection)
                    await withTaskGroup { group in
                        group.addTask { await line.run() }
                        let large = [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20)
                        for _ in 0...VisitLine.most + 1 { line.send(large) }
                        for await _ in visit.connection.events {}
                        line.finish()
                    }
                    put.finish()
                }
            }
            let idle = Socket(port)
            await idle.send(
                "GET /x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            #expect(await idle.line().hasPrefix("HTTP/1.1 101"))
            for await _ in ends {}
            withExtendedLifetime(idle) {}
            group.cancelAll()
        }
    }

    @Test("web pages, other paths and a connection too many are refused; pages are answered")
    func doors() async throws {
        try await Self.serving(change: {
            $0.mostArrivingOfOne = 4; $0.origins = ["https://mine.example"]
        }) { port, _ in
            func status(_ path: String, _ more: String = "") async -> String {
                let socket = Socket(port)
                await socket.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\(more)\r\n")
                return await socket.line()
            }
            let upgrade =
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            #expect(await status("/ws/connect/A", upgrade).contains(" 101 "))
            #expect(await status("/ws/connect/A", upgrade + "Origin: https://mine.example\r\n").contains(" 101 "))
            #expect(await !status("/ws/connect/A", upgrade + "Origin: https://other.example\r\n").contains(" 101 "))
            #expect(await !status("/ws/other", upgrade).contains(" 101 "))
            for page in ["/", "/status", "/metrics"] { #expect(await status(page).contains(" 200 ")) }
            #expect(await status("/secret").contains(" 404 "))
            let held = (0..<4).map { _ in Socket(port) }
            var isFull = false
            for _ in 0..<200 where !isFull {
                // The earlier connections may still be ending.
                isFull = await Socket(port).isClosed()
            }
            #expect(isFull)
            withExtendedLifetime(held) {}
        }
    }

    @Test("a stranger's long message ends the connection, a robot's does not")
    func sizes() async throws {
        try await Self.serving { port, _ in
            let long = [UInt8](repeating: UInt8(ascii: " "), count: 200_000)
            try await Self.client(port, "STRANGER").withConnection { connection in
                // The end may come before the last part has left.
                try? await connection.send(text: long)
                for await _ in connection.events {}
                #expect(connection.ending.code == 1009)
            }
            try await Self.client(port, "ROBOT").withConnection { connection in
                try await connection.send(text: Self.request("ROBOT"))
                var answers = 0
                for await event in connection.events {
                    guard case .text = event else { continue }
                    answers += 1
                    if answers == 1 { try await connection.send(text: long) }
                    if answers == 2 { break }
                }
                #expect(answers == 2)
            }
        }
    }

    @Test("a server without encryption or with a wrong key says so, and a port in use, too")
    func plans() async throws {
        #expect(throws: DockError.self) { try ServerIdentity(certificates: Array("x".utf8), key: Array("y".utf8)) }
        try await Self.serving { port, desk in
            let error = await #expect(throws: DockError.self) {
                try await desk.listen(ServerPlan(host: "127.0.0.1", port: port))
            }
            #expect(error?.code == .portBusy)
        }
    }
}

/// The robots that have got a report.
private final class Seen: Sendable {
    private let numbers = Mutex(Set<Int>())

    func add(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }

    func contains(_ number: Int) -> Bool { numbers.withLock { $0.contains(number) } }

    var count: Int { numbers.withLock { $0.count } }
}
