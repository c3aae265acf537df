import Geometry
import Testing

@testable import Companion

@Suite struct ReactionsTests {
    private func sight(_ width: Double? = 0.1, looking: Double? = nil, subject: Int = 1) -> Sight {
        Sight(subject: subject, width: width, looking: looking)
    }

    @Test func `a person who arrives is greeted, one who only turned away for a moment is not`() {
        var reactions = Reactions()
        #expect(reactions.sees(sight(), now: 0) == "happy")
        #expect(reactions.sees(sight(), now: 1.9) == "happy")
        #expect(reactions.sees(sight(), now: 2.1) == "normal")
        #expect(reactions.sees(sight(), now: 4.5) == "normal")
        #expect(reactions.sees(sight(), now: 8) == "happy")
    }

    @Test func `a person who comes near suddenly startles it, once, and one who was near already does not`() {
        var reactions = Reactions()
        _ = reactions.sees(sight(0.15), now: 0)
        var faces: [String] = []
        for frame in 90..<240 {
            let now = Double(frame) / 30
            // Between 4 and 4.4 s the face grows to twice its width.
            let width = 0.15 + 0.17 * ((now - 4) / 0.4).clamped(to: 0...1)
            faces.append(reactions.sees(sight(width), now: now))
        }
        #expect(faces.first == "normal" && faces.last == "normal")
        let starts = faces.count { $0 == "surprise" }
        #expect((40...50).contains(starts), "\(starts)")
        var near = Reactions()
        for frame in 0..<300 { #expect(near.sees(sight(0.35), now: Double(frame) / 30) != "surprise") }
        var slow = Reactions()
        for frame in 0..<300 {
            #expect(slow.sees(sight(0.1 + Double(frame) / 1000), now: Double(frame) / 30) != "surprise")
        }
        var another = Reactions()
        _ = another.sees(sight(0.1), now: 0)
        // Another face is not the same one nearer.
        #expect(another.sees(sight(0.35, subject: 2), now: 0.1) != "surprise")
    }

    @Test func `it is glad when it is looked at, and for a while after`() {
        var reactions = Reactions()
        _ = reactions.sees(sight(), now: 0)
        func at(_ time: Double, _ looking: Double?) -> String { reactions.sees(sight(looking: looking), now: time) }
        #expect(at(2.5, 0.9) == "normal")
        #expect(at(3.6, 0.9) == "happy")
        #expect(at(4, 0.6) == "happy")
        #expect(at(5, 0.1) == "happy")
        #expect(at(5.7, 0.1) == "normal")
        #expect(at(6.5, nil) == "normal")
    }
}
