import FaceTracker
import Geometry
import Testing

@Suite struct SubjectSelectionTests {
    private func subject(_ id: Int, x: Double, y: Double = 0.5, salience: Double = 0.5) -> TrackedSubject {
        TrackedSubject(
            id: id, rect: Rect(center: Point(x: x, y: y), width: 0.1, height: 0.2), salience: salience)
    }

    @Test func `a tap inside a rectangle selects it, the nearest centre if several`() {
        var selection = SubjectSelection()
        let subjects = [subject(1, x: 0.3), subject(2, x: 0.36), subject(3, x: 0.8)]
        #expect(selection.tap(at: Point(x: 0.34, y: 0.5), in: subjects, aspect: 1.5) == 2)
        #expect(selection.tap(at: Point(x: 0.26, y: 0.55), in: subjects, aspect: 1.5) == 1)
        #expect(selection.selected == [1])
    }

    @Test func `a tap beside a face takes the nearest centre within a tenth of the height`() {
        var selection = SubjectSelection()
        var small = subject(4, x: 0.5)
        small.rect = Rect(center: small.rect.center, width: 0.02, height: 0.03)
        #expect(selection.tap(at: Point(x: 0.5, y: 0.59), in: [small], aspect: 2) == 4)
        #expect(selection.tap(at: Point(x: 0.545, y: 0.5), in: [small], aspect: 2) == 4)
        #expect(selection.tap(at: Point(x: 0.555, y: 0.5), in: [small], aspect: 2) == nil)
    }

    @Test func `a tap on no person finds no subject and the selection stays`() {
        var selection = SubjectSelection()
        let subjects = [subject(1, x: 0.2)]
        #expect(selection.tap(at: Point(x: 0.2, y: 0.5), in: subjects, aspect: 1) == 1)
        #expect(selection.tap(at: Point(x: 0.9, y: 0.9), in: subjects, aspect: 1) == nil)
        #expect(selection.selected == [1])
    }

    @Test func `an explicit selection persists if other people appear`() {
        var selection = SubjectSelection()
        selection.select(ids: [1])
        for step in 0..<200 {
            let here = step % 3 == 0 ? [] : [subject(1, x: 0.1, salience: 0.01)]
            let pick = selection.pick(from: here + [subject(2, x: 0.5, salience: 0.9)], now: Double(step) / 10)
            #expect(pick.primary == (step % 3 == 0 ? nil : 1))
            #expect(pick.event == nil)
        }
    }

    @Test func `a selection out of sight for ten seconds is reported lost once and the choice is automatic`() {
        var selection = SubjectSelection()
        selection.select(ids: [1])
        let both = [subject(1, x: 0.2), subject(2, x: 0.6)]
        #expect(selection.pick(from: both, now: 0).primary == 1)
        #expect(selection.pick(from: [both[1]], now: 9.9).primary == nil)
        let pick = selection.pick(from: [both[1]], now: 10)
        #expect(pick.event == .selectionLost)
        #expect(pick.primary == 2)
        #expect(selection.selected.isEmpty)
        #expect(selection.pick(from: [both[1]], now: 10.1).event == nil)
    }

    @Test func `a selection that was never there is lost after ten seconds too`() {
        var selection = SubjectSelection()
        selection.select(ids: [99])
        #expect(selection.pick(from: [], now: 50).event == nil)
        #expect(selection.pick(from: [], now: 59.9).event == nil)
        #expect(selection.pick(from: [], now: 60.1).event == .selectionLost)
    }

    @Test func `of several selected the most salient is primary`() {
        var selection = SubjectSelection()
        selection.select(ids: [2, 3])
        let subjects = [
            subject(1, x: 0.5, salience: 0.9), subject(2, x: 0.3, salience: 0.2), subject(3, x: 0.6, salience: 0.6),
        ]
        var primary: Int?
        for step in 0...20 { primary = selection.pick(from: subjects, now: Double(step) / 10).primary }
        #expect(primary == 3)
        #expect(selection.isSelected(2) && !selection.isSelected(1))
    }

    @Test func `the automatic choice is the most salient and does not flip back and forth`() {
        var selection = SubjectSelection()
        var changes = 0, last: Int?
        for step in 0..<300 {
            let swing = step % 10 < 5 ? 0.5 : 0.9
            let pick = selection.pick(
                from: [subject(1, x: 0.3, salience: 0.6), subject(2, x: 0.6, salience: swing)], now: Double(step) / 10)
            if pick.primary != last { changes += 1 }
            last = pick.primary
        }
        #expect(changes == 1)
    }

