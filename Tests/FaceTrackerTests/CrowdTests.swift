import Geometry
import Testing

@testable import FaceTracker

/// What keeps identities apart in a crowd that a moving camera films.
@Suite struct CrowdTests {
    /// Places of people who stand, less than half a size apart from where a neighbour is after the camera has moved.
    private static let places: [(x: Double, y: Double)] = [(0.15, 0.5), (0.3, 0.42), (0.45, 0.55), (0.7, 0.48)]

    private func shifted(_ places: [(x: Double, y: Double)], _ dx: Double) -> [(x: Double, y: Double)] {
        places.map { ($0.x + dx, $0.y) }
    }

    @Test(arguments: [7.0, 15, 30])
    func `when the camera jerks, all keep their ids, also one who is not seen at that moment`(rate: Double) {
        var scene = Scene(framesPerSecond: rate)
        for _ in 0..<Int(2 * rate) { scene.see(Self.places) }
        let ids = Self.places.map { scene.id(at: $0.x, $0.y) }
        #expect(Set(ids.compactMap { $0 }).count == 4)
        // The third person is hidden while the camera turns by more than the width of a head.
        var visible = Self.places
        visible.remove(at: 2)
        scene.see(visible)
        for _ in 0..<3 { scene.see(shifted(visible, 0.13)) }
        for _ in 0..<3 { scene.see(shifted(Self.places, 0.13)) }
        let after = Self.places.map { scene.id(at: $0.x + 0.13, $0.y) }
        #expect(after == ids, "\(after) instead of \(ids)")
    }

    @Test func `while the camera turns steadily, a person who is not seen is expected where the camera has turned`() {
        var scene = Scene(framesPerSecond: 20)
        for _ in 0..<40 { scene.see(Self.places) }
        let id = scene.id(at: 0.45, 0.55)
        var visible = Self.places
        visible.remove(at: 2)
        for step in 1...6 { scene.see(shifted(visible, 0.045 * Double(step))) }
        for _ in 0..<3 { scene.see(shifted(Self.places, 0.27)) }
        #expect(id != nil && scene.id(at: 0.72, 0.55) == id)
    }

    /// A shift of all would carry away the two who stand.
    @Test func `two people who start to walk in the same direction are not a moving camera`() {
        var scene = Scene(framesPerSecond: 15)
        let standing = [(x: 0.15, y: 0.3), (x: 0.2, y: 0.7), (x: 0.35, y: 0.3)]
        for _ in 0..<30 { scene.see(standing + [(0.5, 0.5), (0.65, 0.55)]) }
        for step in 1...15 {
            let walked = 0.02 * Double(step)
            // One of those who stand is not seen.
            scene.see(Array(standing.dropLast()) + [(0.5 + walked, 0.5), (0.65 + walked, 0.55)])
            let hidden = scene.tracker.subjects.first { $0.coasting && abs($0.rect.center.y - 0.3) < 0.05 }
            if let hidden { #expect(abs(hidden.rect.center.x - 0.35) < 0.03, "\(hidden.rect.center.x)") }
        }
        #expect(Set(scene.tracker.subjects.map(\.id)).count >= 4)
    }

    /// After half a second, a person who was walking may be anywhere near. Another person who appears is not that one.
    @Test func `who appears far beside the path of a lost person gets a new id, who appears on it the old one`() {
        func appears(at x: Double, _ y: Double) -> (old: Int?, new: Int?) {
            var scene = Scene(framesPerSecond: 15)
            for step in 0..<45 { scene.see([(0.4 + 0.006 * Double(step), 0.5), (0.9, 0.2)]) }
            let old = scene.id(at: 0.664)
            for _ in 0..<9 { scene.see([(0.9, 0.2)]) }
            for _ in 0..<3 { scene.see([(x, y), (0.9, 0.2)]) }
            return (old, scene.id(at: x, y))
        }
        let same = appears(at: 0.66 + 0.05, 0.5), other = appears(at: 0.66 - 0.22, 0.5)
        #expect(same.old != nil && same.new == same.old, "\(same)")
        #expect(other.new != nil && other.new != other.old, "\(other)")
    }

    @Test func `the scene shows how long people keep their velocity`() {
        /// A person whose place is given; the persistence that is learnt from 40 s.
        func persistence(_ place: (Double) -> Double) -> Double {
            let options = TrackerOptions()
            func seen(_ time: Double) -> Detection {
                Detection(rect: Rect(center: Point(x: place(time), y: 0.5), width: 0.05, height: 0.15), score: 0.9)
            }
            var prior = MotionPrior(options)
            var tracks = [Track(seen(0), at: 0, prior: prior, options: options)]
            tracks[0].id = 1
            for step in 1...600 {
                let time = Double(step) / 15
                tracks[0].predict(1.0 / 15, shift: .zero, prior: prior, options: options)
                tracks[0].update(seen(time), at: time, options: options)
                prior.learn(from: &tracks, at: time, elapsed: 1.0 / 15)
            }
            return prior.persistence
        }
        let straight = persistence { 0.1 + 0.1 * $0 },
            turning = persistence { 0.5 + 0.1 * abs($0.remainder(dividingBy: 2)) }
        #expect(straight > 3 && turning < 2.5, "\(straight) \(turning)")
    }

    /// A detector of bodies also finds trunks and legs.
    @Test func `a rectangle inside a subject's is no second person`() {
        var tracker = Tracker(), now = 100.0
        for step in 0..<40 {
            now += 1.0 / 15
            var found = [Detection(rect: Rect(x: 0.4, y: 0.2, width: 0.2, height: 0.6), score: 0.95)]
            if step > 10 { found.append(Detection(rect: Rect(x: 0.42, y: 0.25, width: 0.15, height: 0.3), score: 0.9)) }
            tracker.update(DetectionFrame(exposure: now, detections: found))
        }
        #expect(tracker.subjects.map(\.id) == [1])
    }
}
