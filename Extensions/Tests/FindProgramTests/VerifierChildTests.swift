import Codecs
import DockTestKit
import DockTypes
import ExtensionKit
import Foundation
import Geometry
import Processes
import ProgramTestKit
import Synchronization
import Testing

@testable import ThingFinder
@testable import dockface_find

/// Verifiers as real children with all manners: each question has one end, and none holds up a search.
@Suite(.timeLimit(.minutes(10))) struct VerifierChildTests {
    private let place = TemporaryFolder()

    /// The thread of the verifiers, and what it has said.
    private final class Bench: Sendable {
        let events: AsyncStream<FinderEvent>
        private let inbox: VerifierInbox
        private let thread: PollThread

        init(_ commands: [VerifierCommand], _ wish: Wish, limit: Double? = nil) throws {
            let (events, put) = AsyncStream<FinderEvent>.makeStream()
            self.events = events
            let heard = Box()
            inbox = VerifierInbox(put: { put.yield($0) }) { heard.add($0) }
            thread = try #require(PollThread(name: "verifiers"))
            box = heard
            let inbox = inbox
            thread.start {
                let verifiers = commands.map { VerifierProcess($0, wish: wish) { heard.note($0) } }
                return VerifierWork(inbox, verifiers, purse: VerifierPurse(limit: limit))
            }
        }

        private let box: Box
        var verdicts: [VerifierReply.Verdict] { box.verdicts.withLock { $0 } }
        var lines: [String] { box.lines.withLock { $0 } }

        final class Box: Sendable {
            let verdicts = Mutex<[VerifierReply.Verdict]>([])
            let lines = Mutex<[String]>([])
            func add(_ verdict: VerifierReply.Verdict) { verdicts.withLock { $0.append(verdict) } }
            func note(_ line: String) { lines.withLock { $0.append(line) } }
        }

        /// Asks about a picture.
        func put(_ id: Int, within seconds: Seconds) throws {
            let bytes = [UInt8](repeating: 7, count: 3 * 40 * 30)
            let picture = try #require(RGBPicture(width: 40, height: 30, bytes: bytes)), now = SystemTime.monotonic
            let request = FinderRequest(
                id: id, thing: 1, picture: 100 + Double(id), sequence: id, rect: .full, bearing: .zero, asked: now,
                deadline: now + seconds)
            inbox.ask(VerifierInbox.Question(request: request, picture: picture, rect: .full))
            thread.wake()
        }

        /// Asks about a picture, and waits for the end of the question.
        func ask(_ id: Int, within seconds: Seconds = 20) async throws -> FinderEvent {
            try put(id, within: seconds)
            return try #require(await events.first { _ in true })
        }

        func end() { thread.stop() }
    }

    private func command(_ manner: String) throws -> VerifierCommand {
        let script = #filePath.replacing("VerifierChildTests.swift", with: "verifier.py")
        return try VerifierCommand(own: "exec:python3 '\(script)' \(manner) '\(place.path)'")
    }

    private func bench(_ manners: String..., limit: Double? = nil) throws -> Bench {
        try Bench(manners.map { try command($0) }, Wish("brown cup"), limit: limit)
    }

    private static func match(_ id: Int) -> FinderEvent {
        .answer(.verdict(request: id, picture: 100 + Double(id), .match, confidence: 0.9))
    }

    @Test func `a verifier gets the wish and all pixels, and its verdict is the end of the question`() async throws {
        let bench = try bench("good")
        for id in 1...3 { #expect(try await bench.ask(id) == Self.match(id)) }
        #expect(bench.verdicts.first?.reason == "verifier: brown cup, 3600 bytes, 7")
        bench.end()
    }

    @Test(arguments: [
        "malformed-once", "wrong-once", "oversized-once", "long-once", "dies-once", "cuts-once", "silent-once",
    ])
    func `a verifier that breaks its contract has failed, and is started again`(manner: String) async throws {
        let bench = try bench(manner)
        let first = try await bench.ask(1, within: manner == "silent-once" ? 6 : 20)
        guard case .answer(.failure(1, let why, nil)) = first else { throw Unexpected(event: first) }
        #expect(why.hasPrefix("verifier: "))
        if manner == "dies-once" { #expect(why == "verifier: it has ended (out of memory)") }
        #expect(try await bench.ask(2) == Self.match(2) && bench.verdicts.count == 1)
        bench.end()
    }

    @Test(arguments: ["late", "silent", "mute", "deaf"])
    func `a verifier without an answer is killed at the deadline, and after three times the search ends`(
        manner: String
    ) async throws {
        let bench = try bench(manner)
        for id in 1...2 {
            let event = try await bench.ask(id, within: 0.7)
            guard case .answer(.failure(id, let why, nil)) = event else { throw Unexpected(event: event) }
            #expect(why.contains("no answer within 1 s") || why.contains("has ended"), "\(why)")
        }
        guard case .unusable = try await bench.ask(3, within: 0.7) else { throw Unexpected(event: nil) }
        #expect(bench.verdicts.isEmpty)
        bench.end()
    }

    @Test func `what a verifier has started ends with it`() async throws {
        let bench = try bench("breeds")
        try bench.put(1, within: 60)
        let file = place.path + "/child"
        try await wait("the verifier's own child") { (try? String(contentsOfFile: file, encoding: .utf8))?.last == "." }
        let child = try #require(Int32(String(contentsOfFile: file, encoding: .utf8).dropLast()))
        #expect(kill(child, 0) == 0)
        bench.end()
        try await wait("the end of the verifier's own child") { kill(child, 0) != 0 || Self.isZombie(child) }
    }

    private static func isZombie(_ process: Int32) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z ") ?? true
    }

    @Test func `a verifier that cannot work ends the search without a question`() async throws {
        let bench = try bench("unusable")
        #expect(await bench.events.first { _ in true } == .unusable("verifier: no model"))
        bench.end()
    }

    @Test func `one that always dies ends the search with its last words`() async throws {
        let bench = try bench("dies")
        var last: FinderEvent?
        for id in 1...VerifierProcess.mostFailures {
            last = try await bench.ask(id)
            if case .unusable = last { break }
        }
        guard case .unusable(let why) = last else { throw Unexpected(event: last) }
        #expect(why.contains("the library is missing"))
        bench.end()
    }

    @Test func `an answer without a question is not taken`() async throws {
        for manner in ["unasked", "twice"] {
            let bench = try bench(manner)
            for id in 1...2 {
                let event = try await bench.ask(id)
                switch event {
                case Self.match(id), .answer(.failure(id, _, nil)): break
                default: throw Unexpected(event: event)
                }
            }
            bench.end()
        }
    }

    @Test func `words that a picture made it say are only words`() async throws {
        let bench = try bench("persuaded")
        #expect(try await bench.ask(1) == Self.match(1))
        let reason = try #require(bench.verdicts.first?.reason)
        #expect(reason.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        bench.end()
    }

    @Test func `a failure says how long to wait, and a final one ends the search`() async throws {
        let busy = try bench("busy")
        #expect(
            try await busy.ask(1)
                == .answer(.failure(request: 1, "verifier: too many questions", retryAfter: 20)))
        busy.end()
        let refused = try bench("refused")
        #expect(try await refused.ask(1) == .unusable("verifier: the key is wrong"))
        refused.end()
    }

    @Test func `a flood of log lines costs neither the answer nor the log`() async throws {
        let bench = try bench("floods")
        #expect(try await bench.ask(1) == Self.match(1))
        #expect(bench.lines.count < 100)
        bench.end()
    }

    @Test func `all must agree, and the one after a rejection is not asked`() async throws {
        let agreed = try bench("good", "good")
        #expect(try await agreed.ask(1) == Self.match(1))
        #expect(agreed.verdicts.first?.reason.components(separatedBy: "3600 bytes").count == 3)
        agreed.end()
        // The second one would hang.
        let rejected = try bench("rejects", "silent")
        let event = try await rejected.ask(1)
        #expect(event == .answer(.verdict(request: 1, picture: 101, .reject, confidence: 0.9)))
        rejected.end()
    }

    @Test func `the money of a search is its limit`() async throws {
        let bench = try bench("costs", limit: 1)
        for id in 1...2 { #expect(try await bench.ask(id) == Self.match(id)) }
        guard case .unusable(let why) = try await bench.ask(3) else { throw Unexpected(event: nil) }
        #expect(why.contains("0.8000 of 1.0000 is spent") && bench.verdicts.count == 2)
        bench.end()
    }

    @Test func `the end comes at once, whatever a verifier does`() async throws {
        for manner in ["mute", "deaf", "silent"] {
            let bench = try bench(manner)
            try bench.put(1, within: 60)
            let begun = SystemTime.monotonic
            bench.end()
            #expect(SystemTime.monotonic - begun < 5)
        }
    }

    @Test func `a program that is not there has failed`() async throws {
        let bench = try Bench([VerifierCommand(own: "exec:/nonexistent/verifier")], Wish("cup"))
        let event = try await bench.ask(1)
        guard case .answer(.failure(1, let why, nil)) = event else { throw Unexpected(event: event) }
        #expect(why.contains("verifier"))
        bench.end()
    }

    private struct Unexpected: Error { let event: FinderEvent? }
}
