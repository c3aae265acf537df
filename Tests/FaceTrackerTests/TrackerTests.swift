import FaceTracker
import Geometry
import TestSupport
import Testing

/// A tracker in a synthetic scene: heads of a tenth of the image, a detector's noise, time by frame rate.
struct Scene {
    var tracker = Tracker()
    var now: Seconds = 100
    var random = Seeded(7)
    let period: Seconds

    init(framesPerSecond: Double = 15) { period = 1 / framesPerSecond }

    /// One frame with faces at these centres.
    mutating func see(
        _ centers: [(x: Double, y: Double)], score: Double = 0.9, noise: Double = 0.03, shift: PictureShift = .zero
    ) {
        now += period
        let faces = centers.shuffled(using: &random).map { center in
            let width = 0.1 * (1 + noise * random.normal())
            return Detection(
                rect: Rect(
                    center: Point(
                        x: center.x + 0.1 * noise * random.normal(), y: center.y + 0.17 * noise * random.normal()),
                    width: width, height: 1.7 * width),
                score: score)
        }
        tracker.update(DetectionFrame(exposure: now, detections: faces), cameraShift: shift)
    }

    /// The id of the subject nearest to a point.
    func id(at x: Double, _ y: Double = 0.5) -> Int? {
        tracker.subjects.min { abs($0.rect.center.x - x) < abs($1.rect.center.x - x) }
            .flatMap { abs($0.rect.center.x - x) < 0.06 && abs($0.rect.center.y - y) < 0.1 ? $0.id : nil }
    }
}

@Suite struct TrackerTests {
    @Test func `a subject is created by two hits, or at once by a high score`() {
        var scene = Scene(framesPerSecond: 10)
        scene.see([(0.3, 0.5)], score: 0.75)
        #expect(scene.tracker.subjects.isEmpty)
        scene.see([(0.3, 0.5)], score: 0.75)
        #expect(scene.tracker.subjects.map(\.id) == [1])
        scene.see([(0.3, 0.5), (0.7, 0.5)], score: 0.9)
        #expect(scene.tracker.subjects.map(\.id) == [1, 2])
    }

    @Test func `at high frame rates a high score also waits for its second hit`() {
        var scene = Scene(framesPerSecond: 30)
        for _ in 0..<20 { scene.see([]) }
        scene.see([(0.3, 0.5)], score: 0.95)
        #expect(scene.tracker.subjects.isEmpty)
        scene.see([(0.3, 0.5)], score: 0.95)
        #expect(scene.tracker.subjects.count == 1)
    }

    @Test func `scores below acquire never create a subject and below hold never continue one`() {
        var scene = Scene()
        for _ in 0..<30 { scene.see([(0.3, 0.5)], score: 0.69) }
        #expect(scene.tracker.subjects.isEmpty)
        for _ in 0..<3 { scene.see([(0.3, 0.5)], score: 0.9) }
        for _ in 0..<10 { scene.see([(0.3, 0.5)], score: 0.55) }
        #expect(scene.tracker.subjects.map(\.coasting) == [false])
        scene.see([(0.3, 0.5)], score: 0.45)
        #expect(scene.tracker.subjects.map(\.coasting) == [true])
    }

    @Test(arguments: [7.0, 10, 15, 30])
    func `a walking person who is missed now and then keeps the id`(rate: Double) {
        var scene = Scene(framesPerSecond: rate)
        var ids: Set<Int> = []
        for step in 0..<Int(8 * rate) {
            let t = Double(step) / rate
            let x = 0.2 + 1.2 * abs(t / 6 - (t / 6).rounded())  // turns back at once after three seconds
            let isMissed = step > 5 && Double.random(in: 0..<1, using: &scene.random) < 0.15
            scene.see(isMissed ? [] : [(x, 0.5)])
            ids.formUnion(scene.tracker.subjects.map(\.id))
        }
        #expect(ids == [1])
    }

    @Test(arguments: [7.0, 15, 30])
    func `two people who cross keep their ids although one is hidden meanwhile`(rate: Double) {
        var scene = Scene(framesPerSecond: rate)
        var left: Int?, right: Int?
        for step in 0...Int(4 * rate) {
            let t = Double(step) / rate
            let a = 0.2 + 0.15 * t, b = 0.8 - 0.15 * t
            scene.see(abs(a - b) < 0.06 ? [(a, 0.5)] : [(a, 0.5), (b, 0.5)])
            if step == Int(rate) { (left, right) = (scene.id(at: a), scene.id(at: b)) }
        }
        #expect(left != nil && right != nil && left != right)
        #expect(scene.id(at: 0.8) == left)
        #expect(scene.id(at: 0.2) == right)
    }

