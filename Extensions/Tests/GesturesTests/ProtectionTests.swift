import Geometry
import Testing

@testable import Gestures

/// What must not move the head.
@Suite struct ProtectionTests {
    private static let shapes = HandShape.allCases.filter { $0 != .none }

    /// The gestures that move the head.
    private static func all(_ bench: inout Bench, at wrist: Point = Bench.beside) {
        for next in [HandShape.fist, .pinch, .point, .thumbUp, .thumbDown] {
            bench.show(.palm, for: 1.2, at: wrist)
            bench.show(next, for: 1.5, at: wrist)
            bench.show(.none, for: 6, at: wrist)
        }
    }

    @Test func `the gestures of these tests move the head where they should`() {
        var bench = Bench()
        Self.all(&bench)
        #expect(bench.motions.count { $0 == .engage } == 3 && bench.motions.contains(.animate("yes")))
    }

    @Test func `nothing happens until a person arms it, and after it was disarmed`() {
        var bench = Bench(isArmed: false)
        Self.all(&bench)
        #expect(bench.intents.isEmpty)
        bench.reader.arm(now: bench.now)
        bench.record(bench.reader.disarm())
        Self.all(&bench)
        #expect(bench.intents.isEmpty)
    }

    @Test func `without use for a minute it is disarmed, and says so`() throws {
        var bench = Bench()
        let start = bench.begin()
        bench.show(.none, for: 50)
        bench.show(.palm, for: 0.4)
        bench.show(.none, for: 59)
        #expect(bench.reader.isArmed && bench.acts == [.stop])
        bench.wait(2)
        #expect(!bench.reader.isArmed && bench.time(of: .cue(.disarmed)) != nil)
        #expect(try #require(bench.time(of: .cue(.disarmed))) - start > 109)
        _ = bench.begin()
        Self.all(&bench)
        #expect(bench.intents.isEmpty)
    }

    @Test func `disarming ends a motion`() {
        var bench = Bench()
        bench.engage()
        #expect(bench.reader.disarm().first == .release && !bench.reader.isArmed && !bench.reader.isEngaged)
        #expect(bench.reader.disarm().isEmpty)
    }

