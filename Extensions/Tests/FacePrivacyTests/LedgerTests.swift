import Geometry
import Testing

@testable import FacePrivacy

@Suite struct LedgerTests {
    @Test func `a picture between two looks shows their faces, grown by a quarter`() {
        var bench = Bench()
        bench.pass(0...6)
        bench.add(Bench.look(0), Bench.look(6))
        let seen = bench.verdict(6).areas, between = bench.verdict(3).areas
        #expect(seen.count == 1 && between.count == 1)
        #expect(abs(seen[0].rect.x - 0.375) < 1e-9 && abs(seen[0].rect.maxX - 0.525) < 1e-9)
        #expect(abs(seen[0].rect.y - 0.25) < 1e-9 && abs(seen[0].rect.maxY - 0.55) < 1e-9)
        #expect(abs(seen[0].faceWidth - 0.1) < 1e-9 && abs(seen[0].faceHeight - 0.2) < 1e-9)
        // It may have left the line between the looks, which are 0.1 s away.
        #expect(abs(between[0].rect.x - 0.365) < 1e-9 && abs(between[0].rect.maxX - 0.535) < 1e-9)
    }

    @Test func `two looks without a face make a picture clear`() {
        var bench = Bench()
        bench.pass(0...6)
        bench.add(Bench.look(0, []), Bench.look(6, []))
        #expect(bench.verdict(3) == .clear && bench.verdict(0) == .clear && bench.verdict(6) == .clear)
    }

    @Test func `without a look before and one after, the whole picture is covered`() {
        var bench = Bench()
        bench.pass(0...30)
        #expect(bench.verdict(10).reason == .noDetector)
        bench.add(Bench.look(9))
        #expect(bench.verdict(10).reason == .noLookAfter && bench.verdict(8).reason == .noLookBefore)
        #expect(bench.verdict(9).covers(Bench.face), "a look at the picture itself is both")
        bench.add(Bench.look(12))
        #expect(bench.verdict(10).covers(Bench.face) && bench.verdict(13).reason == .noLookAfter)
    }

    @Test func `looks count within 0.3 s, and not beyond`() {
        var bench = Bench()
        bench.pass(0...60)
        bench.add(Bench.look(20), Bench.look(38))
        #expect(bench.verdict(29).covers(Bench.face))
        #expect(bench.verdict(28).reason == .noLookAfter && bench.verdict(30).reason == .noLookBefore)
    }

    @Test func `an answer counts however late it arrives`() {
        var bench = Bench()
        bench.pass(0...60)
        bench.add(Bench.look(12), Bench.look(9, late: 1.5))
        #expect(bench.verdict(10).covers(Bench.face))
    }

    @Test func `a face within a second counts although the nearest looks missed it`() {
        var bench = Bench()
        bench.pass(0...90)
        bench.add(Bench.look(10), Bench.look(36, []), Bench.look(39, []), Bench.look(65, [], late: 0.1))
        #expect(bench.verdict(37).covers(Bench.face))
        #expect(bench.verdict(39).covers(Bench.face))
        bench.add(Bench.look(42, []))
        #expect(bench.verdict(41) == .clear, "31 frames later it does not count")
    }

    @Test func `all sources count, and one that encloses the picture suffices`() {
        var bench = Bench()
        let other = Bench.face.offset(dx: 0.4, dy: 0)
        bench.pass(0...40)
        bench.add(Bench.look(9), Bench.look(12), Bench.look(0, [other], source: "yunet"))
        #expect(bench.verdict(10).covers(Bench.face) && bench.verdict(10).covers(other))
        #expect(bench.ledger.lookingSources(now: Bench.time(13)).map(\.name) == ["blazeface", "yunet"])
    }

    @Test func `a source that is not known to look for faces counts once it has shown one`() {
        var bench = Bench()
        bench.pass(0...60)
        bench.add(Bench.look(0, [], source: "exec"), Bench.look(6, [], source: "exec"))
        #expect(bench.verdict(3).reason == .unproven)
        #expect(bench.ledger.lookingSources(now: 101).map(\.isProven) == [false])
        bench.add(Bench.look(60, source: "exec"))
        #expect(bench.verdict(3) == .clear)
        var named = Bench { $0.faceDetectors = ["exec"] }
        named.pass(0...6)
        named.add(Bench.look(0, [], source: "exec-2"), Bench.look(6, [], source: "exec-2"))
        #expect(named.verdict(3) == .clear)
    }