    @Test func `a person who is clearly better for longer than a second and a half is chosen`() {
        var selection = SubjectSelection()
        var changed: Seconds?
        for step in 0..<100 {
            let now = Double(step) / 10
            let pick = selection.pick(
                from: [subject(1, x: 0.3, salience: 0.4), subject(2, x: 0.6, salience: now < 2 ? 0.2 : 0.8)], now: now)
            if pick.primary == 2, changed == nil { changed = now }
        }
        #expect(isClose(changed ?? 0, 3.6, 0.06))
    }

    @Test func `a person who is gone is waited for one second before another is chosen`() {
        var selection = SubjectSelection()
        let other = subject(2, x: 0.7, salience: 0.3)
        #expect(selection.pick(from: [subject(1, x: 0.4), other], now: 0).primary == 1)
        #expect(selection.pick(from: [other], now: 0.9).primary == nil)
        #expect(selection.pick(from: [subject(1, x: 0.4), other], now: 0.95).primary == 1)
        #expect(selection.pick(from: [other], now: 1.5).primary == nil)
        #expect(selection.pick(from: [other], now: 2).primary == 2)
    }

    @Test func `a new subject where the followed one is lost replaces it, until that one is seen again`() {
        func look(_ id: Int, x: Double, born: Double, now: Double, width: Double = 0.1, coasting: Bool = false)
            -> TrackedSubject
        {
            TrackedSubject(
                id: id, rect: Rect(center: Point(x: x, y: 0.5), width: width, height: 2 * width), age: now - born,
                lastSeen: coasting ? 1 : now, coasting: coasting, salience: 0.5)
        }
        for (width, before, expected) in [(0.1, 1.05, 2), (0.1, 0.9, 1), (0.3, 1.05, 1)] {
            var selection = SubjectSelection()
            #expect(selection.pick(from: [look(1, x: 0.3, born: 0, now: 1)], now: 1).primary == 1)
            let now = 1.15
            let there = [
                look(1, x: 0.3, born: 0, now: now, coasting: true),
                look(2, x: 0.7, born: before, now: now, width: width),
            ]
            #expect(selection.pick(from: there, now: now).primary == expected, "\(width), born at \(before)")
            for now in [1.3, 1.33] {
                let back = [look(1, x: 0.3, born: 0, now: now), look(2, x: 0.7, born: before, now: now, width: width)]
                _ = selection.pick(from: back, now: now)
            }
            #expect(selection.current == 1)
        }
    }

    @Test func `the automatic choice begins inside the region and may leave it`() {
        var selection = SubjectSelection()
        selection.region = Rect(x: 0.5, y: 0, width: 0.5, height: 1)
        let outside = subject(1, x: 0.2, salience: 0.9)
        #expect(selection.pick(from: [outside], now: 0).primary == nil)
        #expect(selection.pick(from: [outside, subject(2, x: 0.7, salience: 0.1)], now: 0.1).primary == 2)
        #expect(selection.pick(from: [outside, subject(2, x: 0.4, salience: 0.1)], now: 5).primary == 2)
    }

    @Test func `clearing returns to the automatic choice, starting with the followed person`() {
        var selection = SubjectSelection()
        let subjects = [subject(1, x: 0.2, salience: 0.5), subject(2, x: 0.6, salience: 0.6)]
        selection.select(ids: [1])
        #expect(selection.pick(from: subjects, now: 0).primary == 1)
        selection.clear()
        #expect(selection.pick(from: subjects, now: 0.1).primary == 1)
    }

    @Test func `the followed person is kept through a crossing`() {
        var scene = Scene()
        var selection = SubjectSelection()
        var primaries: Set<Int> = []
        for step in 0...60 {
            let a = 0.2 + 0.01 * Double(step), b = 0.8 - 0.01 * Double(step)
            scene.see(abs(a - b) < 0.05 ? [(a, 0.5)] : [(a, 0.5), (b, 0.5)])
            if let id = selection.pick(from: scene.tracker.subjects, now: scene.now).primary { primaries.insert(id) }
        }
        #expect(primaries.count == 1)
    }
}

extension SubjectSelectionTests {
    private func seen(_ id: Int, x: Double, born: Seconds, now: Seconds) -> TrackedSubject {
        TrackedSubject(
            id: id, rect: Rect(center: Point(x: x, y: 0.5), width: 0.1, height: 0.2), age: now - born, lastSeen: now,
            salience: 0.5)
    }