    @Test func `an interruption ends a motion, and is nothing without one`() {
        var bench = Bench()
        #expect(bench.reader.interrupted("keys").isEmpty)
        bench.engage()
        #expect(
            bench.reader.interrupted("keys") == [.release, .cue(.release), .note(.released(.interrupted("keys")))])
        _ = bench.begin()
        bench.show(.fist, for: 3)
        #expect(bench.motions.isEmpty)
    }

    @Test func `a hand far from the followed face, in front of it, or without one moves nothing`() {
        let places: [(Rect?, Point)] = [
            (nil, Bench.beside), (Rect(x: 0.05, y: 0.05, width: 0.08, height: 0.1), Bench.beside),
            // The palm lies on the face, as on a neck or an ear.
            (Rect(x: 0.6, y: 0.35, width: 0.3, height: 0.4), Bench.beside),
            (Rect(x: 0.45, y: 0.25, width: 0.001, height: 0.001), Bench.beside),
        ]
        for (face, wrist) in places {
            var bench = Bench()
            bench.face = face
            Self.all(&bench, at: wrist)
            #expect(bench.motions.isEmpty, "\(String(describing: face))")
            #expect(bench.acts.contains(.stop))
        }
    }

    @Test func `a hand that is too small or too large for the face, or unsure, moves nothing`() {
        for (palm, score) in [(0.03, 1.0), (0.55, 1.0), (0.12, 0.5)] {
            var bench = Bench()
            for next in Self.shapes {
                var (open, then) = (DrawnHand(palm: palm), DrawnHand(shape: next, palm: palm))
                (open.wrist, then.wrist) = (Point(x: 0.95, y: 0.4 + palm), Point(x: 0.95, y: 0.4 + palm))
                for (hand, time) in [(open, 1.2), (then, 1.5)] {
                    for _ in 0..<Int(time * 30) { bench.frame([SeenHand(points: hand.points, score: score)]) }
                }
                bench.show([], for: 1)
            }
            #expect(bench.motions.isEmpty, "\(palm)")
        }
    }

    @Test func `without the pose of the head or its lens, gestures only stop`() {
        let changes: [(inout Bench) -> Void] = [
            { $0.pose = nil }, { $0.sight.heading = nil }, { $0.sight.focal.x = 0 },
        ]
        for change in changes {
            var bench = Bench()
            change(&bench)
            bench.engage()
            bench.show(.none, for: 6)
            bench.show(.palm, for: 1.2)
            bench.show(.point, for: 2)
            #expect(bench.motions.isEmpty && bench.acts.contains(.stop))
        }
    }

    // MARK: faults that were measured

    @Test(arguments: [10.0, 30]) func `a hand that opens reads as a pinch first, and moves nothing`(rate: Double) {
        var bench = Bench(rate: rate)
        for _ in 0..<20 {
            bench.show(.fist, for: 0.5)
            bench.show(.pinch, for: 0.56)
            bench.show(.palm, for: 2)
            bench.show([], for: 3)
        }
        #expect(bench.motions.isEmpty)
        #expect(bench.acts == Array(repeating: .stop, count: 20))
    }

    @Test func `ten and thirty frames a second give the same times, within a frame`() throws {
        var times: [[Seconds]] = []
        for rate in [10.0, 30] {
            var bench = Bench(rate: rate)
            bench.show(.none, for: 1)
            let start = bench.begin()
            bench.show(.palm, for: 1.2)
            bench.show(.fist, for: 0.5)
            bench.show(.palm, for: 0.5)
            bench.show(.none, for: 2)
            bench.show(.palm, for: 1.2)
            bench.show(.point, for: 1.2)
            bench.show([], for: 6)
            let wanted: [GestureIntent] = [.stop, .engage, .cue(.ready), .cue(.look), .note(.released(.opened))]
            times.append(try wanted.map { try #require(bench.time(of: $0), "\($0)") - start })
        }
        for (slow, quick) in zip(times[0], times[1]) { #expect(abs(slow - quick) <= 0.11) }
    }

    @Test(arguments: [0.17, 0.5], [10.0, 30])
    func `wrong shapes in one frame of twenty, in runs, move nothing in an hour`(run: Seconds, rate: Double) {
        for seed in 1...3 {
            var bench = Bench(rate: rate), dice = Dice(UInt64(seed))
            while bench.now < 3700 {
                // Use keeps it armed for this test.
                if !bench.reader.isArmed { bench.reader.arm(now: bench.now) }
                bench.show(.none, for: run * .random(in: 9...29, using: &dice))
                bench.show(Self.shapes.randomElement(using: &dice) ?? .fist, for: run)
            }
            #expect(bench.motions.isEmpty, "seed \(seed)")
        }
    }

    @Test func `a hand that rests as a fist or points without end, with wrong frames, moves nothing in an hour`() {
        for rest in [HandShape.fist, .point, .pinch, .thumbUp] {
            var bench = Bench(rate: 10), dice = Dice(9)
            while bench.now < 3700 {
                if !bench.reader.isArmed { bench.reader.arm(now: bench.now) }
                bench.show(rest, for: .random(in: 1...10, using: &dice))
                bench.show(Self.shapes.randomElement(using: &dice) ?? .fist, for: 0.5)
            }
            #expect(bench.motions.isEmpty, "\(rest)")
        }
    }

    @Test func `hands that are found where none are, elsewhere in each frame, move nothing in an hour`() {
        var bench = Bench(rate: 10), dice = Dice(5)
        for _ in 0..<36_000 {
            if !bench.reader.isArmed { bench.reader.arm(now: bench.now) }
            let wrist = Point(x: .random(in: 0...1.33, using: &dice), y: .random(in: 0...1, using: &dice))
            let hand = DrawnHand(shape: Self.shapes.randomElement(using: &dice) ?? .palm, wrist: wrist)
            bench.frame(Bool.random(using: &dice) ? [hand.seen] : [])
        }
        #expect(bench.motions.isEmpty)
    }

    @Test func `random joints and times never trap, and move nothing`() {
        var bench = Bench(rate: 10), dice = Dice(11)
        let odd = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0]
        func number(_ dice: inout Dice) -> Double {
            Int.random(in: 0..<40, using: &dice) == 0
                ? odd.randomElement(using: &dice) ?? 0 : .random(in: -2...3, using: &dice)
        }
        for _ in 0..<20_000 {
            if !bench.reader.isArmed { bench.reader.arm(now: bench.now) }
            let hands = (0..<Int.random(in: 0...6, using: &dice)).map { _ in
                let count = Int.random(in: 0..<10, using: &dice) == 0 ? 20 : 21
                return SeenHand(
                    points: (0..<count).map { _ in Point(x: number(&dice), y: number(&dice)) },
                    score: number(&dice))
            }
            bench.sight = HandSight(
                aspect: number(&dice), focal: Point(x: number(&dice), y: number(&dice)),
                heading: PanTilt(pan: number(&dice), tilt: number(&dice)))
            bench.face = Rect(x: number(&dice), y: number(&dice), width: number(&dice), height: number(&dice))
            bench.frame(hands)
            _ = bench.reader.update(bench.frame(of: hands, at: number(&dice)), now: bench.now)
        }
        #expect(bench.motions.isEmpty)
    }

    @Test func `frames that come twice, late or out of order count once`() {
        var bench = Bench(rate: 10)
        let hand = [DrawnHand().seen]
        bench.frame(hand)
        for _ in 0..<100 {
            bench.record(bench.reader.update(bench.frame(of: hand, at: bench.now), now: bench.now))
            bench.record(bench.reader.update(bench.frame(of: hand, at: bench.now - 0.05), now: bench.now))
        }
        #expect(bench.intents.isEmpty)
    }

    @Test func `frames that are rare are never enough`() {
        for rate in [1.0, 2, 3] {
            var bench = Bench(rate: rate)
            for _ in 0..<10 {
                bench.show(.palm, for: 5)
                bench.show(.fist, for: 5)
            }
            #expect(bench.motions.isEmpty, "\(rate)")
        }
    }

    @Test func `a second hand does not finish what the first has begun`() {
        var bench = Bench()
        bench.show(.palm, for: 1.2)
        bench.show(.fist, for: 0.5, at: Point(x: 0.35, y: 0.55))
        #expect(bench.motions.isEmpty)
        // Beside a hand that drives, another one does nothing.
        bench.show(.none, for: 5)
        bench.engage()
        _ = bench.begin()
        bench.show([DrawnHand(shape: .palm, wrist: Point(x: 0.3, y: 0.6)), DrawnHand(shape: .fist)], for: 2)
        #expect(bench.acts.isEmpty && bench.reader.isEngaged)
    }
}
