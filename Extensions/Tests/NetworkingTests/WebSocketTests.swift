import Glibc
import NIOCore
import NIOWebSocket
import Synchronization
import Testing

@testable import NetworkTestKit
@testable import Networking

/// The client against a server that can do everything wrong, on 127.0.0.1.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WebSocketTests {
    private static func client(_ server: TestServer, _ options: WebSocketOptions = quickOptions()) throws
        -> WebSocketClient
    {
        WebSocketClient(try plan(server.port), options: options)
    }

    /// Returns the next text, or nil at the end.
    private static func nextText(_ events: inout WebSocketEvents.AsyncIterator) async -> String? {
        while let event = await events.next(isolation: nil) {
            if case .text(let bytes) = event { return String(decoding: bytes, as: UTF8.self) }
        }
        return nil
    }

    /// Waits for the end of the connection.
    private static func end(_ connection: WebSocketConnection) async -> WebSocketEnding {
        for await _ in connection.events {}
        return connection.ending
    }

    // MARK: messages

    @Test func `texts go both ways, and the news of each one that left is in order`() async throws {
        let server = try await TestServer()
        let events = try await Self.client(server).withConnection { connection in
            try await connection.send(text: text(#"{"type":"test"}"#))
            var seen: [WebSocketEvent] = []
            for await event in connection.events {
                seen.append(event)
                if seen.count == 3 { break }
            }
            return seen
        }
        let texts = events.compactMap {
            if case .text(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
        #expect(texts.count == 2 && texts[0].contains("clientConfig") && texts[1].contains("Test message received"))
        let sent = events.firstIndex(of: .sent) ?? 9
        let answer = events.firstIndex(of: .text(text(texts.last ?? ""))) ?? 0
        #expect(sent < answer)
        try await server.wait { $0.closes == [1000] }
        let headers = server.seen.headers.map { $0.0.lowercased() }
        #expect(headers.contains("host") && !headers.contains("sec-websocket-extensions"))
    }

    @Test(arguments: [false, true])
    func `the first message is never lost, even in one packet with the agreement`(isEncrypted: Bool) async throws {
        var behaviour = TestServer.Behaviour()
        behaviour.isInOnePacket = true
        if isEncrypted { behaviour.identity = try TestCertificates.shared.get().selfSigned }
        let server = try await TestServer(behaviour)
        let trust = behaviour.identity.map { TransportTrust.pinned($0.certificate) } ?? .off
        let client = WebSocketClient(try plan(server.port, trust: trust), options: quickOptions())
        for _ in 0..<(isEncrypted ? 20 : 100) {
            let first = try await client.withConnection { connection in
                var events = connection.events.makeAsyncIterator()
                return await Self.nextText(&events)
            }
            #expect(first?.contains("clientConfig") == true)
        }
    }

    @Test func `a flood that is not read waits in the network, and not in memory`() async throws {
        var behaviour = TestServer.Behaviour(), options = quickOptions()
        let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(repeating: 0x20, count: 10_000))
        behaviour.frames = .init(repeating: frame, count: 2000)
        options.mostWaiting = 8
        (options.pingEvery, options.lostAfter) = (0.05, 1)
        let server = try await TestServer(behaviour)
        let count = try await Self.client(server, options).withConnection { connection in
            // While nothing is read, silence is no loss.
            try await Task.sleep(for: .milliseconds(1500))
            #expect(server.seen.cuts == 0)
            var count = 0
            for await event in connection.events {
                if case .text(let bytes) = event, bytes.count == 10_000 { count += 1 }
                if count == 2000 { break }
            }
            return count
        }
        #expect(count == 2000)
    }

    // MARK: files

    @Test(arguments: [0, 1, 131_072, 131_073, 500_000])
    func `a file arrives whole, in fragments`(size: Int) async throws {
        let server = try await TestServer(), file = try PatternFile(size)
        try await Self.client(server).withConnection { connection in
            let progress = Mutex<[Int]>([])
            try await connection.send(text: text(#"{"type":"upload","filename":"a.mp4","filesize":\#(size)}"#))
            try await connection.send(file: file.source()) { count in progress.withLock { $0.append(count) } }
            var events = connection.events.makeAsyncIterator()
            _ = await Self.nextText(&events)
            let answer = await Self.nextText(&events)
            #expect(answer?.contains("uploaded successfully") == true)
            #expect(progress.withLock { $0.last } == size)
        }
        #expect(server.seen.files["a.mp4"] == file.bytes)
        #expect(
            server.seen.fragments.allSatisfy { $0 <= 131_072 }
                && server.seen.fragments.count == max(1, (size + 131_071) / 131_072))
    }

    @Test func `a server that pings during a slow file gets its pongs`() async throws {
        var behaviour = TestServer.Behaviour()
        behaviour.variant = .node
        (behaviour.readEvery, behaviour.pingEvery) = (.milliseconds(20), .seconds(1))
        let server = try await TestServer(behaviour), file = try PatternFile(emptyOf: 1_200_000)
        try await Self.client(server).withConnection { connection in
            try await connection.send(text: text(#"{"type":"upload","filename":"a.mp4","filesize":1200000}"#))
            try await connection.send(file: file.source())
            var events = connection.events.makeAsyncIterator()
            _ = await Self.nextText(&events)
            let answer = await Self.nextText(&events)
            #expect(answer?.contains("File uploaded") == true)
        }
        #expect(server.seen.pongs >= 1 && server.seen.cuts == 0 && server.seen.files["a.mp4"]?.count == 1_200_000)
    }

    @Test func `a file for a server that does not read is not read either`() async throws {
        var behaviour = TestServer.Behaviour(), options = quickOptions()
        behaviour.readEvery = .hours(1)
        (options.pingEvery, options.lostAfter) = (0.1, 1)
        let server = try await TestServer(behaviour), file = try PatternFile(emptyOf: 24_000_000)
        let sent = Mutex(0)
        // The handshake needs one read, which the first period brings. Then the network fills up, and silence ends it.
        let failure = await failure {
            try await Self.client(server, options).withConnection { connection in
                try await connection.send(file: file.source()) { count in sent.withLock { $0 = count } }
            }
        }
        #expect(failure?.kind == .silent)
        #expect(sent.withLock { $0 } < 12_000_000)
    }

    @Test func `a connection that breaks off within a file is an error, and the next one sends it whole`() async throws
    {
        var behaviour = TestServer.Behaviour()
        behaviour.tearsAt = 300_000
        let server = try await TestServer(behaviour), file = try PatternFile(1_000_000)
        let client = try Self.client(server)
        let upload: @Sendable (WebSocketConnection) async throws -> Void = { connection in
            try await connection.send(text: text(#"{"type":"upload","filename":"a.mp4","filesize":1000000}"#))
            try await connection.send(file: file.source())
            var events = connection.events.makeAsyncIterator()
            _ = await Self.nextText(&events)
            let answer = await Self.nextText(&events)
            #expect(answer?.contains("success") == true)
        }
        let first = await failure { try await client.withConnection(upload) }
        #expect(first?.kind == .torn && server.seen.files.isEmpty)
        try await client.withConnection(upload)
        #expect(server.seen.files["a.mp4"] == file.bytes)
    }

    @Test func `a file that becomes shorter ends the connection, and the server has nothing`() async throws {
        let server = try await TestServer(), file = try PatternFile(400_000)
        let failure = await failure {
            try await Self.client(server).withConnection { connection in
                let source = try file.source()
                try await connection.send(text: text(#"{"type":"upload","filename":"a.mp4","filesize":400000}"#))
                try await connection.send(file: source) { count in
                    if count == 131_072 { truncate(file.path, 140_000) }
                }
            }
        }
        #expect(failure?.kind == .file && server.seen.files.isEmpty)
    }

    @Test func `a server says that a file is too large`() async throws {
        var behaviour = TestServer.Behaviour()
        behaviour.largestFile = 200_000
        let server = try await TestServer(behaviour), file = try PatternFile(300_000)
        let ending = try await Self.client(server).withConnection { connection in
            try await connection.send(text: text(#"{"type":"upload","filename":"a.mp4","filesize":300000}"#))
            try? await connection.send(file: file.source())
            return await Self.end(connection)
        }
        #expect(ending.code == 1009 && !ending.isOrderly && ending.failure.message.contains("too large"))
    }

    @Test func `two messages at once are refused`() async throws {
        var behaviour = TestServer.Behaviour()
        behaviour.readEvery = .milliseconds(5)
        let server = try await TestServer(behaviour), file = try PatternFile(emptyOf: 2_000_000)
        try await Self.client(server).withConnection { connection in
            async let first: Void = connection.send(file: file.source())
            try await server.wait { !$0.fragments.isEmpty }
            let second = await failure { try await connection.send(text: text("{}")) }
            #expect(second?.kind == .busy)
            try await first
        }
    }

    // MARK: silence and bad frames

    @Test func `a server that is silent is lost, and one that answers pings is not`() async throws {
        var options = quickOptions()
        (options.pingEvery, options.lostAfter) = (0.05, 1)
        var behaviour = TestServer.Behaviour()
        let good = try await TestServer(behaviour)
        try await Self.client(good, options).withConnection { connection in
            try await Task.sleep(for: .milliseconds(1500))
            try await connection.send(text: text(#"{"type":"test"}"#))
            var events = connection.events.makeAsyncIterator()
            _ = await Self.nextText(&events)
            let answer = await Self.nextText(&events)
            #expect(answer?.contains("Test") == true)
        }
        behaviour.pongs = false
        let silent = try await TestServer(behaviour)
        let ending = try await Self.client(silent, options).withConnection { await Self.end($0) }
        #expect(ending.failure.kind == .silent && !ending.isOrderly)
    }

    private static func frame(
        _ opcode: WebSocketOpcode, _ count: Int, fin: Bool = true, rsv1: Bool = false, mask: Bool = false
    ) -> WebSocketFrame {
        WebSocketFrame(
            fin: fin, rsv1: rsv1, opcode: opcode, maskKey: mask ? .random() : nil,
            data: ByteBuffer(repeating: 0x41, count: count))
    }

    @Test(
        arguments: [
            ([frame(.text, 65_537)], .tooLarge),
            ([frame(.text, 60_000, fin: false), frame(.continuation, 60_000)], .tooLarge),
            ([frame(.text, 5, rsv1: true)], .protocolViolation), ([frame(.text, 5, mask: true)], .protocolViolation),
            ([frame(.continuation, 5)], .protocolViolation), ([frame(.ping, 5, fin: false)], .protocolViolation),
            ([frame(.ping, 126)], .protocolViolation),
            ([frame(.init(encodedWebSocketOpcode: 3) ?? .text, 1)], .protocolViolation),
            ([frame(.text, 5, fin: false), frame(.text, 5)], .protocolViolation),
        ] as [([WebSocketFrame], TransportFailure.Kind)])
    func `a server that breaks the rules is left, and hears why`(
        frames: [WebSocketFrame], kind: TransportFailure.Kind
    ) async throws {
        var behaviour = TestServer.Behaviour()
        behaviour.frames = frames
        let server = try await TestServer(behaviour)
        let ending = try await Self.client(server).withConnection { await Self.end($0) }
        #expect(ending.failure.kind == kind)
        try await server.wait { $0.closes == [kind == .tooLarge ? 1009 : 1002] }
    }

    @Test func `a server's goodbye is orderly, and its words are shown plain`() async throws {
        var behaviour = TestServer.Behaviour()
        var data = ByteBuffer(integer: UInt16(1001))
        data.writeString("bye\u{1b}[2J")
        behaviour.frames = [WebSocketFrame(fin: true, opcode: .connectionClose, data: data)]
        let server = try await TestServer(behaviour)
        let ending = try await Self.client(server).withConnection { await Self.end($0) }
        #expect(ending.isOrderly && ending.code == 1001 && ending.failure.message.hasSuffix(#"(1001): bye\u{1b}[2J"#))
    }

    // MARK: cancellation

    @Test func `a cancelled task ends the connection, whatever it waits for`() async throws {
        var behaviour = TestServer.Behaviour()
        let server = try await TestServer(behaviour)
        // The server knows of a connection before the client has finished its handshake, so the client says that it is open.
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            try await Self.client(server).withConnection {
                open.yield()
                _ = await Self.end($0)
            }
        }
        for await _ in opened { break }
        waiting.cancel()
        _ = await waiting.result
        try await server.wait { $0.closes.count == 1 }

        behaviour.readEvery = .milliseconds(50)
        let slow = try await TestServer(behaviour), file = try PatternFile(emptyOf: 8_000_000)
        let sending = Task {
            try await Self.client(slow).withConnection { try await $0.send(file: file.source()) }
        }
        try await slow.wait { !$0.fragments.isEmpty }
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
    }
}
