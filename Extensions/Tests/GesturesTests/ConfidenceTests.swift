import Geometry
import Testing

@testable import Gestures

/// Confidence in seconds, with two thresholds.
@Suite struct ConfidenceTests {
    /// After how many seconds a hand counts that is recognised in a share of the frames, on average.
    private func delay(_ share: Double, rate: Double) -> Seconds {
        var dice = Dice(7), sum = 0.0
        for _ in 0..<400 {
            var confidence = ShapeConfidence(), time = 0.0
            while !confidence.held.contains(.palm), time < 30 {
                _ = confidence.update(.random(in: 0..<1, using: &dice) < share ? .palm : .none, for: 1 / rate)
                time += 1 / rate
            }
            sum += time
        }
        return sum / 400
    }

    @Test(arguments: [10.0, 30])
    func `a hand that is often missed counts later, at every frame rate alike`(rate: Double) {
        for (share, wanted) in [(1.0, 0.9), (0.96, 1.0), (0.9, 1.1), (0.8, 1.5)] {
            #expect(abs(delay(share, rate: rate) - wanted) < 0.2, "\(share): \(delay(share, rate: rate))")
        }
    }

    @Test func `a held palm of which one frame in 25 is wrong is never dropped`() {
        var dice = Dice(3), confidence = ShapeConfidence(), drops = 0
        for _ in 0..<100 { _ = confidence.update(.palm, for: 0.1) }
        for _ in 0..<36_000 {
            _ = confidence.update(Double.random(in: 0..<1, using: &dice) < 0.96 ? .palm : .fist, for: 0.1)
            if !confidence.held.contains(.palm) { drops += 1 }
        }
        #expect(drops == 0)
    }

    @Test func `it becomes certain once, and again only after it was not`() {
        var confidence = ShapeConfidence()
        let news = (0..<100).compactMap { _ in confidence.update(.fist, for: 0.1) }
        #expect(news == [.fist])
        for _ in 0..<4 { _ = confidence.update(.none, for: 0.1) }
        #expect(confidence.held == [.fist])
        for _ in 0..<2 { _ = confidence.update(.none, for: 0.1) }
        #expect(confidence.held.isEmpty)
        #expect((0..<10).compactMap { _ in confidence.update(.fist, for: 0.1) } == [.fist])
    }
}
