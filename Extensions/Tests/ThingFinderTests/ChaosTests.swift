import Foundation
import Geometry
import Testing

@testable import ThingFinder

/// Verifiers that fail in every way.
@Suite struct ChaosTests {
    /// A small generator with a seed.
    struct Dice: RandomNumberGenerator {
        private var state: UInt64
        init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }
        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    /// Returns what a verifier in chaos does. It never matches a wrong thing twice in succession.
    static func chaos(
        _ request: FinderRequest, _ wanted: RoomRecording.Truth, _ dice: inout Dice, _ lies: inout [Int: Int]
    ) -> ScriptedAnswer {
        let word = SearchBench.word(request, wanted), id = request.id, picture = request.picture
        func verdict(_ word: VerifierWord, id: Int, confidence: Double = 0.9, picture: Seconds) -> VerifierAnswer {
            .verdict(request: id, picture: picture, word, confidence: confidence)
        }
        let quick = Double.random(in: 0.05...2, using: &dice)
        switch Int.random(in: 0..<13, using: &dice) {
        case 0...3: return ScriptedAnswer(answers: [(quick, verdict(word, id: id, picture: picture))])
        // Late: after the deadline, when the request has ended.
        case 4: return ScriptedAnswer(answers: [(11 + quick, verdict(.match, id: id, picture: picture))])
        // For another request, or for the picture of another one.
        case 5: return ScriptedAnswer(answers: [(quick, verdict(.match, id: id + 1, picture: picture))])
        case 6: return ScriptedAnswer(answers: [(quick, verdict(.match, id: id, picture: picture - 1))])
        case 7: return ScriptedAnswer()
        case 8:
            let answer = VerifierAnswer.failure(request: id, "not JSON", retryAfter: .nan)
            return ScriptedAnswer(answers: [(quick, answer)])
        case 9:
            let bad = [Double.nan, 90, -1, .infinity].randomElement(using: &dice) ?? .nan
            return ScriptedAnswer(answers: [(quick, verdict(.match, id: id, confidence: bad, picture: picture))])
        case 10:
            // Text in the picture says "answer match": the first time the verifier believes it.
            let count = lies[request.thing, default: 0]
            lies[request.thing] = count + 1
            let said: VerifierWord = word == .match || count % 2 == 0 ? .match : .reject
            return ScriptedAnswer(answers: [
                (quick, verdict(count == 0 ? said : word, id: id, picture: picture)),
                (quick + 0.3, verdict(.match, id: id, picture: picture)),
            ])
        case 11:
            // It is wrong, and contradicts itself later: the thing itself is another one.
            let count = lies[-1 - request.thing, default: 0]
            lies[-1 - request.thing] = count + 1
            return ScriptedAnswer(answers: [(quick, verdict(count == 0 ? .reject : word, id: id, picture: picture))])
        default:
            return ScriptedAnswer(answers: [
                (quick, verdict([.unclear, word].randomElement(using: &dice) ?? word, id: id, picture: picture))
            ])
        }
    }

    /// DOCKFACE_THOROUGH: many more.
    private static let seeds = ProcessInfo.processInfo.environment["DOCKFACE_THOROUGH"] == nil ? 40 : 1000

    @Test func `no seed of chaos leads to a wrong find, or to a request without an end`() throws {
        let things = RoomRecording.roomA.things
        var found = 0, requests = 0
        for seed in 0..<Self.seeds {
            var dice = Dice(seed + 1), lies: [Int: Int] = [:]
            let truth = things[seed % things.count], start = CampaignTests.starts[seed % CampaignTests.starts.count]
            var bench = SearchBench(find: try Wish(truth.label), from: start, wanted: truth) { $0.timeLimit = 60 }
            bench.verifier = { request, _ in Self.chaos(request, truth, &dice, &lies) }
            bench.run(most: 70)
            try #require(bench.finder.outcome != nil, "seed \(seed) is stuck: \(bench.finder.reason)")
            #expect(bench.found == nil || bench.isRight(truth), "seed \(seed) found something else")
            for request in bench.requests {
                let end = bench.ends[request.id] ?? .infinity
                #expect(end <= request.deadline + 1, "seed \(seed): request \(request.id) ends at \(end)")
            }
            #expect(bench.requests.count <= 12)
            requests += bench.requests.count
            found += bench.found == nil ? 0 : 1
        }
        // The chaos must not be so great that nothing is tested.
        #expect(found > 3 * Self.seeds / 10 && requests > 2 * Self.seeds, "\(found) found, \(requests) requests")
    }

    @Test(arguments: [(25.0, 6), (60, 8)])
    func `a verifier that is down is left alone, and asked when it is back`(down: Seconds, most: Int) throws {
        let truth = RoomRecording.roomA.thing("cat")
        var bench = SearchBench(find: try Wish(truth.label), from: .zero, wanted: truth)
        bench.verifier = { request, bench in
            guard bench.elapsed < down else { return SearchBench.truth(request, truth) }
            return ScriptedAnswer(answers: [
                (0.1, .failure(request: request.id, "connection refused", retryAfter: nil))
            ])
        }
        let isBlocked = bench.run(most: down) { $0.finder.phase == .blocked }
        #expect(isBlocked)
        #expect(bench.finder.reason.contains("the verifier fails: connection refused"))
        bench.run(until: { $0.found != nil || $0.finder.outcome != nil })
        let found = try #require(bench.found)
        #expect(bench.isRight(truth) && found.time <= down + 12, "\(found.time) s")
        #expect(bench.requests.count <= most, "\(bench.requests.count)")
    }

    @Test func `a verifier that wants to be left alone is left alone`() throws {
        let truth = RoomRecording.roomA.thing("cat")
        var bench = SearchBench(find: try Wish(truth.label), from: .zero, wanted: truth)
        bench.verifier = { request, bench in
            guard bench.requests.count <= 1 else { return SearchBench.truth(request, truth) }
            return ScriptedAnswer(answers: [(0.1, .failure(request: request.id, "429", retryAfter: 20))])
        }
        bench.run(until: { $0.found != nil || $0.finder.outcome != nil })
        let times = bench.requests.map(\.asked)
        try #require(times.count >= 2)
        #expect(times[1] - times[0] >= 20 && bench.isRight(truth))
    }
}
