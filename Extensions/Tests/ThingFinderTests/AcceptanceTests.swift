import Foundation
import Geometry
import Testing

@testable import ThingFinder

/// What every thing of a room must do: be watched, hidden, lost; and what a person must be able to do at every moment.
@Suite struct AcceptanceTests {
    private static let room = RoomRecording.roomA
    private static let isThorough = ProcessInfo.processInfo.environment["DOCKFACE_THOROUGH"] != nil
    /// DOCKFACE_THOROUGH: all of them.
    private static let names = isThorough ? room.things.map(\.name) : ["cup-green", "cat", "dog"]

    /// A search that has found a thing and stays with it.
    private static func watching(_ name: String) throws -> SearchBench {
        let truth = room.thing(name)
        var bench = SearchBench(find: try Wish(truth.label), from: .zero, wanted: truth) { $0.stays = true }
        let isFound = bench.run { $0.finder.phase == .found }
        try #require(isFound, "\(name): \(bench.finder.reason)")
        bench.run(most: 4) { _ in false }
        try #require(bench.finder.phase == .found, "\(name): \(bench.finder.reason)")
        return bench
    }

    @Test(arguments: names) func `a thing that is covered for five seconds is not lost`(name: String) throws {
        var bench = try Self.watching(name)
        let since = bench.now
        bench.detector = { boxes, bench in
            guard bench.now < since + 5 else { return boxes }
            return [SeenBox(label: "person", rect: Rect(x: 0.05, y: 0.02, width: 0.9, height: 0.97), score: 0.9)]
        }
        bench.run(most: 8) { $0.finder.phase != .found }
        #expect(bench.finder.phase == .found && bench.finder.reason == "it is seen", "\(bench.finder.reason)")
    }

    @Test(arguments: names) func `a thing that goes is lost within two seconds`(name: String) throws {
        let truth = Self.room.thing(name)
        var bench = try Self.watching(name)
        bench.detector = { boxes, bench in
            boxes.filter { box in
                let place = bench.room.eye.bearing(of: box.rect.center, at: bench.head.pose)
                return place.map { $0.angle(to: truth.bearing) > truth.width / 2 } ?? false
            }
        }
        let isLost = bench.run(most: 2) { $0.finder.phase == .lost }
        #expect(isLost, "\(bench.finder.phase): \(bench.finder.reason)")
        let outcome = bench.run(most: 250)
        guard case .givenUp = outcome else {
            Issue.record("\(bench.finder.phase): \(bench.finder.reason)")
            return
        }
    }

    /// What takes the head away, in the words of the program: a hand or keys, the stops, the plug, another program.
    private static let reasons = [
        "a person has the head", "a person has stopped the dock", "the emergency stop was pressed",
        "the dock is detached", "the right to move the head was lost",
    ]

    @Test(arguments: [false, true])
    func `a search gives the head up at every moment, and never takes it back`(stays: Bool) throws {
        let truth = Self.room.thing("cup-blue"), start = PanTilt.degrees(pan: -80, tilt: 0)
        var whole = SearchBench(find: try Wish("cup"), from: start, wanted: truth) { $0.stays = stays }
        var phases: Set<FinderPhase> = [], moment = 0
        while whole.finder.outcome == nil, whole.elapsed < 20 {
            let next = whole.elapsed + (Self.isThorough ? 0.05 : 0.5)
            whole.run(most: 1) { $0.elapsed >= next }
            guard whole.finder.outcome == nil else { break }
            var bench = whole
            phases.insert(bench.finder.phase)
            moment += 1
            let isFound = bench.finder.phase == .found && !stays, why = Self.reasons[moment % Self.reasons.count]
            bench.send(.interrupted(why))
            let sent = bench.actions.count
            // Answers that were under way, pictures and time change nothing.
            bench.run(most: 15) { $0.finder.phase != .paused }
            if isFound {
                guard case .found = bench.finder.outcome else {
                    Issue.record("what was found at \(whole.elapsed) s did not stay found")
                    return
                }
                continue
            }
            #expect(bench.finder.phase == .paused && bench.finder.reason == why && bench.finder.outcome == nil)
            #expect(bench.actions.count == sent && bench.finder.desk.book.open.isEmpty, "at \(whole.elapsed) s")
            // A second interruption changes nothing, and a person can end it or let it go on.
            bench.send(.interrupted("the dock is detached"))
            #expect(bench.finder.reason == why && bench.actions.count == sent)
            var ended = bench
            ended.send(.cancel)
            #expect(ended.finder.outcome == .cancelled)
            guard moment % 8 == 0 else { continue }
            bench.send(.resume)
            let isRight = bench.run { $0.found != nil && $0.finder.phase == .found || $0.finder.outcome != nil }
            #expect(isRight && bench.isRight(truth), "resumed at \(whole.elapsed) s: \(bench.finder.reason)")
        }
        #expect(phases.isSuperset(of: [.searching, .verifying, .found]) && moment > 8, "\(phases)")
    }
}
