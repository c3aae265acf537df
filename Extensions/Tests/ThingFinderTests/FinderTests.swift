import Geometry
import Testing

@testable import ThingFinder

/// The phases of a search, and what it tells.
@Suite struct FinderTests {
    private static let cat = RoomRecording.roomA.thing("cat")

    private func bench(
        from pose: PanTilt = .degrees(pan: -125, tilt: 10), change: (inout FinderSettings) -> Void = { _ in }
    ) throws -> SearchBench { SearchBench(find: try Wish("cat"), from: pose, wanted: Self.cat, change: change) }

    @Test func `a search looks, makes sure, finds, remembers and ends`() throws {
        var bench = try bench(from: .zero)
        let outcome = bench.run()
        guard case .found(let bearing) = outcome else {
            Issue.record("\(bench.finder.reason)")
            return
        }
        #expect(bearing.angle(to: Self.cat.bearing) < .degrees(3))
        #expect(bench.phases.map(\.1) == [.searching, .verifying, .found])
        #expect(bench.head.pose.angle(to: bearing) < .degrees(3) && bench.requests.count == 2)
        let moods = bench.actions.compactMap { if case .mood(let mood) = $0.1 { mood } else { nil } }
        #expect(moods.first == .curious && moods.last == .happy && moods.count { $0 == .happy } == 1)
        let sentences = bench.actions.compactMap { if case .say(let text) = $0.1 { text } else { nil } }
        #expect(sentences == ["The cat is 120 degrees to my left."])
        let progress = bench.finder.progress(now: bench.now)
        #expect(progress.phase == .found && progress.reason == "the verifier has confirmed it twice")
        #expect(progress.looks > 0 && (0.01...1).contains(progress.share) && progress.timeLeft > 100)
        // Nothing follows.
        let count = bench.actions.count
        for _ in 0..<500 { bench.advance() }
        #expect(bench.actions.count == count)
    }

    @Test func `found needs a picture of the last half second`() throws {
        var bench = try bench()
        // The cat leaves when the second picture has been judged.
        bench.detector = { boxes, bench in bench.requests.count < 2 ? boxes : [] }
        bench.verifier = { request, _ in
            let answer = VerifierAnswer.verdict(
                request: request.id, picture: request.picture, .match, confidence: 1)
            return ScriptedAnswer(answers: [(2, answer)])
        }
        bench.run(most: 20)
        #expect(bench.found == nil && bench.requests.count >= 2)
    }

    @Test func `a dead camera or detector ends it within two seconds`() throws {
        var bench = try bench(from: .zero)
        bench.detector = { boxes, bench in bench.elapsed < 1 ? boxes : nil }
        let outcome = bench.run(most: 10)
        #expect(outcome == .blocked("no detector has answered for 2 s") && bench.elapsed < 3.3)
        bench = try self.bench(from: .zero)
        bench.detector = { _, _ in nil }
        let end = bench.run(most: 10)
        #expect(end == .blocked("no detector has answered for 2 s") && bench.elapsed < 2.3)
    }

    @Test func `a head that someone holds ends it`() throws {
        var bench = try bench(from: .zero)
        bench.run(most: 1) { $0.head.rate > 0 }
        var held = bench
        // It does not get where it is sent, and no one says so.
        held.detector = { boxes, _ in boxes.filter { $0.label != "cat" } }
        for _ in 0..<4000 where held.finder.outcome == nil {
            held.hold()
            held.advance()
        }
        #expect(held.finder.outcome == .blocked("the head does not get where it is sent"))
    }

    @Test func `a person who takes the head pauses it, and it never goes on by itself`() throws {
        var bench = try bench(from: .zero)
        bench.run { $0.finder.phase == .verifying }
        bench.run(most: 5) { !$0.finder.desk.book.open.isEmpty }
        bench.send(.interrupted("a person took over by keys"))
        #expect(bench.finder.phase == .paused && bench.finder.reason == "a person took over by keys")
        #expect(bench.finder.desk.book.open.isEmpty)
        let before = bench.actions.count
        bench.run(most: 300) { $0.finder.phase != .paused }
        #expect(bench.finder.phase == .paused && bench.actions.count == before)
        bench.send(.resume)
        bench.run()
        #expect(bench.isRight(Self.cat), "\(bench.finder.reason)")
    }

    @Test func `a person may end it at any time, and only once`() throws {
        var bench = try bench(from: .zero)
        bench.run(most: 1) { _ in false }
        bench.send(.cancel)
        bench.send(.cancel)
        #expect(bench.finder.outcome == .cancelled)
        #expect(bench.actions.count { if case .end = $0.1 { true } else { false } } == 1)
    }

