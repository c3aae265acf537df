import Geometry
import Testing

@testable import ThingFinder

/// Each deliberate bug breaks a rule that the finder without it keeps.
@Suite struct MutantTests {
    /// A story and what must hold in it. Returns whether it does.
    typealias Rule = @Sendable (FinderMutant?) throws -> Bool

    private static let cat = RoomRecording.roomA.thing("cat")
    private static let home = PanTilt.degrees(pan: -125, tilt: 10)

    private static func bench(
        _ mutant: FinderMutant?, change: (inout FinderSettings) -> Void = { _ in }
    ) throws -> SearchBench {
        SearchBench(find: try Wish("cat"), from: home, wanted: cat) {
            change(&$0)
            $0.mutant = mutant
        }
    }

    private static func list(_ mutant: FinderMutant?, _ pictures: [[SeenBox]]) -> ThingList {
        var list = ThingList(mutant: mutant)
        for (number, boxes) in pictures.enumerated() {
            let view = FinderView(time: Double(number), boxes: boxes)
            list.update(view, at: .zero, through: ThingTests.eye, keeping: [1])
        }
        return list
    }

    private static func rule(_ mutant: FinderMutant) -> Rule {
        switch mutant {
        case .keepsStaleBoxes:
            { mutant in
                var bench = try Self.bench(mutant)
                bench.run { !$0.requests.isEmpty }
                bench.detector = { _, _ in [] }
                bench.run(most: 1) { _ in false }
                return bench.finder.boxes(now: bench.now).isEmpty
            }
        case .emptiesBoxes:
            { mutant in
                let things = Self.list(mutant, [[ThingTests.box(0.5)], [], []]).all
                return things.allSatisfy { $0.box.map { $0.rect.area > 0 } ?? true && $0.lastSeen == 0 }
            }
        case .swallowsNeighbours:
            { Self.list($0, [[ThingTests.box(0.4)], [ThingTests.box(0.52)]]).all.count == 2 }
        case .renewsVerdicts:
            { mutant in
                var list = Self.list(mutant, [[ThingTests.box(0.5)]])
                list[1]?.verdicts.receive(.reject, picture: 0, now: 0)
                for second in 1..<80 {
                    let view = FinderView(time: Double(second), boxes: [ThingTests.box(0.5)])
                    list.update(view, at: .zero, through: ThingTests.eye, keeping: [1])
                }
                return list[1]?.verdicts.isRejected(now: 80) == false
            }
        case .keepsLost:
            { mutant in
                var bench = try Self.bench(mutant)
                bench.verifier = { request, _ in
                    ScriptedAnswer(answers: [
                        (2, .verdict(request: request.id, picture: request.picture, .match, confidence: 1))
                    ])
                }
                bench.detector = { boxes, bench in bench.requests.count < 2 ? boxes : [] }
                bench.run(most: 10)
                return bench.found == nil
            }
        case .takesLateAnswers, .trustsOneLook, .readsMalformedAsMatch:
            { mutant in
                for seed in 0..<60 {
                    var dice = ChaosTests.Dice(seed + 1), lies: [Int: Int] = [:]
                    let truth = RoomRecording.roomA.things[seed % 3]
                    var bench = SearchBench(
                        find: try Wish(truth.label), from: CampaignTests.starts[seed % 27], wanted: truth
                    ) { ($0.mutant, $0.timeLimit) = (mutant, 60) }
                    bench.verifier = { request, _ in ChaosTests.chaos(request, truth, &dice, &lies) }
                    bench.run(most: 70)
                    if bench.found != nil, !bench.isRight(truth) { return false }
                }
                return true
            }
        case .waitsWithoutEnd:
            { mutant in
                var bench = try Self.bench(mutant)
                bench.verifier = { _, _ in ScriptedAnswer() }
                bench.run(most: 30) { _ in false }
                return bench.requests.allSatisfy { request in
                    let end = bench.ends[request.id] ?? bench.now
                    return end <= request.deadline + 1
                }
            }
        case .floodsVerifier:
            { mutant in
                var bench = try Self.bench(mutant) { $0.mostRequests = 1000 }
                bench.verifier = { request, _ in
                    ScriptedAnswer(answers: [(0.1, .failure(request: request.id, "503", retryAfter: nil))])
                }
                bench.run(most: 25) { _ in false }
                return bench.requests.count <= 6
            }
        case .leaksMemory:
            { mutant in
                var memory = RoomMemory()
                memory.mutant = mutant
                for number in 0..<100 {
                    memory.remember(try MemoryTests.remembrance("thing \(number)"), now: Double(number))
                }
                return memory.things.count <= RoomMemory.most
            }
        case .ignoresTilt:
            { mutant in
                var list = ThingList(mutant: mutant)
                let pose = PanTilt.degrees(pan: 0, tilt: 45), thing = PanTilt.degrees(pan: 27, tilt: 41)
                let middle = ThingTests.eye.point(of: thing, at: pose) ?? Point(x: 0, y: 0)
                let view = FinderView(time: 0, boxes: [ThingTests.box(middle.x, middle.y)])
                list.update(view, at: pose, through: ThingTests.eye, keeping: [])
                return list.all[0].bearing.angle(to: thing) < .degrees(1)
            }
        case .resumesByItself:
            { mutant in
                var bench = try Self.bench(mutant)
                bench.send(.interrupted("hand"))
                bench.run(most: 5) { $0.finder.phase != .paused }
                return bench.finder.phase == .paused
            }
        case .splitsMoving, .losesWithoutEnd, .hidesSmall, .paysTwice: rule(ofTalk: mutant)
        }
    }

