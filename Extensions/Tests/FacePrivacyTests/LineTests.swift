import Geometry
import Testing

@testable import FacePrivacy

@Suite struct DelayLineTests {
    static func line(_ mode: PrivacyMode = .faces, delay: Seconds = 0.7, most: Int = 64) -> DelayLine<Int> {
        DelayLine(mode: mode, delay: delay, most: most)
    }

    /// Adds pictures, 20 ms after their exposure. Returns those that were forced out.
    static func push(_ line: inout DelayLine<Int>, _ frames: ClosedRange<Int>) -> [DelayLine<Int>.Exit] {
        frames.compactMap { line.push($0, Bench.stamp($0), now: Bench.time($0) + 0.02) }
    }

    static func pop(_ line: inout DelayLine<Int>, at now: Seconds) -> [DelayLine<Int>.Exit] {
        var exits: [DelayLine<Int>.Exit] = []
        while let exit = line.pop(now: now) { exits.append(exit) }
        return exits
    }

    @Test func `pictures leave after the delay, in their order, with the verdict of that moment`() {
        var line = Self.line()
        #expect(Self.push(&line, 0...20).isEmpty && line.count == 21)
        #expect(Self.pop(&line, at: Bench.time(0) + 0.719).isEmpty)
        line.ledger.add(Bench.look(0))
        line.ledger.add(Bench.look(3, late: 0.6))
        let exits = Self.pop(&line, at: Bench.time(2) + 0.7201)
        #expect(exits.map(\.picture) == [0, 1, 2] && exits.map(\.frame.sequence) == [0, 1, 2])
        #expect(exits.allSatisfy { $0.verdict.covers(Bench.face) } && line.counts.faces == 3)
        #expect(Self.pop(&line, at: Bench.time(4) + 0.7201).map(\.verdict) == [exits[0].verdict, .whole(.noLookAfter)])
    }

    @Test func `a full line forces the oldest picture out, covered as a whole where no look followed`() {
        var line = Self.line(most: 5)
        line.ledger.add(Bench.look(0))
        let forced = Self.push(&line, 0...7)
        #expect(forced.map(\.picture) == [0, 1, 2] && line.count == 5)
        #expect(forced.map(\.verdict.reason) == [nil, .noLookAfter, .noLookAfter])
        #expect(forced[0].verdict.covers(Bench.face))
    }

    @Test func `at the end all pictures leave, covered as a whole where no look followed`() {
        var line = Self.line()
        _ = Self.push(&line, 0...9)
        line.ledger.add(Bench.look(0, []))
        line.ledger.add(Bench.look(6, []))
        var verdicts: [FrameVerdict] = []
        while let exit = line.flush() { verdicts.append(exit.verdict) }
        #expect(verdicts.prefix(7).allSatisfy { $0 == .clear })
        #expect(verdicts.dropFirst(7).allSatisfy { $0 == .whole(.noLookAfter) } && verdicts.count == 10)
        #expect(line.count == 0 && line.due == nil && line.flush() == nil)
        #expect(line.counts.total == 10 && line.counts.clear == 7 && line.counts.wholes == 3)
    }

    @Test func `without a detector every picture is covered`() {
        var line = Self.line()
        _ = Self.push(&line, 0...20)
        #expect(Self.pop(&line, at: 200).map(\.verdict) == [FrameVerdict](repeating: .whole(.noDetector), count: 21))
        #expect(line.counts.whole == [.noDetector: 21] && line.counts.mainReason == .noDetector)
    }

    @Test func `the other modes need no delay, and say what they do`() {
        var picture = Self.line(.picture), none = Self.line(.none)
        _ = Self.push(&picture, 0...2)
        _ = Self.push(&none, 0...2)
        #expect(Self.pop(&picture, at: Bench.time(2) + 0.02).map(\.verdict.reason) == [.setting, .setting, .setting])
        #expect(Self.pop(&none, at: Bench.time(2) + 0.02).map(\.verdict) == [.open, .open, .open])
        #expect(none.counts.open == 3 && none.counts.clear == 0)
        #expect(PrivacyMode(rawValue: "faces") == .faces && PrivacyMode(rawValue: "face") == nil)
        #expect(PrivacyMode.allCases.allSatisfy { !$0.words.isEmpty })
    }

    @Test(arguments: [(0.0, 0.5), (0.5, 0.5), (0.8, 0.8), (9, 1), (.nan, 1), (-.infinity, 1)])
    func `the delay is 0.5 to 1 s`(wanted: Seconds, used: Seconds) {
        #expect(Self.line(delay: wanted).delay == used)
    }

    @Test(arguments: [Int.min, 0, 1, 64, 240, 241, .max]) func `the line is bounded`(most: Int) {
        var line = Self.line(most: most)
        let forced = Self.push(&line, 0...299)
        #expect(line.count == min(max(most, 1), 240) && forced.count + line.count == 300)
    }

    @Test func `counts of several lines add up`() {
        var all = VerdictCounts(), one = VerdictCounts()
        for verdict in [FrameVerdict.clear, .open, .faces([]), .whole(.turning), .whole(.turning), .whole(.gap)] {
            one.add(verdict)
        }
        all += one
        all += one
        #expect(all.total == 12 && all.wholes == 6 && all.whole == [.turning: 4, .gap: 2])
        #expect(all.clear == 2 && all.open == 2 && all.faces == 2 && all.mainReason == .turning)
        #expect(VerdictCounts().mainReason == nil)
    }

    @Test(arguments: CoverReason.allCases) func `every reason has words`(reason: CoverReason) {
        #expect(!reason.words.isEmpty)
    }
}
