import Foundation
import Geometry
import Testing

@testable import ThingFinder

/// Every thing of a room, from many poses of the head.
@Suite struct CampaignTests {
    static let starts = stride(from: -160.0, through: 160, by: 40).flatMap { pan in
        [-20.0, 0, 30].map { PanTilt.degrees(pan: pan, tilt: $0) }
    }

    struct Outcome {
        var thing: String, start: PanTilt
        var isFound: Bool, isWrong: Bool
        var time: Seconds, requests: Int, looks: Int
    }

    static func search(
        _ truth: RoomRecording.Truth, from start: PanTilt, change: (inout FinderSettings) -> Void = { _ in }
    ) throws -> Outcome {
        var bench = SearchBench(find: try Wish(truth.label), from: start, wanted: truth, change: change)
        bench.run(until: { $0.found != nil || $0.finder.outcome != nil })
        let isRight = bench.isRight(truth)
        return Outcome(
            thing: truth.name, start: start, isFound: isRight, isWrong: bench.found != nil && !isRight,
            time: bench.elapsed, requests: bench.requests.count, looks: bench.finder.progress(now: bench.now).looks)
    }

    @Test func `a finder with a verifier finds what is in the room, soon and with few questions`() throws {
        let room = RoomRecording.roomA
        try #require(room.things.count == 7)
        var all: [Outcome] = []
        for truth in room.things {
            for start in Self.starts { all.append(try Self.search(truth, from: start)) }
        }
        let found = all.filter(\.isFound), times = found.map(\.time).sorted()
        try #require(!times.isEmpty)
        let mean = times.reduce(0, +) / Double(times.count), late = times[times.count * 9 / 10]
        let requests = all.map(\.requests).max() ?? 0
        if ProcessInfo.processInfo.environment["DOCKFACE_FINDER_TABLE"] != nil {
            print("found \(found.count) of \(all.count), mean \(mean) s, p90 \(late) s, most \(times.last ?? 0) s")
            print("requests: at most \(requests); wrong \(all.filter(\.isWrong).count)")
            for truth in room.things {
                let own = all.filter { $0.thing == truth.name }, good = own.filter(\.isFound)
                let sum = good.map(\.time).reduce(0, +)
                print(
                    truth.name, good.count, sum / Double(max(1, good.count)), good.map(\.time).max() ?? 0,
                    own.map(\.requests).max() ?? 0)
            }
        }
        #expect(all.filter(\.isWrong).isEmpty)
        #expect(Double(found.count) >= 0.95 * Double(all.count))
        #expect(mean <= 12.3 && late <= 25)
        #expect(requests <= 5)
    }

    @Test(arguments: ["cat", "dog", "motorcycle", "orange"])
    func `without a verifier two looks of the detector are enough`(name: String) throws {
        let truth = RoomRecording.roomA.thing(name)
        for start in Self.starts.prefix(9) {
            var bench = SearchBench(find: try Wish(truth.label), from: start, wanted: nil)
            bench.run(until: { $0.found != nil || $0.finder.outcome != nil })
            #expect(bench.requests.isEmpty)
            #expect(bench.isRight(truth), "from \(start): \(bench.finder.phase) \(bench.finder.reason)")
        }
    }

    @Test func `a thing that was found before is found again in the time of the move and one second`() throws {
        for truth in RoomRecording.roomA.things {
            var first = SearchBench(find: try Wish(truth.label), from: .zero, wanted: truth)
            first.run()
            let remembered = first.actions.compactMap { action -> Remembrance? in
                if case .remember(let thing) = action.1 { thing } else { nil }
            }
            let memory = try #require(remembered.first)
            var again = SearchBench(find: try Wish(truth.label), from: .zero, wanted: truth) { $0.memory = memory }
            again.run(until: { $0.found != nil })
            let way = SimulatedHead.pace.time(from: .zero, to: memory.bearing)
            let found = try #require(again.found)
            // Two looks, two verdicts.
            #expect(found.time <= way + 2.5, "\(truth.name): \(found.time) s")
            var back = SearchBench(find: try Wish(truth.label), from: .zero, wanted: truth) {
                ($0.memory, $0.onlyMemory) = (memory, true)
            }
            let isThere = back.run { $0.finder.progress(now: $0.now).looks > 0 || $0.finder.phase == .verifying }
            #expect(isThere)
            #expect(back.elapsed <= way + 1, "\(truth.name)")
        }
    }

    @Test func `the search for a thing that is not there ends, with the reason`() throws {
        let missing = RoomRecording.Truth(name: "keys", label: "keys", bearing: .zero, width: 0.1)
        var bench = SearchBench(find: try Wish("keys"), from: .zero, wanted: missing) { $0.sweeps = 2 }
        bench.verifier = { request, _ in SearchBench.truth(request, nil) }
        let outcome = bench.run()
        guard case .givenUp(let why) = outcome else {
            Issue.record("\(bench.finder.phase)")
            return
        }
        #expect(why.contains("the whole room was looked at, 2 times") && bench.elapsed < 60, "\(bench.elapsed)")
        #expect(bench.finder.progress(now: bench.now).share > 0.99)
        #expect(bench.actions.contains { $0.1 == .mood(.sad) })
    }
}
