import Geometry
import Testing

@testable import Gestures

/// Each gesture, in virtual time.
@Suite struct GestureRuleTests {
    private static let rates = [10.0, 15, 30]

    // MARK: stop

    @Test(arguments: rates) func `an open palm stops within 0.4 seconds, anywhere in the picture`(rate: Double) throws {
        for (face, wrist) in [(true, Bench.beside), (false, Bench.beside), (true, Point(x: 0.15, y: 0.95))] {
            var bench = Bench(rate: rate)
            if !face { bench.face = nil }
            bench.show(.none, for: 1)
            let start = bench.begin()
            bench.show(.palm, for: 0.6, at: wrist)
            let stopped = try #require(bench.time(of: .stop))
            #expect(stopped - start >= 0.25 - 1e-6 && stopped - start <= 0.4)
            #expect(bench.acts == [.stop] && bench.time(of: .cue(.stop)) == stopped)
        }
    }

    @Test func `a palm stops once, and again after it was gone`() {
        var bench = Bench()
        bench.show(.palm, for: 3)
        #expect(bench.acts == [.stop])
        bench.show(.none, for: 1)
        bench.show(.palm, for: 1)
        #expect(bench.acts == [.stop, .stop])
    }

    @Test(arguments: rates) func `a palm that is seen for a moment stops nothing`(rate: Double) {
        var bench = Bench(rate: rate)
        for _ in 0..<50 {
            bench.show(.palm, for: 0.2)
            bench.show(.none, for: 0.4)
        }
        #expect(bench.acts.isEmpty)
    }

    @Test func `a hand that opens ends the motion, and then stops`() {
        var bench = Bench()
        bench.engage()
        _ = bench.begin()
        bench.show(.palm, for: 0.5)
        #expect(bench.acts == [.release, .stop])
        #expect(!bench.reader.isEngaged)
    }

    @Test func `a palm stops a head that looks where a finger pointed`() {
        var bench = Bench()
        bench.show(.palm, for: 1.2)
        bench.show(.point, for: 1)
        #expect(bench.reader.isEngaged)
        _ = bench.begin()
        bench.show(.palm, for: 0.4)
        #expect(bench.acts == [.stop, .release] && !bench.reader.isEngaged)
    }

    // MARK: the clutch

    @Test(arguments: rates, [HandShape.fist, .pinch])
    func `a hand that closes after the palm drives within 1.5 seconds`(rate: Double, closed: HandShape) throws {
        var bench = Bench(rate: rate)
        bench.show(.none, for: 0.5)
        let start = bench.begin()
        bench.show(.palm, for: 1.1)
        bench.show(closed, for: 0.35)
        let engaged = try #require(bench.time(of: .engage))
        #expect(engaged - start >= 1.0 && engaged - start <= 1.5)
        #expect(bench.motions == [.engage], "nothing moves before the hand does")
    }

    @Test func `the head follows the direction of the hand from where it closed`() throws {
        var bench = Bench()
        (bench.pose, bench.sight.heading) = (.degrees(pan: 10, tilt: 5), .degrees(pan: 10, tilt: 5))
        bench.engage()
        _ = bench.begin()
        // To the right by a tenth of the picture's height, and up.
        for step in 1...30 {
            bench.show(.fist, for: 1 / 30, at: Point(x: 0.95 + Double(step) / 300, y: 0.6 - Double(step) / 300))
        }
        let last = try #require(bench.aims.last)
        #expect((2...8).contains(last.pan.inDegrees - 10) && (2...8).contains(last.tilt.inDegrees - 5))
        for (a, b) in zip(bench.aims, bench.aims.dropFirst()) {
            #expect(b.pan >= a.pan && (b - a).magnitude < .degrees(2))
        }
        // Back to where it closed: the head is where it was.
        for step in (0..<30).reversed() {
            bench.show(.fist, for: 1 / 30, at: Point(x: 0.95 + Double(step) / 300, y: 0.6 - Double(step) / 300))
        }
        #expect((try #require(bench.aims.last) - .degrees(pan: 10, tilt: 5)).magnitude < .degrees(1))
    }

    @Test func `a head that turns does not chase a hand that stands still in the room`() {
        var bench = Bench()
        bench.engage()
        _ = bench.begin()
        // The head turns to the right, so the hand moves to the left in the picture.
        for step in 1...60 {
            let pan = Double.degrees(Double(step) / 6), x = (0.95 * 0.75 - 0.5) / 0.9
            bench.sight.heading = PanTilt(pan: pan, tilt: 0)
            // The tangent of the difference of two angles.
            let tangent = pan + pan * pan * pan / 3, seen = (x - tangent) / (1 + x * tangent)
            bench.show(.fist, for: 1 / 30, at: Point(x: (seen * 0.9 + 0.5) * 4 / 3, y: 0.6))
        }
        #expect(bench.aims.allSatisfy { $0.magnitude < .degrees(3) }, "\(bench.aims)")
    }