    @Test(arguments: [("yunet", true), ("blazeface-short", true), ("blazeface-2", true), ("blazeface-short-3", true)])
    func `the daemon's own detectors are known`(name: String, isKnown: Bool) {
        #expect(FacePolicy().knows(name) == isKnown)
        for other in ["exec", "unix", "", "-", "-2", "yunetx", "yunet-x", "yunet--"] {
            #expect(!FacePolicy().knows(other), "\(other)")
        }
    }

    @Test func `a look at another camera's pictures does not count`() {
        var bench = Bench()
        bench.pass(0...20)
        var foreign = Bench.look(12)
        foreign.exposure += 0.01
        bench.add(Bench.look(9))
        #expect(bench.ledger.add(foreign) == .notOurs)
        #expect(bench.verdict(10).reason == .noLookAfter)
        #expect(bench.ledger.lookingSources(now: 101)[0].problem == .notOurs)
    }

    @Test func `a look at a picture that was not seen here does not count`() {
        var bench = Bench()
        bench.pass(0...10)
        bench.pass(13...20)
        bench.add(Bench.look(9))
        #expect(bench.ledger.add(Bench.look(12)) == .notOurs)
        #expect(bench.verdict(10).reason == .noLookAfter)
        #expect(bench.ledger.add(Bench.look(13)) == nil)
        #expect(bench.verdict(10).covers(Bench.face))
    }

    @Test func `a look may arrive before its picture`() {
        var bench = Bench()
        bench.pass(0...9)
        bench.add(Bench.look(6))
        #expect(bench.ledger.add(Bench.look(12)) == nil)
        #expect(bench.verdict(8).reason == .noLookAfter)
        bench.pass(10...12)
        #expect(bench.verdict(8).covers(Bench.face))
    }

    @Test func `a look at pictures of another shape does not count`() {
        var bench = Bench()
        bench.pass(0...20)
        #expect(bench.ledger.add(Bench.look(9, aspect: 16.0 / 9)) == .otherSize)
        #expect(bench.ledger.add(Bench.look(12, aspect: 16.0 / 9)) == .otherSize)
        #expect(bench.verdict(10).reason == .otherSize)
        #expect(bench.ledger.add(Bench.look(9, source: "yunet", aspect: 320.0 / 239)) == nil)
    }

    @Test func `an answer that cannot be used gives the reason`() {
        var bench = Bench()
        bench.pass(0...20)
        bench.ledger.refuse(.garbage, source: "blazeface", now: 100.5)
        #expect(bench.verdict(10).reason == .garbage)
        #expect(
            bench.ledger.lookingSources(now: 102)[0]
                == LookingSource(
                    name: "blazeface", age: 1.5, problem: .garbage, isProven: true))
        bench.add(Bench.look(9, late: 0.5))
        #expect(bench.ledger.lookingSources(now: 102)[0].problem == nil)
    }

    @Test func `an answer between two looks that cannot be used makes the pictures between them uncertain`() {
        var bench = Bench()
        bench.pass(0...20)
        bench.add(Bench.look(6, []))
        bench.ledger.refuse(.garbage, source: "blazeface", now: Bench.time(9) + 0.1)
        bench.add(Bench.look(12, []), Bench.look(15, []))
        #expect((7...11).allSatisfy { bench.verdict($0).reason == .garbage })
        #expect([6, 12, 13, 15].allSatisfy { bench.verdict($0) == .clear }, "a look at the picture itself is known")
        bench.add(Bench.look(6, [], source: "yunet"), Bench.look(12, [], source: "yunet"))
        #expect(bench.verdict(9) == .clear, "another detector has looked")
    }

    @Test func `of more answers that cannot be used than are remembered, all earlier times are uncertain`() {
        var looks = SourceLooks("x", now: 0)
        for index in 0...SourceLooks.most { looks.refuse(.garbage, now: 100 + Double(index) / 200) }
        #expect(looks.hasRefused(between: Bench.look(-90, late: 0), Bench.look(-60, late: 0)))
        #expect(looks.hasRefused(between: Bench.look(0), Bench.look(3)))
        #expect(!looks.hasRefused(between: Bench.look(60), Bench.look(63)))
    }

    @Test func `sources and looks are bounded`() {
        var bench = Bench()
        bench.pass(0...10)
        for index in 0..<100 { bench.add(Bench.look(3, source: "s\(index)")) }
        #expect(bench.ledger.lookingSources(now: 101).count == FaceLedger.mostSources)
        var looks = SourceLooks("x", now: 0)
        for frame in 0..<1000 { looks.add(Bench.look(frame, late: 50 - Double(frame) / 30)) }
        #expect(looks.looks.count == SourceLooks.most && looks.looks.last?.sequence == 999)
        looks.add(Bench.look(2000))
        #expect(looks.looks.map(\.sequence) == [2000], "older ones are forgotten after 4 s")
    }

    @Test func `a second answer about the same frame adds its faces`() {
        var bench = Bench()
        bench.pass(0...20)
        bench.add(Bench.look(9), Bench.look(9, []), Bench.look(12, []))
        #expect(bench.verdict(9).covers(Bench.face))
        let many = [Rect](repeating: Bench.face, count: 40)
        bench.add(Bench.look(15, many), Bench.look(15, many))
        #expect(
            bench.verdict(15).reason == .noLookAfter, "more faces than can be kept: as if it had not been looked at")
    }

    @Test func `a picture with too many areas is covered as a whole`() {
        var bench = Bench()
        bench.pass(0...6)
        let many = (0..<63).map { Rect(x: Double($0 % 9) / 9, y: Double($0 / 9) / 7, width: 0.01, height: 0.01) }
        bench.add(Bench.look(3, many))
        #expect(bench.verdict(3).areas.count == 63)
        bench.add(Bench.look(3, many.map { $0.offset(dx: 0.05, dy: 0.05) }, source: "yunet"))
        #expect(bench.verdict(3).reason == .crowded)
    }
}

