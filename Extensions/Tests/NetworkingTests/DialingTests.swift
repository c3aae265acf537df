import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import NetworkTestKit
@testable import Networking

/// Connections that do not come about, each with its own words.
@Suite(.timeLimit(.minutes(10))) struct DialingTests {
    private static func kind(
        _ port: Int, host: String = "127.0.0.1", trust: TransportTrust = .off, limit: Double = 30
    ) async -> TransportFailure.Kind? {
        await failure {
            var options = quickOptions()
            options.handshakeLimit = limit
            try await WebSocketClient(plan(port, host: host, trust: trust), options: options).withConnection { _ in }
        }?.kind
    }

    private static func certificates() throws -> TestCertificates { try TestCertificates.shared.get() }

    /// A server with this certificate.
    private static func server(_ identity: TestCertificates.Identity?) async throws -> TestServer {
        var behaviour = TestServer.Behaviour()
        behaviour.identity = identity
        return try await TestServer(behaviour)
    }

    // MARK: without TLS

    @Test func `a port without a program refuses, and a name that does not exist is not found`() async throws {
        let port: Int
        do {
            // The port of a server that has ended.
            let channel = try await ServerBootstrap(group: TestServer.group).bind(host: "127.0.0.1", port: 0).get()
            port = channel.localAddress?.port ?? 0
            try await channel.close().get()
        }
        #expect(await Self.kind(port) == .refused)
        let failure = await failure {
            let plan = try TransportPlan(ServerAddress("no-such-name.invalid", defaultPort: 1), trust: .off)
            try await WebSocketClient(plan, options: quickOptions()).withConnection { _ in }
        }
        #expect(failure?.kind == .nameNotFound && failure?.message.contains("no-such-name.invalid") == true)
    }

    /// Listens, answers the first bytes with these, and closes.
    private static func raw(_ answer: String?, closes: Bool = true) async throws -> (port: Int, channel: any Channel) {
        let channel = try await ServerBootstrap(group: TestServer.group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RawAnswer(answer, closes: closes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return (channel.localAddress?.port ?? 0, channel)
    }

    @Test(
        arguments: [
            (nil, false, .closedWithoutAnswer), ("SSH-2.0-OpenSSH\r\n", false, .notHTTP),
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", false, .notWebSocket(status: 404)),
            ("HTTP/1.1 200 OK\r\n\r\n", false, .notWebSocket(status: 200)),
            (
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", false,
                .protocolViolation
            ),
            ("\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{46}", false, .needsTLS),
            (nil, true, .closedWithoutAnswer), ("HTTP/1.1 400 Bad Request\r\n\r\n", true, .needsPlain),
            ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}", true, .tlsFailed),
        ] as [(String?, Bool, TransportFailure.Kind)])
    func `a server that is something else is named`(
        answer: String?, isEncrypted: Bool, kind: TransportFailure.Kind
    ) async throws {
        let (port, channel) = try await Self.raw(answer)
        #expect(await Self.kind(port, trust: isEncrypted ? .system : .off) == kind)
        try await channel.close().get()
    }

    @Test(arguments: [false, true])
    func `a server that accepts and then says nothing is not waited for`(isEncrypted: Bool) async throws {
        let (port, channel) = try await Self.raw(nil, closes: false)
        #expect(await Self.kind(port, trust: isEncrypted ? .system : .off, limit: 0.2) == .timedOut)
        try await channel.close().get()
    }

    @Test func `a task that is cancelled while it connects ends at once`() async throws {
        let (port, channel) = try await Self.raw(nil, closes: false)
        let task = Task { try await WebSocketClient(plan(port)).withConnection { _ in } }
        try await Task.sleep(for: .milliseconds(50))
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ContinuousClock.now - start < .seconds(20))
        try await channel.close().get()
    }

    // MARK: TLS

    @Test func `a plain client at a TLS port, and a TLS client at a plain one, get no connection`() async throws {
        let certificates = try Self.certificates()
        let encrypted = try await Self.server(certificates.right)
        let first = await Self.kind(encrypted.port)
        #expect(first == .needsTLS || first == .closedWithoutAnswer)
        let plain = try await Self.server(nil)
        #expect(await Self.kind(plain.port, trust: .authorities([certificates.authority])) == .needsPlain)
        // No fallback: neither server has seen a WebSocket.
        #expect(encrypted.seen.connections == 0 && plain.seen.connections == 0)
    }

    @Test func `an accepted authority and the right name are a connection`() async throws {
        let certificates = try Self.certificates()
        let server = try await Self.server(certificates.right)
        for host in ["localhost", "127.0.0.1"] {
            let plan = try plan(server.port, host: host, trust: .authorities([certificates.authority]))
            let shown = try await WebSocketClient(plan, options: quickOptions()).withConnection { $0.certificate }
            #expect(shown == certificates.right.certificate)
        }
        #expect(server.seen.connections == 2)
    }

    @Test func `each fault of a certificate is refused in its own words`() async throws {
        let certificates = try Self.certificates()
        let trust = TransportTrust.authorities([certificates.authority])
        let cases: [(TestCertificates.Identity, String, TransportTrust, TransportFailure.Kind)] = [
            (certificates.expired, "localhost", trust, .expired),
            (certificates.notYetValid, "localhost", trust, .notYetValid),
            (certificates.wrongName, "localhost", trust, .wrongName),
            (certificates.wrongName, "127.0.0.1", trust, .wrongName),
            (certificates.selfSigned, "localhost", trust, .selfSigned),
            (certificates.selfSigned, "localhost", .system, .selfSigned),
            (certificates.right, "localhost", .system, .unknownAuthority),
            (certificates.otherSelfSigned, "localhost", .pinned(certificates.selfSigned.certificate), .changedPin),
            (certificates.right, "localhost", .pinned(certificates.selfSigned.certificate), .changedPin),
            // The certificate of AllSpark's page, by address: its common name does not count.
            (
                certificates.commonNameOnly, "127.0.0.1", .authorities([certificates.commonNameOnly.certificate]),
                .wrongName
            ),
        ]
        for (identity, host, trust, kind) in cases {
            let server = try await Self.server(identity)
            #expect(await Self.kind(server.port, host: host, trust: trust) == kind, "\(host) \(kind)")
            #expect(server.seen.connections == 0)
        }
    }

    @Test func `a pinned certificate is a connection, whatever its name and its dates`() async throws {
        let certificates = try Self.certificates()
        for identity in [
            certificates.selfSigned, certificates.commonNameOnly, certificates.expired, certificates.wrongName,
        ] {
            let server = try await Self.server(identity)
            let plan = try plan(server.port, trust: .pinned(identity.certificate))
            let shown = try await WebSocketClient(plan, options: quickOptions()).withConnection { $0.certificate }
            #expect(shown == identity.certificate)
        }
    }

    @Test func `a certificate is shown before it is accepted, and nothing else is sent`() async throws {
        let identity = try Self.certificates().selfSigned
        let server = try await Self.server(identity)
        let shown = try await CertificateProbe.certificate(of: plan(server.port).address, limit: 30)
        #expect(shown == identity.certificate && server.seen.connections == 0)
        #expect(try shown.fingerprint == TestCertificates.fingerprint(identity))
        #expect(shown.isSelfSigned && shown.commonName == "self" && shown.validUntil > unixTime())
        let plain = try await Self.server(nil)
        let failure = await failure {
            _ = try await CertificateProbe.certificate(of: plan(plain.port).address, limit: 30)
        }
        #expect(failure?.kind == .needsPlain)
    }

    @Test func `bytes that are no certificate are refused`() {
        #expect(throws: (any Error).self) { try ServerCertificate(der: [0x30, 0x82, 1, 2, 3]) }
        #expect(throws: (any Error).self) { try ServerCertificate(pem: Array("-----BEGIN CERTIFICATE-----".utf8)) }
        #expect(throws: (any Error).self) { try ServerCertificate(der: []) }
    }

    // MARK: health

    @Test(arguments: [false, true])
    func `the health of a server is one request`(isEncrypted: Bool) async throws {
        let certificates = try Self.certificates()
        let server = try await Self.server(isEncrypted ? certificates.right : nil)
        let plan = try plan(server.port, trust: isEncrypted ? .authorities([certificates.authority]) : .off)
        let body = try await HTTPFetch(plan, limit: 30).body(of: "/api/health")
        #expect(String(decoding: body, as: UTF8.self).hasPrefix(#"{"status":"ok","timestamp":17"#))
        let failure = await failure { _ = try await HTTPFetch(plan, limit: 30).body(of: "/nowhere") }
        #expect(failure?.kind == .notWebSocket(status: 404))
    }

    @Test func `an answer with an endless head is cut`() async throws {
        let (port, channel) = try await Self.raw(
            "HTTP/1.1 200 OK\r\n"
                + String(repeating: "X-Filler: \(String(repeating: "y", count: 100))\r\n", count: 2000),
            closes: false)
        #expect(await Self.kind(port) == .notHTTP)
        try await channel.close().get()
    }

    @Test func `an endless answer is cut`() async throws {
        let (port, channel) = try await Self.raw(
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n" + String(repeating: "x", count: 70_000), closes: false
        )
        let failure = await failure { _ = try await HTTPFetch(plan(port), limit: 30).body(of: "/api/health") }
        #expect(failure != nil)
        try await channel.close().get()
    }
}

/// Answers the first bytes of a client with its own.
private final class RawAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String?
    private let closes: Bool

    init(_ answer: String?, closes: Bool) { (self.answer, self.closes) = (answer, closes) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let answer { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil) }
        if closes { context.close(promise: nil) }
    }
}
