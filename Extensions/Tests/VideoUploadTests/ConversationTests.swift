import AllSpark
import DockTypes
import NIOCore
import NIOWebSocket
import Networking
import Testing
import VideoUpload

@testable import NetworkTestKit

/// The whole conversation with an AllSpark server over real sockets on 127.0.0.1.
@Suite(.timeLimit(.minutes(10))) struct ConversationTests {
    private static let range = #"{"command":"uploadTimeRange","startTime":"1795788303","endTime":1795788333.5}"#

    private static func server(
        _ variant: TestServer.Behaviour.Variant = .python, identity: TestCertificates.Identity? = nil,
        tearsAt: Int? = nil, request: String? = range
    ) async throws -> TestServer {
        var behaviour = TestServer.Behaviour()
        (behaviour.variant, behaviour.identity, behaviour.tearsAt) = (variant, identity, tearsAt)
        behaviour.greeting =
            variant == .python
            ? #"{"type":"clientConfig","config":{"videoFormat":"mp4","audioFormat":"wav","timestampFormat":"txt"}}"#
            : #"{"type":"clientConfig","config":{"videoFormat":"mp4","videoChunkDurationMs":30000}}"#
        behaviour.frames = [request].compactMap { $0 }.map {
            WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: $0))
        }
        return try await TestServer(behaviour)
    }

    private static func conversation(
        _ server: TestServer, _ desk: TestDesk, trust: TransportTrust = .off, terms: OwnerTerms = OwnerTerms()
    ) throws -> ServerConversation {
        ServerConversation(
            try chosen(server.port, trust: trust), terms: terms,
            naming: UploadName(.milliseconds, device: DeviceName("test", number: 321)), desk: desk,
            options: smallFragments())
    }

    /// Runs a conversation beside the body, and ends it.
    private static func with(_ conversation: ServerConversation, _ body: () async throws -> Void) async throws {
        let work = Task { await conversation.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        work.cancel()
        await work.value
        try result.get()
    }

    // MARK: uploads

    @Test func `a requested time is uploaded to the Python server, with the times of the pictures`() async throws {
        let server = try await Self.server(), desk = TestDesk()
        try await Self.with(Self.conversation(server, desk)) {
            try await server.wait { $0.files.count == 8 }
            try await desk.wait { $0.uploaded.count == 4 && $0.isIdle }
        }
        let names = server.seen.files.keys.sorted()
        #expect(names.filter { $0.hasPrefix("chunk_") } == (0..<4).map { "chunk_\(TestDesk.chunk($0).number).mp4" })
        #expect(names.count { $0.hasPrefix("timestamps_") } == 4)
        for (name, bytes) in server.seen.files { #expect(desk.content(of: name) == bytes) }
        #expect(desk.seen.states.contains(.connected) && server.seen.connections == 1 && desk.seen.open.isEmpty)
    }

    @Test func `the Node server gets the chunks alone`() async throws {
        let server = try await Self.server(.node), desk = TestDesk()
        try await Self.with(Self.conversation(server, desk)) { try await desk.wait { $0.uploaded.count == 4 } }
        #expect(server.seen.files.keys.allSatisfy { $0.hasPrefix("chunk_") })
    }

    @Test func `with TLS each audit line names the certificate, and a break in the middle loses nothing`() async throws
    {
        let identity = try TestCertificates.shared.get().selfSigned, desk = TestDesk()
        let server = try await Self.server(identity: identity, tearsAt: 40_000)
        try await Self.with(Self.conversation(server, desk, trust: .pinned(identity.certificate))) {
            try await desk.wait { $0.uploaded.count == 4 && $0.isIdle }
        }
        #expect(server.seen.hasTorn && server.seen.connections == 2)
        for (name, bytes) in server.seen.files { #expect(desk.content(of: name) == bytes) }
        let audits = desk.seen.audits
        #expect(audits.allSatisfy { $0.certificate == identity.certificate.fingerprint })
        #expect(audits.contains { $0.what == .failed } && audits.count { $0.what == .sent } == 8)
        #expect(desk.seen.states.contains(.secure))
    }

    @Test func `the owner's own upload needs no request, and the server's are refused if the owner says so`()
        async throws
    {
        let server = try await Self.server(), desk = TestDesk()
        var terms = OwnerTerms()
        terms.answersRequests = false
        let conversation = try Self.conversation(server, desk, terms: terms)
        try await Self.with(conversation) {
            try await desk.wait { $0.audits.contains { $0.what == .requested } }
            conversation.upload(try #require(TimeRange(start: TestDesk.start + 10, end: TestDesk.start + 11)))
            try await desk.wait { $0.uploaded.count == 1 && $0.isIdle }
        }
        #expect(desk.seen.uploaded == [TestDesk.chunk(1).number])
        #expect(desk.seen.audits.first { $0.what == .requested }?.result?.hasPrefix("refused") == true)
    }

    @Test func `a finished recording is announced only to a server that may hear of it`() async throws {
        for hears in [true, false] {
            let server = try await Self.server(request: nil), desk = TestDesk()
            var terms = OwnerTerms()
            terms.announcesChunks = hears
            let conversation = try Self.conversation(server, desk, terms: terms)
            try await Self.with(conversation) {
                try await desk.wait { $0.states.contains(.connected) }
                conversation.recorded(TestDesk.chunk(0))
                conversation.upload(try #require(TimeRange(start: TestDesk.start, end: TestDesk.start + 1)))
                try await desk.wait { $0.uploaded.count == 1 && $0.isIdle }
            }
            #expect(server.seen.texts.contains { $0.contains("chunkSaved") } == hears)
        }
    }

    // MARK: what must not happen

    @Test func `without an audit line not even the name leaves`() async throws {
        let server = try await Self.server()
        let desk = TestDesk(auditProblem: DockError(.cannotOpen, "the disk is full", hint: "free some space"))
        try await Self.with(Self.conversation(server, desk)) {
            try await desk.wait { $0.states.contains { if case .disconnected = $0 { true } else { false } } }
        }
        #expect(server.seen.connections == 1 && server.seen.texts.isEmpty && server.seen.files.isEmpty)
        #expect(desk.seen.lines.contains { $0.contains("nothing is uploaded: the disk is full") })
    }

    @Test func `a server with another certificate hears nothing`() async throws {
        let certificates = try TestCertificates.shared.get(), desk = TestDesk()
        let server = try await Self.server(identity: certificates.otherSelfSigned)
        let pin = TransportTrust.pinned(certificates.selfSigned.certificate)
        try await Self.with(Self.conversation(server, desk, trust: pin)) {
            try await desk.wait { $0.states.contains { if case .disconnected = $0 { true } else { false } } }
        }
        #expect(server.seen.connections == 0 && desk.seen.audits.isEmpty)
    }

    @Test func `the end of the task ends the connection with a close frame`() async throws {
        let server = try await Self.server(request: nil), desk = TestDesk()
        try await Self.with(Self.conversation(server, desk)) {
            try await server.wait { !$0.texts.isEmpty }
        }
        try await server.wait { !$0.closes.isEmpty }
        #expect(desk.seen.states.last == .off)
    }

    @Test func `a conversation that ends in the middle of a file lets go of it`() async throws {
        var behaviour = TestServer.Behaviour()
        behaviour.answers = false
        let server = try await TestServer(behaviour), desk = TestDesk()
        let conversation = try Self.conversation(server, desk)
        try await Self.with(conversation) {
            conversation.upload(try #require(TimeRange(start: TestDesk.start, end: TestDesk.start + 1)))
            try await desk.wait { !$0.open.isEmpty }
        }
        #expect(desk.seen.open.isEmpty && desk.seen.uploaded.isEmpty)
    }

    @Test func `what the server wants for recordings reaches the recorder, within the owner's terms`() async throws {
        let request = #"{"command":"record","duration":900000,"autoUpload":true}"#
        for allows in [true, false] {
            let server = try await Self.server(.node, request: request), desk = TestDesk()
            var terms = OwnerTerms()
            (terms.allowsRecording, terms.chunkLength) = (allows, 10)
            try await Self.with(Self.conversation(server, desk, terms: terms)) {
                try await desk.wait { $0.audits.contains { $0.what == .recordRequested } }
            }
            #expect(desk.seen.configs.last?.chunkLength == 30)
            #expect(desk.seen.recordings.map(\.duration) == (allows ? [300] : []))
        }
    }
}