    @Test(arguments: [1, 2])
    func `a face that took over is given back when the original subject is seen twice`(
        times: Int
    ) {
        var selection = SubjectSelection(), now: Seconds = 10
        for _ in 0..<10 {
            now += 0.033
            #expect(selection.pick(from: [seen(1, x: 0.3, born: 10, now: now)], now: now).primary == 1)
        }
        let jumped = now + 0.02
        for _ in 0..<4 {
            now += 0.033
            _ = selection.pick(from: [seen(2, x: 0.7, born: jumped, now: now)], now: now)
        }
        #expect(selection.current == 2)
        // Once: a false face where the first one might be by now.
        for _ in 0..<times {
            now += 0.033
            _ = selection.pick(
                from: [seen(1, x: 0.4, born: 10, now: now), seen(2, x: 0.7, born: jumped, now: now)], now: now)
        }
        now += 0.033
        _ = selection.pick(from: [seen(2, x: 0.7, born: jumped, now: now)], now: now)
        #expect(selection.current == (times == 1 ? 2 : 1))
    }

    @Test func `of two who are equal the nearer is chosen, and keeps its place`() {
        func subjects(_ metres: (Double?, Double?), widths: (Double, Double) = (0.1, 0.1), second: Double = 0.48)
            -> [TrackedSubject]
        {
            var one = subject(1, x: 0.3), two = subject(2, x: 0.7, salience: second)
            (one.attributes.distance, two.attributes.distance) = metres
            (one.rect.width, two.rect.width) = widths
            return [one, two]
        }
        func choice(_ subjects: [TrackedSubject]) -> Int? {
            var selection = SubjectSelection()
            return selection.pick(from: subjects, now: 0).primary
        }
        #expect(choice(subjects((2, 1))) == 2)
        #expect(choice(subjects((2, 1.9))) == 1, "the difference is no more than an error")
        #expect(choice(subjects((nil, nil), widths: (0.1, 0.14))) == 2)
        #expect(choice(subjects((2, nil), widths: (0.1, 0.1))) == 1)
        #expect(choice(subjects((2, 1), second: 0.4)) == 1, "what is clearly more salient decides")
        var selection = SubjectSelection()
        #expect(selection.pick(from: subjects((1, 2)), now: 0).primary == 1)
        for now in stride(from: 0.1, through: 5, by: 0.1) {
            #expect(
                selection.pick(from: subjects((2, 1)), now: now).primary == 1, "no one is dropped for a step nearer")
        }
        selection.region = Rect(x: 0, y: 0, width: 0.5, height: 1)
        selection.reset()
        #expect(selection.pick(from: subjects((2, 1)), now: 9).primary == 1, "the other one is outside the region")
    }
    @Test func `of people whose distances are known the nearer is chosen, although the other one looks larger`() {
        /// Whether the child on the left is chosen, and not the adult on the right.
        func isChildChosen(_ child: Double?, _ adult: Double?) -> Bool {
            var tracker = Tracker(), selection = SubjectSelection(), isChild = false
            for step in 0..<30 {
                let now: Seconds = 100 + Double(step) / 15
                let faces: [(x: Double, width: Double, metres: Double?)] = [(0.35, 0.16, child), (0.65, 0.2, adult)]
                let detections = faces.map { face in
                    Detection(
                        rect: Rect(center: Point(x: face.x, y: 0.5), width: face.width, height: 1.5 * face.width),
                        score: 0.9, attributes: FaceAttributes(distance: face.metres))
                }
                tracker.update(DetectionFrame(exposure: now, detections: detections))
                let primary = selection.pick(from: tracker.subjects, now: now).primary
                isChild = tracker.subjects.contains { $0.id == primary && $0.rect.center.x < 0.5 }
            }
            return isChild
        }
        #expect(!isChildChosen(nil, nil) && !isChildChosen(1.1, nil) && !isChildChosen(nil, 1.5), "the size decides")
        #expect(isChildChosen(1.1, 1.5) && !isChildChosen(1.5, 1.1))
        var scale = NearnessScale()
        scale.add(size: 0.3, distance: 100)
        #expect(scale.size(0.3, distance: 100) == 0.3 && scale.size(0.1, distance: nil) == 0.1)
        #expect(scale.size(0.1, distance: 1) == 0.2, "a wrong distance counts only in part")
    }
}
