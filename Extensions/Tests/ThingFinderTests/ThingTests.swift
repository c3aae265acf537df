import Geometry
import SpatialModel
import Testing

@testable import ThingFinder

/// Which box of which picture is which thing.
@Suite struct ThingTests {
    static let eye = RoomRecording.roomA.eye

    static func box(_ x: Double, _ y: Double = 0.5, _ label: String = "cup", width: Double = 0.1, score: Double = 0.8)
        -> SeenBox
    {
        SeenBox(label: label, rect: Rect(center: Point(x: x, y: y), width: width, height: width), score: score)
    }

    static func list(_ pictures: [[SeenBox]], at poses: [PanTilt] = []) -> ThingList {
        var list = ThingList()
        for (number, boxes) in pictures.enumerated() {
            let pose = number < poses.count ? poses[number] : .zero
            list.update(FinderView(time: Double(number) / 10, boxes: boxes), at: pose, through: eye, keeping: [])
        }
        return list
    }

    @Test func `a box that moves a little is the same thing, and one elsewhere is another`() {
        #expect(Self.list([[Self.box(0.3, width: 0.4)], [Self.box(0.32, width: 0.4)]]).all.count == 1)
        #expect(Self.list([[Self.box(0.1, 0.1)], [Self.box(0.9, 0.9)]]).all.count == 2)
    }

    @Test func `things beside each other are two things, in one picture and in turn`() {
        // Centres 0.12 of the picture apart: small things do not overlap there.
        let (a, b) = (Self.box(0.40), Self.box(0.52))
        #expect(Self.list([[a, b]]).all.count == 2)
        #expect(Self.list([[a], [b]]).all.count == 2)
        let both = Self.list([[a, b], [a, b], [a, b]]).all
        #expect(both.count == 2 && both.allSatisfy { $0.support == 3 })
    }

    @Test func `each box belongs to one thing at most`() {
        let list = Self.list([[Self.box(0.5)], [Self.box(0.49), Self.box(0.6)]])
        #expect(list.all.map(\.support) == [2, 1])
    }

    @Test func `a part of a thing that has the same label is not another thing`() throws {
        func box(_ rect: Rect, _ label: String, _ score: Double) -> SeenBox {
            SeenBox(label: label, rect: rect, score: score)
        }
        let whole = Rect(x: 0.1, y: 0.4, width: 0.6, height: 0.4)
        let part = Rect(x: 0.44, y: 0.42, width: 0.29, height: 0.39)
        for (first, second) in [(0.7, 0.6), (0.6, 0.7)] {
            let all = Self.list([[box(whole, "cat", first), box(part, "cat", second)]]).all
            let cat = try #require(all.first), place = try #require(Self.eye.bearing(of: whole.center, at: .zero))
            #expect(all.count == 1 && cat.bearing.angle(to: place) < 1e-9 && cat.labels.best { $0 == "cat" } == 0.7)
        }
        // With another label, or much smaller, it is.
        #expect(Self.list([[box(whole, "cat", 0.7), box(part, "dog", 0.6)]]).all.count == 2)
        let small = Rect(x: 0.3, y: 0.5, width: 0.1, height: 0.1)
        #expect(Self.list([[box(whole, "book", 0.7), box(small, "book", 0.6)]]).all.count == 2)
    }

    @Test func `two labels in one place are one thing, and its labels are remembered`() {
        let one = Self.list([[Self.box(0.5, 0.5, "toilet"), Self.box(0.5, 0.5, "cup", score: 0.4)]])
        #expect(one.all.count == 1 && one.all[0].labels.best { $0 == "cup" } == 0.4)
        let turn = Self.list([[Self.box(0.5)], [Self.box(0.5, 0.5, "traffic light")], [Self.box(0.5)]])
        #expect(turn.all.count == 1 && turn.all[0].labels.usual == "cup")
    }

    @Test func `a thing that pictures do not show any more is dropped, unless someone waits for it`() {
        var list = Self.list([[Self.box(0.5)]])
        let id = list.all[0].id
        for time in 1...2 {
            list.update(FinderView(time: Double(time), boxes: []), at: .zero, through: Self.eye, keeping: [])
        }
        #expect(list.all.map(\.misses) == [2])
        var kept = list
        kept.update(FinderView(time: 3, boxes: []), at: .zero, through: Self.eye, keeping: [id])
        list.update(FinderView(time: 3, boxes: []), at: .zero, through: Self.eye, keeping: [])
        #expect(list.all.isEmpty && kept.all.map(\.id) == [id])
    }

    @Test func `a picture that shows it again forgives the misses, and one of elsewhere counts none`() {
        let list = Self.list([[Self.box(0.5)], [], [Self.box(0.5)]])
        #expect(list.all[0].misses == 0 && list.all[0].lastSeen == 0.2)
        let aside = PanTilt.degrees(pan: 90, tilt: 0)
        let away = Self.list([[Self.box(0.5)], [], []], at: [.zero, aside, aside])
        #expect(away.all[0].misses == 0)
    }