    @Test func `the time limit ends it, with the reason`() throws {
        var bench = try bench(from: .degrees(pan: 160, tilt: 0)) { $0.timeLimit = 3 }
        bench.detector = { _, _ in [] }
        let outcome = bench.run()
        #expect(outcome == .givenUp("the time is over") && bench.elapsed < 3.1)
    }

    @Test func `the questions are counted, and end`() throws {
        var bench = try bench { $0.mostRequests = 3 }
        bench.verifier = { request, _ in
            ScriptedAnswer(answers: [
                (0.1, .verdict(request: request.id, picture: request.picture, .unclear, confidence: 1))
            ])
        }
        guard case .givenUp = bench.run(most: 200) else {
            Issue.record("\(bench.finder.reason)")
            return
        }
        #expect(bench.requests.count <= 3)
    }

    @Test func `of a thing that is too small a person hears, and the verifier does not`() throws {
        var bench = try bench()
        bench.detector = { _, bench in
            let place = bench.room.eye.rect(
                of: Self.cat.bearing, width: .degrees(1.5), height: .degrees(1.5), at: bench.head.pose)
            return place.flatMap { rect in
                rect.intersection(.full).map { [SeenBox(label: "cat", rect: $0, score: 0.9)] }
            } ?? []
        }
        bench.run(most: 20) { bench in
            bench.actions.contains { if case .say(let text) = $0.1 { text.contains("too small") } else { false } }
        }
        let texts = bench.actions.compactMap { if case .say(let text) = $0.1 { text } else { nil } }
        #expect(texts.first?.contains("something that may be the cat is too small to tell") == true)
        #expect(bench.requests.isEmpty && bench.found == nil)
    }

    // MARK: found, and lost

    private func watching() throws -> SearchBench {
        var bench = try bench { $0.stays = true }
        let isFound = bench.run { $0.found != nil }
        try #require(isFound)
        bench.run(most: 2) { _ in false }
        #expect(bench.finder.phase == .found)
        return bench
    }

    @Test func `a thing that goes is lost within two seconds, looked for, and found again`() throws {
        var bench = try watching()
        let since = bench.now
        bench.detector = { boxes, bench in bench.now < since + 6 ? boxes.filter { $0.label != "cat" } : boxes }
        let isLost = bench.run(most: 2) { $0.finder.phase == .lost }
        #expect(isLost)
        #expect(bench.actions.contains { $0.1 == .say("I do not see the cat any more.") })
        let count = bench.requests.count
        bench.run { $0.finder.phase == .found }
        #expect(bench.finder.phase == .found && bench.requests.count >= count + 2, "\(bench.finder.reason)")
    }

    @Test func `a thing that stays lost is given up`() throws {
        var bench = try watching()
        bench.detector = { _, _ in [] }
        guard case .givenUp = bench.run() else {
            Issue.record("\(bench.finder.phase)")
            return
        }
        #expect(bench.phases.map(\.1).contains(.lost))
    }

    @Test func `a thing that someone walks past is not lost`() throws {
        var bench = try watching()
        let since = bench.now
        bench.detector = { boxes, bench in
            guard bench.now < since + 5 else { return boxes }
            return [SeenBox(label: "person", rect: Rect(x: 0.1, y: 0.02, width: 0.8, height: 0.97), score: 0.9)]
        }
        bench.run(most: 4.8) { $0.finder.phase != .found }
        #expect(bench.finder.phase == .found && bench.finder.reason == "something is in front of it")
        bench.run(most: 3) { _ in false }
        #expect(bench.finder.phase == .found && bench.finder.reason == "it is seen")
    }

    @Test func `boxes are drawn while they are fresh, with their state`() throws {
        var bench = try bench()
        bench.run { !$0.requests.isEmpty }
        #expect(bench.finder.boxes(now: bench.now).contains { $0.state == .waiting && $0.label == "cat" })
        bench.run { $0.found != nil }
        let boxes = bench.finder.boxes(now: bench.now)
        #expect(boxes.count { $0.state == .found } == 1)
        #expect(bench.finder.boxes(now: bench.now + 5).map(\.state) == [.found])
    }

    @Test func `moods change, and sentences are seldom`() {
        var talk = FinderTalk()
        let moods = [talk.shows(.curious), talk.shows(.curious), talk.shows(.happy)]
        #expect(moods == [true, false, true])
        let sentences = [
            talk.says("a", matters: false, now: 0), talk.says("a", matters: true, now: 5),
            talk.says("b", matters: false, now: 3), talk.says("b", matters: true, now: 3),
            talk.says("c", matters: false, now: 6), talk.says("c", matters: false, now: 7),
            talk.says("c", matters: false, now: 13),
        ]
        #expect(sentences == [true, false, false, true, false, true, true])
    }
}