    /// Boxes of a person who walks past, four pictures a second.
    static let walk = (0..<6).map { step in
        [
            SeenBox(
                label: "person", rect: Rect(x: 0.05 + 0.1 * Double(step), y: 0.2, width: 0.25, height: 0.7),
                score: 0.9)
        ]
    }

    /// The rules for the bugs of what a search tells and pays.
    private static func rule(ofTalk mutant: FinderMutant) -> Rule {
        switch mutant {
        case .splitsMoving:
            { mutant in
                var list = ThingList(mutant: mutant)
                for (number, boxes) in Self.walk.enumerated() {
                    let view = FinderView(time: Double(number) / 4, boxes: boxes)
                    list.update(view, at: .zero, through: ThingTests.eye, keeping: [])
                }
                return list.all.count == 1
            }
        case .losesWithoutEnd:
            { mutant in
                var bench = try Self.bench(mutant) { $0.stays = true }
                bench.run { $0.finder.phase == .found }
                bench.detector = { _, _ in [] }
                return bench.run(most: 250) != nil
            }
        case .hidesSmall:
            { mutant in
                var bench = try Self.bench(mutant)
                bench.detector = { _, bench in
                    let place = bench.room.eye.rect(
                        of: Self.cat.bearing, width: .degrees(1.5), height: .degrees(1.5), at: bench.head.pose)
                    let visible = place?.intersection(.full)
                    return visible.map { [SeenBox(label: "cat", rect: $0, score: 0.9)] } ?? []
                }
                return bench.run(most: 20) { bench in
                    bench.actions.contains {
                        if case .say(let text) = $0.1 { text.contains("too small") } else { false }
                    }
                }
            }
        default:
            { mutant in
                // It answers before the next picture.
                var bench = try Self.bench(mutant) { $0.mostRequests = 1000 }
                bench.verifier = { request, _ in
                    ScriptedAnswer(answers: [
                        (0.01, .verdict(request: request.id, picture: request.picture, .match, confidence: 1))
                    ])
                }
                bench.run(most: 10)
                return bench.found != nil && Set(bench.requests.map(\.picture)).count == bench.requests.count
            }
        }
    }

    @Test(arguments: FinderMutant.allCases)
    func `a rule finds this bug, and holds without it`(mutant: FinderMutant) throws {
        let rule = Self.rule(mutant)
        #expect(try rule(nil))
        #expect(try !rule(mutant))
    }
}