    @Test func `a hand that opens, is lost or is somewhere else ends the motion at once`() {
        let ends: [(GestureEnd, (inout Bench) -> Void)] = [
            (.opened, { $0.show(.palm, for: 1 / 30) }), (.lost, { $0.frame([]) }),
            (.jumped, { $0.show(.fist, for: 1 / 30, at: Point(x: 0.1, y: 0.2)) }),
            (.opened, { $0.show(.none, for: 0.4) }), (.silent, { $0.wait(0.31) }),
        ]
        for (end, act) in ends {
            var bench = Bench()
            bench.engage()
            #expect(bench.reader.isEngaged)
            _ = bench.begin()
            act(&bench)
            #expect(bench.acts == [.release] && !bench.reader.isEngaged, "\(end)")
            #expect(bench.time(of: .note(.released(end))) != nil, "\(end): \(bench.intents)")
            // The hand that is still closed does not begin again.
            bench.show(.fist, for: 3)
            #expect(bench.motions.isEmpty)
        }
    }

    @Test func `frames that stop end the motion within 0.35 seconds`() throws {
        var bench = Bench()
        bench.engage()
        let start = bench.begin()
        bench.wait(1)
        #expect(try #require(bench.time(of: .release)) - start <= 0.35)
    }

    @Test func `a moment of another shape holds the head, and does not end the motion`() {
        var bench = Bench()
        bench.engage()
        _ = bench.begin()
        for step in 0..<5 {
            bench.show(.point, for: 0.1, at: Point(x: 0.95 + Double(step) / 100, y: 0.6))
            bench.show(.fist, for: 0.2, at: Point(x: 0.95 + Double(step) / 100, y: 0.6))
        }
        #expect(bench.reader.isEngaged && !bench.aims.isEmpty && !bench.acts.contains(.release))
    }

    @Test func `a hand that is missed in some frames is understood, a little later`() throws {
        var bench = Bench(rate: 30), dice = Dice(4)
        let palm = [DrawnHand().seen], start = bench.begin()
        for _ in 0..<60 { bench.frame(Double.random(in: 0..<1, using: &dice) < 0.9 ? palm : []) }
        #expect(try #require(bench.time(of: .cue(.ready))) - start < 1.5)
        bench.show(.fist, for: 0.3)
        #expect(bench.reader.isEngaged)
    }

    @Test func `a hand that closes too late, or without a palm before, moves nothing`() {
        var bench = Bench()
        bench.show(.palm, for: 1.2)
        bench.show(.none, for: 1.1)
        bench.show(.fist, for: 2)
        bench.show(.none, for: 5)
        bench.show(.fist, for: 3)
        bench.show(.pinch, for: 3)
        bench.show(.palm, for: 0.7)
        bench.show(.fist, for: 1)
        #expect(bench.motions.isEmpty)
    }

    // MARK: point, and thumbs

    @Test(arguments: rates)
    func `a finger that points after the palm turns the head there for three seconds`(rate: Double) throws {
        var bench = Bench(rate: rate)
        (bench.pose, bench.sight.heading) = (.degrees(pan: 10, tilt: 0), .degrees(pan: 10, tilt: 0))
        bench.show(.palm, for: 1.2)
        let start = bench.begin()
        bench.show([DrawnHand(shape: .point, turn: .pi / 2)], for: 1.1)
        let looked = try #require(bench.time(of: .cue(.look)))
        #expect(looked - start >= 0.8 && looked - start <= 1.1)
        let place = try #require(bench.aims.first)
        // The hand is 15 degrees to the right of where the head looks, and the finger points to the right.
        #expect((40...65).contains(place.pan.inDegrees - 10) && abs(place.tilt.inDegrees) < 15, "\(place)")
        // The hand leaves the picture because the head turns.
        bench.show([], for: 6)
        #expect(bench.acts == [.engage, .aim(place), .aim(.degrees(pan: 10, tilt: 0)), .release])
        #expect(abs(try #require(bench.intents.last { $0.intent == .aim(bench.aims[1]) }?.time) - looked - 3) < 0.11)
    }

    @Test func `a finger that moves, or points without a palm before, turns nothing`() {
        var bench = Bench()
        bench.show(.point, for: 3)
        #expect(bench.motions.isEmpty && bench.time(of: .note(.another)) != nil)
        bench.show(.palm, for: 1.2)
        for step in 0..<90 { bench.show([DrawnHand(shape: .point, turn: Double(step) / 15)], for: 1 / 30) }
        #expect(bench.motions.isEmpty)
    }

    @Test(arguments: rates) func `a palm that waves is greeted, and moves nothing`(rate: Double) {
        func greetings(_ width: Double, _ period: Seconds) -> Int {
            var bench = Bench(rate: rate)
            let start = bench.begin()
            while bench.now - start < 4 {
                let phase = ((bench.now - start) / period).truncatingRemainder(dividingBy: 1)
                let x = 0.95 + width * (phase < 0.5 ? phase * 2 : 2 - phase * 2)
                bench.show(.palm, for: 1 / rate, at: Point(x: x, y: 0.6))
            }
            #expect(bench.motions.isEmpty)
            return bench.intents.count { $0.intent == .cue(.greet) }
        }
        #expect((1...3).contains(greetings(0.15, 1)))
        #expect(greetings(0.03, 1) == 0 && greetings(0.15, 3) == 0, "a hand that trembles, or drifts")
    }

    @Test func `a thumb after the palm nods or shakes the head, once`() {
        for (shape, name, cue) in [(HandShape.thumbUp, "yes", GestureCue.yes), (.thumbDown, "nope", .nope)] {
            var bench = Bench()
            bench.show(shape, for: 2)
            #expect(bench.motions.isEmpty, "without a palm")
            bench.show(.palm, for: 1.2)
            bench.show(shape, for: 4)
            #expect(bench.motions == [.animate(name)] && bench.time(of: .cue(cue)) != nil)
        }
    }
}
