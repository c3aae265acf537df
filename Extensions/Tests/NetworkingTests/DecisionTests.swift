import DockTestKit
import Testing

@testable import NetworkTestKit
@testable import Networking

/// The parts of a connection that decide by themselves.
@Suite struct DecisionTests {
    // MARK: liveness, in virtual time

    @Test func `a ping goes every 5 s, and 10 s without a byte are too long`() {
        var watch = LivenessWatch(pingEvery: 5, lostAfter: 10, now: 100)
        #expect(watch.deadline == 105)
        let early = watch.due(now: 104.9), first = watch.due(now: 105)
        #expect(early == .none && first == .ping)
        watch.heard(at: 105.1)
        let second = watch.due(now: 110)
        #expect(second == .ping && watch.deadline == 115)
        let third = watch.due(now: 115), last = watch.due(now: 115.1)
        #expect(third == .ping && last == .lost)
    }

    @Test func `a side that was asleep does not take its own silence for the server's`() {
        var watch = LivenessWatch(pingEvery: 5, lostAfter: 10, now: 0)
        let late = watch.due(now: 60)
        #expect(late == .ping && watch.deadline == 65)
    }

    @Test func `an older sign of life does not take back a newer one`() {
        var watch = LivenessWatch(pingEvery: 5, lostAfter: 10, now: 0)
        watch.heard(at: 8)
        watch.heard(at: 3)
        _ = watch.due(now: 9)
        let verdict = watch.due(now: 12)
        #expect(watch.deadline == 14 && verdict == .none)
    }

    // MARK: messages from frames

    private static func receive(
        _ assembler: inout MessageAssembler, _ kind: MessageAssembler.Kind, _ words: String, isLast: Bool
    ) -> MessageAssembler.Outcome {
        assembler.receive(kind, isLast: isLast, count: words.utf8.count) { Array(words.utf8) }
    }

    @Test func `frames become messages, up to the limit`() {
        var assembler = MessageAssembler(limit: 6)
        let parts = [
            Self.receive(&assembler, .text, "ab", isLast: false),
            Self.receive(&assembler, .continuation, "", isLast: false),
            Self.receive(&assembler, .continuation, "cdef", isLast: true),
            Self.receive(&assembler, .binary, "", isLast: true),
        ]
        #expect(parts == [.incomplete, .incomplete, .message(.text(Array("abcdef".utf8))), .message(.binary([]))])
        _ = Self.receive(&assembler, .text, "abcdef", isLast: false)
        let more = Self.receive(&assembler, .continuation, "g", isLast: true)
        #expect(more == .tooLarge)
    }

    @Test func `frames in the wrong order are noticed`() {
        var assembler = MessageAssembler(limit: 6)
        let lonely = Self.receive(&assembler, .continuation, "a", isLast: true)
        #expect(lonely == .violation("a continuation without a beginning"))
        _ = Self.receive(&assembler, .text, "a", isLast: false)
        let nested = Self.receive(&assembler, .binary, "b", isLast: true)
        #expect(nested == .violation("a message inside of another one"))
    }

    @Test func `no sequence of frames breaks the assembler`() {
        var dice = Dice(4), assembler = MessageAssembler(limit: 100), messages = 0
        for _ in 0..<5000 {
            let kind = [MessageAssembler.Kind.text, .binary, .continuation].randomElement(using: &dice) ?? .text
            let count = Int.random(in: 0...60, using: &dice)
            switch assembler.receive(
                kind, isLast: .random(using: &dice), count: count, { .init(repeating: 1, count: count) })
            {
            case .message(.text(let bytes)), .message(.binary(let bytes)):
                messages += 1
                #expect(bytes.count <= 100)
            case .incomplete, .message(.sent): break
            case .violation, .tooLarge: assembler = MessageAssembler(limit: 100)
            }
        }
        #expect(messages > 300)
    }

    // MARK: fingerprints

    // MARK: words

    private static func kind(_ trace: HandshakeTrace, trust: TransportTrust = .off) throws -> TransportFailure.Kind {
        try HandshakeDiagnosis(plan: plan(8080, host: "lab", trust: trust), trace: trace, now: 1_795_788_303)
            .failure("reason").kind
    }

    @Test func `what was seen of a handshake decides the words`() throws {
        #expect(try Self.kind(HandshakeTrace()) == .closedWithoutAnswer)
        #expect(try Self.kind(HandshakeTrace(isTimedOut: true)) == .timedOut)
        #expect(try Self.kind(HandshakeTrace(firstBytes: [0x15, 3, 1])) == .needsTLS)
        #expect(try Self.kind(HandshakeTrace(firstBytes: Array("SSH-2".utf8))) == .notHTTP)
        #expect(
            try Self.kind(HandshakeTrace(firstBytes: Array("HTTP/".utf8), status: 404)) == .notWebSocket(status: 404))
        #expect(try Self.kind(HandshakeTrace(firstBytes: Array("HTTP/".utf8), status: 101)) == .protocolViolation)
        let upgrade = HandshakeTrace(firstBytes: Array("HTTP/".utf8), status: 426)
        #expect(try Self.kind(upgrade) == .notWebSocket(status: 426))
        var asks = upgrade
        asks.asksForTLS = true
        #expect(try Self.kind(asks) == .needsTLS)
        #expect(try Self.kind(HandshakeTrace(), trust: .system) == .closedWithoutAnswer)
        #expect(try Self.kind(HandshakeTrace(firstBytes: Array("HTTP/".utf8)), trust: .system) == .needsPlain)
        #expect(try Self.kind(HandshakeTrace(firstBytes: [0x15, 3, 1]), trust: .system) == .tlsFailed)
        #expect(try Self.kind(HandshakeTrace(isTimedOut: true), trust: .system) == .timedOut)
    }
}
