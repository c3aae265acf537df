import AllSpark
import NIOCore
import NIOWebSocket
import Synchronization
import Testing

@testable import Networking

/// The whole conversation with an AllSpark server over real sockets on 127.0.0.1. The machine's clock jumps
/// to the next attempt when there is no connection.
@Suite(.timeLimit(.minutes(1))) struct ConversationTests {
    private static let start = 1_795_788_303.0

    private static func chunk(_ index: Int) -> ChunkReference {
        ChunkReference(
            number: Int(start * 1000) + index * 10_000, start: start + Double(index) * 10,
            end: start + Double(index + 1) * 10, camera: "front", bytes: 60_000, format: .mp4, rate: 30, width: 640,
            height: 480, hasSound: true)
    }

    private static func server(
        _ variant: TestServer.Behaviour.Variant, identity: TestCertificates.Identity? = nil, tearsAt: Int? = nil
    ) async throws -> TestServer {
        var behaviour = TestServer.Behaviour()
        (behaviour.variant, behaviour.identity, behaviour.tearsAt) = (variant, identity, tearsAt)
        behaviour.greeting =
            variant == .python
            ? #"{"type":"clientConfig","config":{"videoFormat":"mp4","audioFormat":"wav","timestampFormat":"txt"}}"#
            : #"{"type":"clientConfig","config":{"videoFormat":"mp4","videoChunkDurationMs":30000}}"#
        let request = #"{"command":"uploadTimeRange","startTime":"1795788303","endTime":1795788333.5}"#
        behaviour.frames = [WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: request))]
        return try await TestServer(behaviour)
    }

    /// Runs the conversation until all chunks are uploaded.
    private static func run(_ server: TestServer, trust: TransportTrust, isNode: Bool = false) async throws
        -> Conversation
    {
        let talk = try Conversation(plan(server.port, trust: trust), chunks: (0..<4).map(chunk))
        let work = Task { await talk.run() }
        while await talk.uploaded.count < 4 { try await Task.sleep(for: .milliseconds(5)) }
        try await server.wait { $0.files.count == (isNode ? 4 : 12) }
        work.cancel()
        await work.value
        return talk
    }

    @Test func `a requested time is uploaded to the Python server, with companions`() async throws {
        let server = try await Self.server(.python)
        let talk = try await Self.run(server, trust: .off)
        let names = server.seen.files.keys.sorted()
        #expect(names.filter { $0.hasPrefix("chunk_") } == (0..<4).map { "chunk_\(Self.chunk($0).number).mp4" })
        #expect(names.count { $0.hasPrefix("audio_") } == 4 && names.count { $0.hasPrefix("timestamps_") } == 4)
        for (name, bytes) in server.seen.files { #expect(await talk.content(of: name) == bytes) }
        #expect(await talk.states.contains(.connected) && server.seen.connections == 1)
    }

    @Test func `the Node server gets the chunks alone`() async throws {
        let server = try await Self.server(.node)
        _ = try await Self.run(server, trust: .off, isNode: true)
        #expect(server.seen.files.keys.allSatisfy { $0.hasPrefix("chunk_") })
    }

    @Test func `with TLS each audit line names the certificate, and a break in the middle loses nothing`() async throws
    {
        let identity = try TestCertificates.shared.get().selfSigned
        let server = try await Self.server(.python, identity: identity, tearsAt: 40_000)
        let talk = try await Self.run(server, trust: .pinned(identity.certificate))
        #expect(server.seen.hasTorn && server.seen.connections == 2)
        for (name, bytes) in server.seen.files { #expect(await talk.content(of: name) == bytes) }
        let audits = await talk.audits
        #expect(audits.allSatisfy { $0.certificate == identity.certificate.fingerprint })
        #expect(audits.contains { $0.what == .failed } && audits.count { $0.what == .sent } >= 11)
        #expect(await talk.states.contains(.secure))
    }
}

/// Several fragments for a file that is small enough for a test.
private func smallFragments() -> WebSocketOptions {
    var options = quickOptions()
    options.fragment = 16_384
    return options
}

/// Runs an `AllSparkMachine` on the network, as a program does.
actor Conversation {
    private let plan: TransportPlan
    private let chunks: [ChunkReference]
    private var machine: AllSparkMachine
    private var connection: WebSocketConnection?
    private var files: [FileNeed: PatternFile] = [:]
    private var names: [String: FileNeed] = [:]
    private(set) var uploaded: [Int] = []
    private(set) var audits: [AuditRecord] = []
    private(set) var states: [LinkState] = []
    private let jobs: AsyncStream<@Sendable () async -> Void>
    private let sink: AsyncStream<@Sendable () async -> Void>.Continuation
    private let begin = ContinuousClock.now
    /// The seconds that were not waited for.
    private var skipped = 0.0

    init(_ plan: TransportPlan, chunks: [ChunkReference]) {
        (self.plan, self.chunks) = (plan, chunks)
        var terms = OwnerTerms()
        terms.keepsSound = true
        let server = AllSparkServer(
            name: "lab", address: plan.address.text, isEncrypted: plan.isEncrypted,
            pin: plan.pin?.fingerprint)
        machine = AllSparkMachine(
            server: server, terms: terms, naming: UploadName(.milliseconds, device: DeviceName("test", number: 321)))
        (jobs, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(256))
    }

    /// Runs until the task is cancelled.
    func run() async {
        take(.start)
        await withDiscardingTaskGroup { group in
            group.addTask {
                while (try? await Task.sleep(for: .milliseconds(2))) != nil { await self.tick() }
            }
            for await job in jobs { group.addTask { await job() } }
            group.cancelAll()
        }
    }

    func content(of name: String) -> [UInt8]? {
        let number = Int(name.split(separator: "_").last?.split(separator: ".").first ?? "") ?? 0
        let role: FileRole =
            name.hasPrefix("chunk") ? .video(.mp4) : name.hasPrefix("audio") ? .sound(.wav) : .timestamps
        return files[FileNeed(chunk: number, role: role)]?.bytes
    }

    private var now: AllSparkMachine.Moment {
        let parts = (ContinuousClock.now - begin).components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18 + skipped
        return .init(monotonic: seconds, unix: 1_795_788_400 + seconds)
    }

    private func tick() {
        guard let deadline = machine.deadline else { return }
        if case .disconnected = machine.state { skipped += max(0, deadline - now.monotonic) }
        guard now.monotonic >= deadline else { return }
        perform(machine.tick(at: now))
    }

    private func take(_ event: AllSparkMachine.Event) { perform(machine.take(event, at: now)) }

    private func perform(_ actions: [AllSparkMachine.Action]) {
        for action in actions {
            switch action {
            case .connect: sink.yield { await self.connect() }
            case .disconnect(let reason):
                let connection = connection
                sink.yield { await connection?.close(reason: reason) }
            case .send(let bytes): send { try await $0.send(text: bytes) }
            case .sendFile(let need, _):
                guard let source = try? files[need]?.source() else { continue }
                send { try await $0.send(file: source) }
            case .find(let request):
                let found = chunks.filter { request.range.overlaps(start: $0.start, end: $0.end) }
                take(.found(request.number, found, isComplete: true))
            case .prepare(let need):
                let size = need.role.isVideo ? 60_000 : 5000
                if files[need] == nil { files[need] = try? PatternFile(size + need.chunk % 977) }
                take(.prepared(need, bytes: files[need]?.bytes.count ?? 0))
            case .uploaded(let number): uploaded.append(number)
            case .show(let state): states.append(state)
            case .audit(let record): audits.append(record)
            case .release, .configure, .startRecording, .log: break
            }
        }
    }

    /// A failed send ends the connection, which is reported by its events.
    private func send(_ work: @escaping @Sendable (WebSocketConnection) async throws -> Void) {
        let connection = connection
        sink.yield { if let connection { try? await work(connection) } }
    }

    private func connect() async {
        do {
            try await WebSocketClient(plan, options: smallFragments()).withConnection { connection in
                await self.opened(connection)
                for await event in connection.events { await self.arrived(event) }
                await self.ended(connection.ending)
            }
        } catch let failure as TransportFailure {
            take(.refused(failure.message))
        } catch {}
    }

    private func opened(_ connection: WebSocketConnection) {
        self.connection = connection
        take(.opened(PeerFacts(isEncrypted: plan.isEncrypted, certificate: connection.certificate?.fingerprint)))
    }

    private func arrived(_ event: WebSocketEvent) {
        switch event {
        case .text(let bytes): take(.received(bytes))
        case .sent: take(.written)
        case .binary: break
        }
    }

    private func ended(_ ending: WebSocketEnding) {
        connection = nil
        take(.ended(code: ending.code, reason: ending.failure.message))
    }
}

extension TransportPlan {
    fileprivate var pin: ServerCertificate? { if case .pinned(let pin) = trust { pin } else { nil } }
}