    @Test func `a person who stands hidden for a second gets the old id again`() {
        var scene = Scene()
        for _ in 0..<15 { scene.see([(0.3, 0.5), (0.7, 0.5)]) }
        let id = scene.id(at: 0.3)
        for _ in 0..<15 { scene.see([(0.7, 0.5)]) }
        #expect(scene.tracker.subjects.map(\.coasting) == [false])
        for _ in 0..<2 { scene.see([(0.32, 0.5), (0.7, 0.5)]) }
        #expect(id != nil && scene.id(at: 0.32) == id)
    }

    @Test func `a person who walks on while hidden for a second gets the old id again`() {
        var scene = Scene()
        for step in 0..<15 { scene.see([(0.2 + 0.01 * Double(step), 0.5)]) }
        for _ in 0..<15 { scene.see([]) }
        for step in 30..<33 { scene.see([(0.2 + 0.01 * Double(step), 0.5)]) }
        #expect(scene.tracker.subjects.map(\.id) == [1])
    }

    @Test func `an extrapolated subject is marked, moves on, and is not reported for long`() {
        var scene = Scene()
        for step in 0..<15 { scene.see([(0.2 + 0.01 * Double(step), 0.5)], noise: 0.01) }
        let seen = scene.tracker.subjects.first
        scene.see([])
        let coasting = scene.tracker.subjects.first
        #expect(seen?.coasting == false && seen?.measured != nil)
        #expect(coasting?.coasting == true && coasting?.measured == nil)
        #expect((coasting?.rect.center.x ?? 0) > (seen?.rect.center.x ?? 1))
        #expect(isClose(seen?.velocity.x ?? 0, 0.15, 0.04))
        for _ in 0..<10 { scene.see([]) }
        #expect(scene.tracker.subjects.isEmpty)
    }

    @Test func `ids are never reused, even after a reset`() {
        var scene = Scene()
        var ids: [Int] = []
        for round in 0..<10 {
            for _ in 0..<3 { scene.see([(0.3, 0.5)]) }
            ids += scene.tracker.subjects.map(\.id)
            if round % 2 == 0 { scene.tracker.reset() } else { for _ in 0..<45 { scene.see([]) } }
        }
        #expect(ids == Array(1...10))
    }

