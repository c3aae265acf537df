import ControlProtocol
import Geometry
import Testing

@testable import ThingFinder

/// Where to look, and in which order.
@Suite struct SearchTests {
    static var settings: FinderSettings {
        var settings = FinderSettings(eye: RoomRecording.roomA.eye, range: RoomRecording.roomA.range)
        settings.pace = SimulatedHead.pace
        return settings
    }

    @Test func `a move takes as long as its speed and its acceleration say`() {
        let pace = HeadPace(speed: .degrees(120), acceleration: .degrees(600))
        #expect(abs(pace.time(from: .zero, to: .degrees(pan: 49, tilt: 0)) - 0.608) < 0.01)
        #expect(abs(pace.time(from: .zero, to: .degrees(pan: 0, tilt: -6)) - 0.2) < 0.001)
        #expect(pace.time(from: .zero, to: .zero) == 0)
    }

    @Test func `the places of a sweep cover the range, and those of the next one are between them`() {
        let range = Double.degrees(-170) ... .degrees(170), step = Double.degrees(54)
        let first = SearchPlan.places(range, step: step, isShifted: false)
        let second = SearchPlan.places(range, step: step, isShifted: true)
        #expect(first.count == 7 && second.count == 8 && second.first == range.lowerBound)
        for (left, right) in zip(first, first.dropFirst()) {
            #expect(right - left <= step)
            #expect(second.contains { abs($0 - (left + right) / 2) < 1e-9 })
        }
        #expect(SearchPlan.places(0...0, step: step, isShifted: true) == [0])
        #expect(SearchPlan.places(range, step: 0, isShifted: false).count <= 72)
    }

    @Test func `every place that the head can see is seen soon`() {
        var plan = SearchPlan(Self.settings), pose = PanTilt.zero, looks = 0
        while plan.map.share < 0.99, let place = plan.next(from: pose), looks < 42 {
            #expect(Self.settings.range.contains(place))
            plan.looked(at: place)
            (pose, looks) = (place, looks + 1)
        }
        #expect((15...30).contains(looks), "\(looks)")
        #expect(plan.map.share >= 0.99)
    }

    @Test func `a place that was looked at keeps what a detector may have missed`() {
        var map = SearchMap(Self.settings.range, eye: Self.settings.eye, memory: nil)
        let before = map.gain(at: .zero), all = map.left
        map.looked(at: .zero)
        #expect(abs(map.left - (all - before)) < 1e-9)
        #expect(map.gain(at: .zero) < before / 2 && map.gain(at: .zero) > 0)
        #expect(map.share > 0.05 && map.share < 0.3)
        #expect(abs(map.gain(at: .degrees(pan: 150, tilt: 0)) / before - 1) < 0.5)
    }

    @Test func `the search begins where the thing was`() throws {
        var settings = Self.settings
        let json: [String: Double] = ["pan": 2.1, "tilt": -0.2, "spread": 0.02, "width": 0.2, "height": 0.2]
        var members = json.mapValues { JSONValue.number($0) }
        for name in ["seen", "used", "certainty"] { members[name] = .number(1) }
        (members["name"], members["label"]) = (.string("cup"), .string("cup"))
        settings.memory = Remembrance(json: .object(members))
        try #require(settings.memory != nil)
        var plan = SearchPlan(settings)
        let one = plan.next(from: .zero), first = try #require(one)
        let other = plan.next(from: first), second = try #require(other)
        let place = PanTilt(pan: 2.1, tilt: -0.2)
        #expect([first, second].contains { settings.eye.shows(place, at: $0, margin: 0.1) })
    }

    @Test func `a head that does not turn looks where it can`() throws {
        var settings = Self.settings
        settings.range = PoseRange(pan: 0.1...0.1, tilt: 0...0)
        var plan = SearchPlan(settings), places: [PanTilt] = []
        while let place = plan.next(from: PanTilt(pan: 0.1, tilt: 0)), places.count < 20 {
            places.append(place)
            plan.looked(at: place)
        }
        #expect((1...6).contains(places.count) && places.allSatisfy { $0 == PanTilt(pan: 0.1, tilt: 0) })
    }

    @Test func `the order is better than row by row`() {
        // The time until half of the probability is taken.
        func half(_ places: [PanTilt]) -> Seconds {
            var map = SearchMap(Self.settings.range, eye: Self.settings.eye, memory: nil)
            var pose = PanTilt.zero, time = 0.0
            let all = map.left
            for place in places {
                time += SimulatedHead.pace.time(from: pose, to: place) + SearchPlan.lookTime
                pose = place
                map.looked(at: place)
                if map.left <= all / 2 { return time }
            }
            return .infinity
        }
        var plan = SearchPlan(Self.settings), greedy: [PanTilt] = []
        while let place = plan.next(from: greedy.last ?? .zero), plan.sweep < 3 {
            greedy.append(place)
            plan.looked(at: place)
        }
        let rows = greedy.sorted { ($0.tilt, $0.pan) < ($1.tilt, $1.pan) }
        #expect(half(greedy) < 0.9 * half(rows), "\(half(greedy)) s, \(half(rows)) s")
    }
}
