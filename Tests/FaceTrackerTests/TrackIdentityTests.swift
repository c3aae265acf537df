import FaceTracker
import Geometry
import TestSupport
import Testing

/// Identities after an occlusion, counted over many seeds, since noise decides single cases.
@Suite struct TrackIdentityTests {
    /// The position of a head at a time, in head widths of an assumed size; nil: missed by the detector.
    private struct Head {
        var x: Double, y = 0.5, width = 0.03, score = 0.85
    }

    /// How many of forty seeds end with the right ids. `heads` gives the heads at a time. The ids at `from` and at the
    /// end are compared head by head.
    private func kept(
        rate: Double, until end: Seconds, from start: Seconds, keeping: Bool = false, clutter: Double = 0.15,
        heads: (Seconds) -> [Head?], truth: (Seconds) -> [Head]
    ) -> Int {
        var good = 0
        for seed in 1...40 {
            var tracker = Tracker(), random = Seeded(UInt64(seed)), first: [Int?] = []
            for step in 0...Int((end * rate).rounded()) {
                let time = Double(step) / rate
                var seen = heads(time).compactMap { $0 }.filter { _ in
                    Double.random(in: 0..<1, using: &random) >= 0.05
                }
                if Double.random(in: 0..<1, using: &random) < clutter {
                    seen.append(
                        Head(
                            x: Double.random(in: 0...1, using: &random), y: Double.random(in: 0...1, using: &random),
                            score: 0.75))
                }
                let detections = seen.shuffled(using: &random).map { head in
                    let width = head.width * (1 + 0.05 * random.normal())
                    return Detection(
                        rect: Rect(
                            center: Point(
                                x: head.x + 0.05 * head.width * random.normal(),
                                y: head.y + 0.1 * head.width * random.normal()),
                            width: width, height: 2.4 * width), score: head.score)
                }
                tracker.update(DetectionFrame(exposure: 100 + time, detections: detections))
                if step == Int((start * rate).rounded()) {
                    first = truth(time).map { id(of: $0, in: tracker) }
                    if keeping { tracker.keep(first.compactMap { $0 }) }
                }
            }
            let last = truth(end).map { id(of: $0, in: tracker) }
            if !first.contains(nil), first == last { good += 1 }
        }
        return good
    }

    private func id(of head: Head, in tracker: Tracker) -> Int? {
        tracker.subjects.filter {
            abs($0.rect.center.x - head.x) < head.width && abs($0.rect.center.y - head.y) < head.width
        }
        .min { abs($0.rect.center.x - head.x) < abs($1.rect.center.x - head.x) }?.id
    }

    @Test(arguments: [7.0, 10, 15, 30]) func `heads that move by more than their size between frames keep one id each`(
        rate: Double
    ) {
        // 1.3 m/s is 7.6 head widths a second.
        func heads(_ time: Seconds) -> [Head] { [Head(x: 0.1 + 0.2 * time), Head(x: 0.9 - 0.2 * time, y: 0.3)] }
        #expect(kept(rate: rate, until: 3.5, from: 0.6, heads: heads, truth: heads) >= 38)
    }

    @Test(arguments: [7.0, 10, 15, 30]) func `two people cross, and the farther one is hidden meanwhile`(rate: Double) {
        func heads(_ time: Seconds) -> [Head] {
            [Head(x: 0.2 + 0.15 * time), Head(x: 0.8 - 0.15 * time, y: 0.51, width: 0.025)]
        }
        let good = kept(
            rate: rate, until: 4, from: 1,
            heads: { time in
                let both = heads(time)
                return [both[0], abs(both[0].x - both[1].x) < 0.02 ? nil : both[1]]
            }, truth: heads)
        #expect(good >= 37)
    }

    @Test(arguments: [10.0, 30]) func `a person who walks behind another for a second comes out with the same id`(
        rate: Double
    ) {
        func heads(_ time: Seconds) -> [Head] { [Head(x: 0.2 + 0.12 * time), Head(x: 0.5, y: 0.52, width: 0.06)] }
        let good = kept(
            rate: rate, until: 4, from: 1.2,
            heads: { [(1.8..<2.8).contains($0) ? nil : heads($0)[0], heads($0)[1]] }, truth: heads)
        #expect(good >= 36)
    }

    @Test(arguments: [7.0, 15, 30]) func `a head that is turned away for a second and a half keeps its id`(
        rate: Double
    ) {
        func heads(_ time: Seconds) -> [Head] { [Head(x: 0.3 + 0.01 * time), Head(x: 0.42)] }
        let good = kept(
            rate: rate, until: 4.5, from: 1.5, heads: { [(2..<3.5).contains($0) ? nil : heads($0)[0], heads($0)[1]] },
            truth: heads)
        #expect(good >= 38)
    }

    @Test(arguments: [10.0, 30]) func `a selected person who is out of view for two seconds keeps the id on return`(
        rate: Double
    ) {
        // Out to the right at 2.2 s, back at 4.2 s.
        func heads(_ time: Seconds) -> [Head] { [Head(x: 1.02 - 0.15 * abs(time - 3.2) + 0.13), Head(x: 0.3)] }
        let good = kept(
            rate: rate, until: 5.5, from: 1, keeping: true,
            heads: { time in heads(time).map { $0.x < 1 ? $0 : nil } }, truth: heads)
        #expect(good >= 36)
    }

    @Test(arguments: [10.0, 15, 30]) func `a false face beside a missed person does not take over the id`(rate: Double)
    {
        func heads(_ time: Seconds) -> [Head] { [Head(x: 0.5)] }
        let good = kept(
            rate: rate, until: 4, from: 1, clutter: 0,
            heads: { time in
                let turn = time.truncatingRemainder(dividingBy: 0.8)
                return turn < 0.25 ? [Head(x: 0.535, y: 0.45, score: 0.75)] : [Head(x: 0.5)]
            }, truth: heads)
        #expect(good >= 38)
    }

    @Test func `a standing person is not taken for another one three heads away where all stand`() {
        func heads(_ time: Seconds) -> [Head] { [Head(x: 0.2), Head(x: 0.8), time < 8 ? Head(x: 0.5) : Head(x: 0.6)] }
        var tracker = Tracker(), ids: Set<Int> = []
        for step in 0..<150 {
            let time = Double(step) / 15
            let faces = heads(time).map {
                Detection(
                    rect: Rect(center: Point(x: $0.x, y: $0.y), width: $0.width, height: 2.4 * $0.width), score: 0.9)
            }
            tracker.update(DetectionFrame(exposure: time, detections: faces))
            ids.formUnion(tracker.subjects.map(\.id))
        }
        #expect(ids.count == 4, "a person in a hall of standing people does not leap")
    }

    @Test(arguments: [10.0, 30]) func `the rectangle of a person who comes nearer grows, and is accurate and steady`(
        rate: Double
    ) {
        var tracker = Tracker(), random = Seeded(3), squares = 0.0, count = 0.0
        for step in 0..<Int(3 * rate) {
            let time = Double(step) / rate
            let width = 0.04 * (1 + 0.5 * time), noise = { 1 + 0.05 * random.normal() }
            let rect = Rect(center: Point(x: 0.5, y: 0.5), width: width * noise(), height: 1.7 * width * noise())
            tracker.update(DetectionFrame(exposure: time, detections: [Detection(rect: rect)]))
            guard time > 1, let subject = tracker.subjects.first else { continue }
            let error = subject.rect.width / width - 1
            squares += error * error
            count += 1
        }
        #expect((squares / count).squareRoot() < 0.045, "a single rectangle is off by 0.05")
    }
}