@Suite struct BreakTests {
    @Test func `after the numbers began again, earlier looks do not count, and earlier pictures are covered`() {
        var bench = Bench()
        bench.pass(0...20)
        bench.add(Bench.look(18, []), Bench.look(20, []))
        #expect(bench.verdict(19) == .clear)
        let again = FrameStamp(sequence: 5, exposure: Bench.time(21), width: 640, height: 480, rate: .zero)
        bench.ledger.pass(again)
        #expect(bench.ledger.verdict(for: again).reason != nil && bench.verdict(19).reason == .gap)
    }

    static let changes: [@Sendable (inout FrameStamp) -> Void] = [
        { $0.sequence = 20 }, { $0.sequence = -1 }, { $0.exposure = Bench.time(20) }, { $0.width = 320 },
        { $0.height = 360 }, { $0.optics.camera = 1 },
    ]

    @Test(arguments: 0..<6) func `a picture that does not continue the last one is a break`(index: Int) {
        var bench = Bench()
        bench.pass(0...20)
        bench.add(Bench.look(18, []), Bench.look(20, []))
        var odd = Bench.stamp(21)
        Self.changes[index](&odd)
        bench.ledger.pass(odd)
        #expect(bench.verdict(19).reason == .gap && bench.ledger.verdict(for: odd).reason != nil)
    }

    @Test(arguments: [Double.nan, .infinity]) func `a picture without a time is covered`(time: Double) {
        var bench = Bench()
        bench.pass(0...20)
        bench.add(Bench.look(18, []), Bench.look(20, []))
        var odd = Bench.stamp(19)
        odd.exposure = time
        bench.ledger.pass(odd)
        #expect(bench.ledger.verdict(for: odd).reason == .gap)
        #expect(bench.verdict(19) == .clear, "and harms no other")
    }

    @Test func `a picture that was never added is covered`() {
        var bench = Bench()
        bench.pass(0...5)
        bench.pass(7...12)
        bench.add(Bench.look(5, []), Bench.look(7, []))
        #expect(bench.verdict(6).reason == .gap && bench.verdict(7) == .clear)
    }

    @Test func `pictures are remembered for 4 s, and at most 1024`() {
        var trail = FrameTrail()
        for frame in 0..<400 { trail.pass(Bench.stamp(frame)) { $0.continues($1) } }
        #expect((120...121).contains(trail.frames.count) && trail.holds(280, Bench.time(280), camera: 0))
        #expect(!trail.holds(278, Bench.time(278), camera: 0))
        for frame in 400..<5000 {
            var stamp = Bench.stamp(frame)
            stamp.exposure = Bench.time(399) + Double(frame - 399) / 1e5
            trail.pass(stamp) { $0.continues($1) }
        }
        #expect(trail.frames.count == FrameTrail.most)
    }
}
