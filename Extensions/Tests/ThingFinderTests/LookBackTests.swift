import Geometry
import Testing

@testable import ThingFinder

/// Things that the detector does not name from everywhere are found again where they were.
///
/// Nine views of room A show the whole of the green cup. In three of them, where it is in a corner of the picture, the
/// detector calls it a cup. Straight ahead, above, below and beside that it is a traffic light.
@Suite struct LookBackTests {
    private static let room = RoomRecording.roomA
    /// From where the green cup is a cup.
    private static let aside = PanTilt.degrees(pan: 120, tilt: -20)
    /// How far the head of a real rig ends from where it was sent.
    private static let errors: [PanTilt] = [.zero, .degrees(pan: 0.4, tilt: -0.3), .degrees(pan: -0.3, tilt: 0.4)]

    /// A search without a verifier, with a head that ends beside its targets.
    private static func bench(
        _ label: String, from start: PanTilt, error: PanTilt = .zero,
        change: (inout FinderSettings) -> Void = { _ in }
    ) throws -> SearchBench {
        var bench = SearchBench(find: try Wish(label), from: start, wanted: nil) {
            $0.sweeps = 2
            change(&$0)
        }
        bench.detector = { _, bench in bench.room.boxes(at: bench.head.pose + error, rate: bench.head.rate) }
        return bench
    }

    /// What a search remembers, or nil if it finds nothing.
    private static func remembered(_ label: String, from start: PanTilt) throws -> Remembrance? {
        var bench = try bench(label, from: start)
        bench.run()
        return bench.actions.compactMap { if case .remember(let thing) = $0.1 { thing } else { nil } }.last
    }

    private static func misses(_ bench: SearchBench) -> Int {
        bench.actions.count { if case .missed = $0.1 { true } else { false } }
    }

    private static func green() throws -> Remembrance {
        let memory = try #require(try remembered("cup", from: aside))
        try #require(memory.bearing.angle(to: room.thing("cup-green").bearing) < .degrees(5))
        return memory
    }

    @Test func `what a detector names from some sides only is found again where it was`() throws {
        let memory = try Self.green()
        #expect(memory.looks.count >= 2 && memory.looks.contains { ($0 - Self.aside).magnitude < .degrees(3) })
        for error in Self.errors {
            for start in [PanTilt.zero, .degrees(pan: -160, tilt: 30), memory.bearing] {
                var back = try Self.bench("cup", from: start, error: error) {
                    ($0.memory, $0.onlyMemory) = (memory, true)
                }
                guard case .found(let bearing) = back.run() else {
                    Issue.record("from \(start), \(error) beside: \(back.finder.reason)")
                    continue
                }
                #expect(bearing.angle(to: memory.bearing) < .degrees(3))
                guard error == .zero else { continue }
                #expect(Self.misses(back) == 0)
                let way = SimulatedHead.pace.time(from: start, to: memory.looks[0]), found = try #require(back.found)
                // Two looks, and the move between them.
                #expect(found.time <= way + 2.5, "from \(start): \(found.time) s")
            }
        }
    }

    @Test func `a search begins where the detector has named the thing before`() throws {
        let memory = try Self.green()
        for start in CampaignTests.starts.prefix(6) {
            var again = try Self.bench("cup", from: start) { $0.memory = memory }
            again.run(until: { $0.found != nil || $0.finder.outcome != nil })
            let found = try #require(again.found, "from \(start): \(again.finder.reason)")
            let way = SimulatedHead.pace.time(from: start, to: memory.looks[0])
            #expect(found.bearing.angle(to: memory.bearing) < .degrees(3), "from \(start)")
            #expect(found.time <= way + 3 && Self.misses(again) == 0, "from \(start): \(found.time) s")
        }
    }

    @Test func `whatever is found without a verifier is found again`() throws {
        for (label, starts) in [("cup", CampaignTests.starts), ("dog", Array(CampaignTests.starts.prefix(5)))] {
            for start in starts {
                guard let memory = try Self.remembered(label, from: start) else { continue }
                var back = try Self.bench(label, from: .zero) { ($0.memory, $0.onlyMemory) = (memory, true) }
                let outcome = back.run(), words = "\(label) from \(start): \(back.finder.reason)"
                guard case .found(let bearing) = outcome else {
                    Issue.record("\(words)")
                    continue
                }
                #expect(bearing.angle(to: memory.bearing) < .degrees(5) && Self.misses(back) == 0, "\(words)")
            }
        }
    }

    @Test func `a thing that has gone is missed from where it was named, and only there`() throws {
        let memory = try Self.green()
        var back = try Self.bench("cup", from: .zero) { ($0.memory, $0.onlyMemory) = (memory, true) }
        back.detector = { _, _ in [] }
        let end = back.run()
        #expect(end == .givenUp("it is not where it was"))
        #expect(Self.misses(back) == memory.looks.count)
        // Something else in its place is no cup, and is named.
        var other = try Self.bench("cup", from: .zero) { ($0.memory, $0.onlyMemory) = (memory, true) }
        other.detector = { _, bench in
            let rect = bench.room.eye.rect(
                of: memory.bearing, width: memory.width, height: memory.height, at: bench.head.pose)
            return rect?.intersection(.full).map { [SeenBox(label: "bowl", rect: $0, score: 0.9)] } ?? []
        }
        let outcome = other.run()
        #expect(outcome == .givenUp("where it was, the detector sees only what it calls bowl"))
    }

    @Test func `a found thing that the detector does not see in the middle is watched from where it does`() throws {
        let cat = Self.room.thing("cat"), start = PanTilt.degrees(pan: -110, tilt: 0)
        var bench = SearchBench(find: try Wish("cat"), from: start, wanted: cat) { $0.stays = true }
        var isGone = false
        bench.detector = { boxes, bench in
            let isBlind = bench.head.pose.angle(to: cat.bearing) < .degrees(6)
            return isBlind || isGone ? boxes.filter { $0.label != "cat" && $0.label != "chair" } : boxes
        }
        let isFound = bench.run { $0.finder.phase == .found }
        try #require(isFound)
        bench.run(most: 12) { $0.finder.phase != .found }
        #expect(bench.finder.phase == .found && bench.finder.reason == "it is seen", "\(bench.finder.reason)")
        let beside = bench.head.pose.angle(to: cat.bearing)
        #expect(beside > .degrees(6) && beside < .degrees(30), "\(beside.inDegrees)")
        // If it goes, it is lost as soon as any other.
        isGone = true
        let isLost = bench.run(most: 2) { $0.finder.phase == .lost }
        #expect(isLost, "\(bench.finder.reason)")
    }

    @Test func `a place that was missed is no longer the first one`() throws {
        var memory = try Self.green(), settings = SearchTests.settings
        settings.memory = memory
        var plan = SearchPlan(settings)
        let likely = plan.next(from: .zero)
        #expect(likely == memory.looks[0])
        memory.certainty = 0.09
        settings.memory = memory
        plan = SearchPlan(settings)
        let unlikely = plan.next(from: .zero), place = try #require(unlikely)
        #expect(!settings.eye.shows(memory.bearing, at: place))
    }
}