    @Test func `a thing that was not seen has no place, and never an empty one`() {
        let list = Self.list([[Self.box(0.5)], [], []])
        #expect(list.all[0].box == nil && !list.all[0].isSeen(within: 9, now: 0.2))
        for pictures in 1...3 {
            let thing = Self.list([[Self.box(0.5)]] + Array(repeating: [], count: pictures - 1)).all.first
            #expect(thing?.box.map { $0.rect.area > 0 } ?? true)
        }
    }

    @Test func `a box is drawn for 0.4 seconds`() {
        let thing = AskingTests.thing(time: 1)
        #expect(thing.drawnBox(now: 1.4) != nil && thing.drawnBox(now: 1.41) == nil)
    }

    @Test func `something in front of a thing hides it, and is no miss`() {
        let front = Self.box(0.5, 0.5, "person", width: 0.8)
        let list = Self.list([[Self.box(0.5)], [front], [front]])
        let thing = list.all.first { $0.labels.usual == "cup" }
        #expect(thing?.misses == 0 && thing?.hiddenAt == 0.2)
    }

    @Test func `a thing that the edge cuts moves to its middle when it is seen whole`() throws {
        let pose = PanTilt.degrees(pan: 30, tilt: 0)
        let cut = SeenBox(label: "cup", rect: Rect(x: 0, y: 0.4, width: 0.15, height: 0.3), score: 0.7)
        var list = Self.list([[cut]], at: [pose])
        let first = try #require(list.all.first)
        #expect(first.isCut)
        let whole = SeenBox(
            label: "traffic light", rect: Rect(center: Point(x: 0.46, y: 0.55), width: 0.3, height: 0.3), score: 0.9)
        list.update(FinderView(time: 1, boxes: [whole]), at: first.bearing, through: Self.eye, keeping: [])
        let thing = try #require(list.all.first)
        #expect(list.all.count == 1 && !thing.isCut && thing.bearing.pan < first.bearing.pan)
        #expect(thing.labels.best { $0 == "cup" } == 0.7)
    }

    @Test func `the list is bounded, and keeps what someone waits for`() {
        var list = ThingList()
        let boxes = (0..<64).map { place in
            let (row, column) = (Double(place / 8), Double(place % 8))
            return Self.box(0.1 + 0.1 * column, 0.1 + 0.1 * row, "thing \(place)", width: 0.05)
        }
        for (time, pan) in [-120.0, 0, 120].enumerated() {
            let view = FinderView(time: Double(time), boxes: boxes)
            list.update(view, at: .degrees(pan: pan, tilt: 0), through: Self.eye, keeping: [1])
        }
        #expect(list.all.count == ThingList.most && list[1] != nil && list[2] == nil)
    }

    @Test func `a copy stays as it was`() {
        var list = Self.list([[Self.box(0.5)]])
        let before = list
        list[1]?.support = 9
        list[77]?.support = 9
        #expect(before.all[0].support == 1 && list.all[0].support == 9 && list.all.count == 1)
    }

    @Test func `a score counts with its neighbours`() {
        var tally = LabelTally(["cup": 0.9], time: 1, from: .zero)
        #expect(tally.median { $0 == "cup" } == 0)
        tally.add(["cup": 0.8], time: 2, from: .zero)
        #expect(tally.median { $0 == "cup" } == 0.8)
        tally.add(["toilet": 1], time: 3, from: .zero)
        #expect(tally.last { $0 == "cup" } == 2 && tally.last { $0 == "dog" } == nil && tally.usual == "cup")
        for number in 0..<20 { tally.add(["label \(number)": 0.5], time: 4, from: .zero) }
        #expect(tally.best { $0 == "label 19" } == nil)
    }

    @Test func `a thing remembers from where it was named, surest first`() {
        var tally = LabelTally(["cup": 0.6, "toilet": 0.4], time: 1, from: .zero)
        tally.add(["cup": 0.9], time: 2, from: .degrees(pan: 20, tilt: 0))
        tally.add(["toilet": 0.8], time: 3, from: .degrees(pan: 40, tilt: 0))
        #expect(tally.poses { $0 == "cup" } == [.degrees(pan: 20, tilt: 0), .zero])
        // A degree beside it is the same look, and its last score counts.
        tally.add(["cup": 0.3], time: 4, from: .degrees(pan: 21, tilt: 0))
        #expect(tally.poses { $0 == "cup" } == [.zero, .degrees(pan: 21, tilt: 0)])
        for pan in stride(from: -90.0, through: -50, by: 10) {
            tally.add(["cup": 0.5], time: 5, from: .degrees(pan: pan, tilt: 0))
        }
        let poses = tally.poses { $0 == "cup" }
        #expect(poses.count == LabelTally.mostLooks && poses.first == .zero)
        #expect(tally.poses { $0 == "dog" }.isEmpty)
    }
}
