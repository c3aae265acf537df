import ControlProtocol
import Geometry
import Testing

@testable import ThingFinder

/// The arrow to a thing that the picture does not show, and how often the screen gets something.
@Suite struct DrawingTests {
    private static let cat = RoomRecording.roomA.thing("cat")

    private func pointer(_ pan: Double, _ tilt: Double, name: String = "cup") -> FinderArrow? {
        FinderArrow(way: .degrees(pan: pan, tilt: tilt), mark: "=", name: name, colour: .green)
    }

    @Test func `an arrow says where to turn, and how far`() throws {
        let right = try #require(pointer(64, 0)), left = try #require(pointer(-120, 5))
        let up = try #require(pointer(2, 40))
        #expect(right.text == "→ = cup 64°" && left.text == "← = cup 120°" && up.text == "↑ = cup 40°")
        #expect(right.point.x > 0.8 && abs(right.point.y - 0.5) < 1e-9)
        #expect(left.point.x < 0.05 && up.point.y < 0.15 && abs(up.point.x - 0.525) < 1e-9)
        let corners = [(30.0, -30.0), (-30, -30), (-30, 30), (30, 30)].compactMap { pointer($0, $1)?.text.first }
        #expect(corners == ["↘", "↙", "↖", "↗"])
        #expect(pointer(0, -50)?.text.first == "↓" && pointer(0, 0) == nil && pointer(.nan, 0) == nil)
    }

    @Test func `an arrow is whole on a screen of 80 columns, whatever its thing is called`() throws {
        for pan in stride(from: -180.0, through: 180, by: 15) {
            for tilt in stride(from: -60.0, through: 60, by: 15) where pan != 0 || tilt != 0 {
                let arrow = try #require(pointer(pan, tilt, name: String(repeating: "long ", count: 30)))
                #expect(arrow.point.x >= 0.02 && arrow.point.x + Double(arrow.text.count) / 80 < 0.981)
                #expect((0.1...0.85).contains(arrow.point.y) && arrow.text.utf8.count <= 80)
            }
        }
        let item = try #require(pointer(64, 0)).item
        #expect(item.kind == .label && item.colour == .green && item.text == "→ = cup 64°")
        // The daemon accepts it.
        #expect(try LayerItem(json: item.json(in: .picture), in: .picture).text == item.text)
    }

    @Test func `a found thing that leaves the picture has an arrow, and one in the picture has none`() throws {
        var bench = SearchBench(find: try Wish("cat"), from: .zero, wanted: Self.cat) { $0.stays = true }
        #expect(bench.finder.arrow == nil)
        bench.run { $0.found != nil && $0.head.rate == 0 }
        #expect(bench.finder.phase == .found && bench.finder.arrow == nil)
        let away = PanTilt.degrees(pan: -40, tilt: 10)
        bench.send(.head(HeadPose(time: bench.now, pose: away, rate: 0)))
        let arrow = try #require(bench.finder.arrow)
        #expect(arrow.text.hasPrefix("← = cat 8") && arrow.colour == .green, "\(arrow.text)")
    }

    @Test func `on the way to where a thing is remembered, an arrow says where that is`() throws {
        var first = SearchBench(find: try Wish("cat"), from: .zero, wanted: Self.cat)
        first.run()
        let kept = first.actions.compactMap { if case .remember(let thing) = $0.1 { thing } else { nil } }
        let memory = try #require(kept.last)
        var back = SearchBench(find: try Wish("cat"), from: .zero, wanted: Self.cat) {
            ($0.memory, $0.onlyMemory) = (memory, true)
        }
        back.run(most: 1) { $0.finder.arrow != nil }
        let arrow = try #require(back.finder.arrow)
        #expect(arrow.text.hasPrefix("← ? cat 12") && arrow.colour == .yellow, "\(arrow.text)")
        back.run { $0.found != nil }
        #expect(back.finder.arrow == nil)
    }

    @Test func `what has not changed is seldom sent, and what has changed soon`() throws {
        var bench = SearchBench(find: try Wish("cat"), from: Self.cat.bearing, wanted: Self.cat) { $0.stays = true }
        var drawing = FinderDrawing(), empty = FinderDrawing()
        let nothing = empty.next(bench.finder, now: bench.now)
        #expect(nothing == nil, "there is nothing to draw, and nothing on the screen")
        bench.run { $0.finder.phase == .found && $0.head.rate == 0 }
        let first = drawing.next(bench.finder, now: bench.now), begun = bench.now
        #expect(first?.boxes.contains { $0.state == .found } == true)
        // Three seconds, in which nothing moves.
        var times: [Seconds] = []
        while bench.now < begun + 3 {
            bench.advance()
            if drawing.next(bench.finder, now: bench.now) != nil { times.append(bench.now) }
        }
        #expect((8...20).contains(times.count), "\(times.count)")
        let gaps = zip([begun] + times, times).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 < FinderDrawing.shown - 0.1 && $0 > FinderDrawing.period - 0.001 })
        // When everything vanishes, that is sent once.
        bench.send(.interrupted("hand"))
        bench.run(most: 0.6) { _ in false }
        let last = drawing.next(bench.finder, now: bench.now), after = drawing.next(bench.finder, now: bench.now + 1)
        #expect(last?.boxes.isEmpty == true && last?.arrow == nil && after == nil)
    }
}