    @Test func `false faces all over the image create few subjects and take no id`() {
        var scene = Scene()
        var others: Set<Int> = []
        for step in 0..<300 {
            let t = Double(step) / 15
            let turn = t.truncatingRemainder(dividingBy: 8) / 8
            let x = 0.35 + 0.6 * min(turn, 1 - turn)
            var faces = [(x, 0.5)]
            if Double.random(in: 0..<1, using: &scene.random) < 0.15 {
                faces.append(
                    (Double.random(in: 0...1, using: &scene.random), Double.random(in: 0...1, using: &scene.random)))
            }
            scene.see(faces, score: 0.8)
            others.formUnion(scene.tracker.subjects.map(\.id))
            if step > 5 { #expect(scene.id(at: x) == 1) }
        }
        #expect(others.count <= 4)
    }

    @Test func `dropped frames do no harm`() {
        var scene = Scene(framesPerSecond: 30)
        for step in 0..<200 {
            let x = 0.2 + 0.002 * Double(step)
            if step % 7 == 3 || (60..<70).contains(step) {
                scene.now += scene.period
            } else {
                scene.see([(x, 0.5)])
            }
            if step > 3, let subject = scene.tracker.subjects.first { #expect(subject.id == 1) }
        }
        #expect(scene.tracker.subjects.map(\.id) == [1])
    }

    @Test(arguments: [10.0, 30])
    func `a camera that turns at 100 degrees per second loses no person when the shift is known`(rate: Double) {
        var scene = Scene(framesPerSecond: rate)
        let perFrame = 100 / 66 / rate  // image widths
        var camera = 0.0
        for step in 0..<Int(3 * rate) {
            let isTurning = Int(Double(step) / rate * 2) % 2 == 1
            let shift = isTurning ? -perFrame : 0
            camera -= shift
            let seen = (-4...40).map { (x: 0.1 + 0.3 * Double($0) - camera, y: 0.5) }.filter { 0...1 ~= $0.x }
            let before = scene.tracker.subjects
            scene.see(seen, shift: PictureShift(dx: shift, dy: 0))
            for subject in scene.tracker.subjects where !subject.coasting {
                guard let old = before.first(where: { $0.id == subject.id }) else { continue }
                #expect(abs(subject.rect.center.x - old.rect.center.x - shift) < 0.06)
            }
        }
        let longest = scene.tracker.subjects.map(\.age).max() ?? 0
        #expect(longest > 0.5)
    }

    @Test func `a whole-frame shift leaves every id where it belongs`() {
        var scene = Scene(framesPerSecond: 10)
        let world = [0.15, 0.35, 0.55, 0.75]
        for _ in 0..<10 { scene.see(world.map { ($0, 0.5) }) }
        let before = world.map { scene.id(at: $0) }
        scene.see(world.map { ($0 + 0.2, 0.5) }, shift: PictureShift(dx: 0.2, dy: 0))  // exactly where the next one was
        #expect(world.map { scene.id(at: $0 + 0.2) } == before)
        #expect(scene.tracker.subjects.allSatisfy { abs($0.velocity.x) < 0.1 })
    }

    @Test func `two boxes of one face are one subject`() {
        var tracker = Tracker()
        for step in 0..<20 {
            let rect = Rect(x: 0.4, y: 0.3, width: 0.1, height: 0.17)
            tracker.update(
                DetectionFrame(
                    exposure: Double(step) / 15,
                    detections: [Detection(rect: rect), Detection(rect: rect.offset(dx: 0.01, dy: 0.005))]))
        }
        #expect(tracker.subjects.map(\.id) == [1])
    }

    @Test func `a kept subject is remembered for ten seconds`() {
        for isKept in [true, false] {
            var scene = Scene()
            for _ in 0..<15 { scene.see([(0.3, 0.5)]) }
            scene.tracker.keep(isKept ? [1] : [])
            for _ in 0..<75 { scene.see([]) }
            for _ in 0..<3 { scene.see([(0.33, 0.5)]) }
            #expect(scene.tracker.subjects.map(\.id) == [isKept ? 1 : 2])
        }
    }

    @Test func `salience ranks start at 1 and put the large and central before the small and far`() {
        var tracker = Tracker()
        for step in 0..<30 {
            tracker.update(
                DetectionFrame(
                    exposure: Double(step) / 10,
                    detections: [
                        Detection(rect: Rect(x: 0.02, y: 0.02, width: 0.05, height: 0.08)),
                        Detection(rect: Rect(x: 0.4, y: 0.3, width: 0.2, height: 0.35)),
                        Detection(rect: Rect(x: 0.7, y: 0.3, width: 0.1, height: 0.17)),
                    ]))
        }
        let ranked = tracker.subjects.sorted { ($0.salienceRank ?? 0) < ($1.salienceRank ?? 0) }
        #expect(ranked.map(\.salienceRank) == [1, 2, 3])
        #expect(ranked.map(\.rect.width).map { ($0 * 100).rounded() } == [20, 10, 5])
        #expect(tracker.subjects.map(\.id) == [1, 2, 3])
    }

    @Test func `invalid rectangles, and times that stand still or jump, never trap`() {
        var tracker = Tracker()
        let odd = [0, -1, .nan, .infinity, 1e-300, 1e300, -.infinity, 0.5]
        var random = Seeded(5)
        for _ in 0..<3000 {
            func number() -> Double { odd.randomElement(using: &random) ?? 0 }
            let faces = (0..<4).map { _ in
                Detection(rect: Rect(x: number(), y: number(), width: number(), height: number()), score: number())
            }
            tracker.update(
                DetectionFrame(exposure: Bool.random(using: &random) ? 1 : number(), detections: faces),
                cameraShift: PictureShift(dx: number(), dy: number(), uncertainty: number()))
        }
        #expect(tracker.subjects.allSatisfy { $0.rect.x.isFinite })
    }

    @Test func `a thousand faces are tracked, each with its own id`() {
        var tracker = Tracker()
        for step in 0..<4 {
            let drift = 0.001 * Double(step)
            let faces = (0..<1000).map { index in
                let x = Double(index % 40) / 40 + drift, y = Double(index / 40) / 25
                return Detection(rect: Rect(x: x, y: y, width: 0.02, height: 0.03))
            }
            tracker.update(DetectionFrame(exposure: Double(step) / 10, detections: faces))
        }
        #expect(tracker.subjects.map(\.id) == Array(1...1000))
    }
}
