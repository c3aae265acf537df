import Foundation
import Geometry
import Testing

@testable import ThingFinder

/// Searches in rooms that no person has made: whatever the room, the head and the detector are like.
@Suite struct GeneratedRoomTests {
    /// How many rooms. DOCKFACE_THOROUGH: many more.
    private static let count = ProcessInfo.processInfo.environment["DOCKFACE_THOROUGH"] == nil ? 20 : 400
    /// The time of a search, and how long a test waits for its end, in seconds.
    private static let timeLimit: Seconds = 150, longest: Seconds = 160

    private static func bench(
        _ room: GeneratedRoom, _ seed: Int, find label: String, wanted: GeneratedRoom.Body?, asks: Bool = true
    ) throws -> SearchBench {
        var bench = SearchBench(room, find: try Wish(label), from: room.start, wanted: nil) {
            ($0.pace, $0.timeLimit, $0.hasVerifier, $0.mostRequests) = (room.pace, timeLimit, asks, 24)
        }
        var dice = ChaosTests.Dice(seed &* 7 &+ 3)
        // One box in ten is missing from any picture.
        bench.detector = { boxes, _ in boxes.filter { _ in Double.random(in: 0..<1, using: &dice) >= 0.1 } }
        var coin = ChaosTests.Dice(seed &* 5 &+ 1)
        // The verifier is honest, and cannot tell one time in ten.
        bench.verifier = { request, _ in
            let isIt = wanted?.covers(request.bearing) ?? false
            let word: VerifierWord = Int.random(in: 0..<10, using: &coin) == 0 ? .unclear : isIt ? .match : .reject
            let answer = VerifierAnswer.verdict(
                request: request.id, picture: request.picture, word, confidence: 0.9)
            return ScriptedAnswer(answers: [(SearchBench.thought, answer)])
        }
        return bench
    }

    /// What holds for every search in any room. Returns whether it found something.
    private static func judge(_ bench: SearchBench, _ words: String) throws -> Bool {
        let settings = bench.finder.settings
        try #require(bench.finder.outcome != nil, "\(words) is stuck: \(bench.finder.phase), \(bench.finder.reason)")
        #expect(bench.elapsed <= timeLimit + settings.showTime + 0.5, "\(words) ends at \(bench.elapsed) s")
        #expect(bench.requests.count <= settings.mostRequests)
        let poses = bench.actions.compactMap { if case .look(let pose) = $0.1 { pose } else { nil } }
        #expect(poses.allSatisfy(settings.range.contains), "\(words) leaves the range of the head")
        if case .blocked(let why) = bench.finder.outcome { Issue.record("\(words) is blocked: \(why)") }
        return bench.found != nil
    }

    /// The detector names some things from no pose, and others from none from which a search looks. What it names from a
    /// place where the search looks within 60 % of its time must be found: the rest of the time is for look-alikes, of
    /// which there may be ten, at 3 s each. Pictures that miss a box and verifiers that cannot tell, one in ten each, cost
    /// some finds, so 95 % are enough.
    @Test func `nothing wrong is found in any room, and what the detector names is found`() throws {
        var possible = 0, found = 0, more = 0, missed: [String] = []
        for seed in 0..<Self.count {
            let room = GeneratedRoom(seed)
            let body = room.bodies[seed % max(1, room.things.count)]
            var bench = try Self.bench(room, seed, find: body.truth.label, wanted: body)
            bench.run(most: Self.longest)
            let isFound = try Self.judge(bench, "room \(seed), \(body.truth.name)")
            if let place = bench.found?.bearing {
                #expect(body.covers(place), "room \(seed): \(place) is not \(body.truth.name)")
            }
            guard room.canBeFound(body, within: 0.6 * Self.timeLimit, settings: bench.finder.settings) else {
                more += isFound ? 1 : 0
                continue
            }
            possible += 1
            found += isFound ? 1 : 0
            if !isFound { missed.append("room \(seed), \(body.truth.name): \(bench.finder.reason)") }
        }
        if ProcessInfo.processInfo.environment["DOCKFACE_FINDER_TABLE"] != nil {
            print("rooms: \(Self.count), possible \(possible), found \(found), and \(more) more")
            for line in missed { print(line) }
        }
        #expect(possible > Self.count / 2, "\(possible)")
        #expect(Double(found) >= 0.95 * Double(possible), "\(found) of \(possible); \(missed)")
    }

    @Test func `what is in no room is never found with a verifier, and is given up in time`() throws {
        for seed in 0..<(Self.count / 4) {
            let room = GeneratedRoom(1000 + seed)
            let label = GeneratedRoom.labels[seed % GeneratedRoom.labels.count]
            var bench = try Self.bench(room, seed, find: label, wanted: nil)
            bench.run(most: Self.longest)
            let isFound = try Self.judge(bench, "room \(1000 + seed), no \(label)")
            #expect(!isFound, "room \(1000 + seed): \(bench.finder.reason)")
        }
    }

    @Test func `without a verifier every search ends in time, and what it finds is found again`() throws {
        var found = 0, again = 0
        for seed in 0..<(Self.count / 2) {
            let room = GeneratedRoom(2000 + seed)
            let body = room.bodies[seed % max(1, room.things.count)]
            var bench = try Self.bench(room, seed, find: body.truth.label, wanted: nil, asks: false)
            bench.run(most: Self.longest)
            guard try Self.judge(bench, "room \(2000 + seed), \(body.truth.name)") else { continue }
            #expect(bench.requests.isEmpty)
            found += 1
            let kept = bench.actions.compactMap { if case .remember(let thing) = $0.1 { thing } else { nil } }
            var back = SearchBench(room, find: try Wish(body.truth.label), from: room.start, wanted: nil) {
                ($0.pace, $0.memory, $0.onlyMemory) = (room.pace, kept.last, true)
            }
            if case .found(let bearing) = back.run(), let memory = kept.last,
                bearing.angle(to: memory.bearing) < max(.degrees(5), memory.width / 2)
            {
                again += 1
            }
        }
        // From one pose the detector always says the same here, so what it has said twice it says again.
        #expect(found > Self.count / 8 && Double(again) >= 0.95 * Double(found), "\(again) of \(found)")
    }

    @Test func `a room of chance is a room, and another one for each seed`() throws {
        let rooms = (0..<50).map { GeneratedRoom($0) }
        for room in rooms {
            #expect((1...8).contains(room.things.count) && room.bodies.count <= 16)
            #expect(room.range.contains(room.start) && room.eye.field.tilt < room.eye.field.pan)
            #expect(room.boxes(at: room.start, rate: 1).isEmpty)
            #expect(room.boxes(at: room.start, rate: 0) == room.boxes(at: room.start, rate: 0))
        }
        let names = Set(rooms.map { $0.things.map(\.name).joined(separator: " ") })
        #expect(names.count > 40)
        // Somewhere things are seen, and called by another name.
        let body = try #require(rooms[0].bodies.first)
        let boxes = rooms.flatMap { room in
            room.bodies.flatMap { room.boxes(at: room.eye.pose(toward: $0.truth.bearing), rate: 0) }
        }
        #expect(body.covers(body.truth.bearing) && boxes.count > 200)
        #expect(Set(boxes.map(\.label)).count > 10)
    }
}
