import Codecs
import DockTestKit
import Geometry
import Testing

@testable import DepthStream

@Suite struct DistanceTests {
    @Test(arguments: [0, 0.3, 0.6])
    func `the distance of a head is right to 3 % and 2 cm, or there is none`(holes: Double) throws {
        var dice = Dice(UInt64(holes * 10) + 1), missing = 0, errors: [Double] = []
        for head in [0.35, 0.5, 0.8, 1.2, 1.8, 2.4, 3.0] {
            for unit in [DepthUnit.millimetres, .fiveMetres] {
                for _ in 0..<6 {
                    var scene = DepthScene(head: head, wall: head + Double.random(in: 0.6...2.5, using: &dice))
                    (scene.x, scene.y) = (
                        Double.random(in: -0.2...0.2, using: &dice) * head,
                        Double.random(in: -0.1...0.1, using: &dice) * head
                    )
                    (scene.holes, scene.unit) = (holes, unit)
                    let map = try #require(scene.map(&dice)), box = scene.box(off: 0.08, &dice)
                    let look = FaceDistance(in: map, box: box)
                    guard let metres = look.metres else {
                        missing += 1
                        #expect(look.share < FaceDistance.leastShare)
                        continue
                    }
                    errors.append(metres - head)
                    #expect(abs(metres - head) <= 0.03 * head + 0.02, "\(metres) instead of \(head)")
                }
            }
        }
        // Holes of 8 pixels hide a small head now and then.
        #expect(missing <= (holes > 0.5 ? 40 : 12))
        let mean = errors.reduce(0, +) / Double(errors.count)
        #expect(abs(mean) < 0.015, "the mean error is \(mean)")
    }

    @Test func `too little that was measured is no distance, and neither is what is too far`() throws {
        func look(_ sample: (Int) -> UInt16) throws -> FaceDistance {
            let samples = (0..<64 * 64).map(sample)
            let picture = try #require(DepthPicture(width: 64, height: 64, samples: samples))
            return FaceDistance(in: DepthMap(picture, unit: .millimetres), box: .full)
        }
        #expect(try look { $0 % 10 < 3 ? 1000 : 0 }.metres == 1)
        #expect(try look { $0 % 100 < 28 ? 1000 : 0 }.metres == nil)
        #expect(try look { $0 % 10 < 6 ? 65_535 : 1000 }.metres == nil)
        // Saturated samples are farther than any other, and are never part of a mean.
        #expect(try look { $0 % 10 < 4 ? 65_535 : 1000 }.metres == 1)
        #expect(try look { _ in 0 } == FaceDistance(in: DepthMap(empty(), unit: .millimetres), box: .full))
    }

    private func empty() throws -> DepthPicture {
        try #require(DepthPicture(width: 64, height: 64, samples: [UInt16](repeating: 0, count: 64 * 64)))
    }

    @Test func `a box that is nowhere, or no box, gives no distance`() throws {
        var dice = Dice(2)
        let map = try #require(DepthScene().map(&dice))
        for box in [
            Rect(x: 2, y: 0, width: 1, height: 1), Rect(x: 0, y: 0, width: 0, height: 1),
            Rect(x: 0, y: 0, width: -1, height: -1),
            Rect(x: .nan, y: 0, width: 1, height: 1), Rect(x: 0, y: 0, width: .infinity, height: 1),
        ] { #expect(FaceDistance(in: map, box: box).metres == nil) }
        // A tiny one is one pixel, and one that is cut by the edge is what is left of it.
        #expect(FaceDistance(in: map, box: Rect(x: 0.5, y: 0.5, width: 1e-9, height: 1e-9)).metres != nil)
        #expect(FaceDistance(in: map, box: Rect(x: 0.8, y: 0.8, width: 0.3, height: 0.3)).metres != nil)
    }

    // MARK: over time

    @Test(arguments: [0.25, 0.4, 0.6, 0.75], [0.06, 0.12])
    func `a hand in front of the face is never taken for it`(share: Double, radius: Double) throws {
        var dice = Dice(4), range = FaceRange(focal: DepthScene.share), now = 0.0
        for look in 0..<90 {
            var scene = DepthScene(head: 1.2)
            scene.holes = 0.2
            if (30..<60).contains(look) { scene.hand = (1.2 * share, radius * share + 0.02) }
            let map = try #require(scene.map(&dice)), box = scene.box(off: 0.05, &dice)
            let found = range.update(map, box: box, now: now), estimate = try #require(found)
            #expect(abs(estimate.metres - 1.2) < 0.03 * 1.2 + 0.02, "\(estimate) in look \(look)")
            if scene.hand == nil { #expect(!estimate.isHeld) }
            now += 1.0 / 30
        }
    }

    @Test func `a hidden face has its last distance for a while, with more and more doubt`() throws {
        var range = FaceRange(), last = 0.0
        let start = range.update(1, width: 0.15, now: 0), first = try #require(start)
        #expect(!first.isHeld)
        for now in stride(from: 0.1, through: 1.9, by: 0.1) {
            let found = range.update(0.5, width: 0.15, now: now), estimate = try #require(found)
            #expect(estimate.metres == 1 && estimate.isHeld && estimate.deviation > max(last, first.deviation))
            last = estimate.deviation
        }
        #expect(range.update(0.5, width: 0.15, now: 2.1) == nil)
        #expect(range.update(1.02, width: 0.15, now: 3)?.isHeld == false)
    }

    @Test func `a hand that is there first is refused by its size, or forgotten when it leaves`() throws {
        var range = FaceRange(focal: 0.87)
        #expect(range.update(0.4, width: 0.1, now: 0) == nil)
        #expect(range.update(1.3, width: 0.1, now: 0.1)?.metres == 1.3)
        // Without a known lens, the first value can only be believed, until a farther one shows what it was.
        var blind = FaceRange()
        #expect(blind.update(0.4, width: 0.1, now: 0)?.metres == 0.4)
        #expect(blind.update(1.3, width: 0.1, now: 0.1)?.metres == 1.3)
        #expect(blind.update(0.4, width: 0.1, now: 0.2)?.metres == 1.3)
    }

    @Test func `a person who walks or turns the head keeps a distance`() throws {
        var range = FaceRange(focal: 0.87)
        for look in 0..<100 {
            let now = Double(look) / 10, metres = 2 - 0.012 * Double(look)
            // A head that turns has a narrower box.
            let width = 0.87 * 0.15 / metres * (look % 40 > 20 ? 0.87 : 1)
            #expect(range.update(metres, width: width, now: now)?.metres == metres)
        }
    }

    @Test func `a wrong first value is forgotten after five seconds without the face`() {
        var range = FaceRange()
        _ = range.update(2.4, width: 0.1, now: 0)
        #expect(range.update(1.2, width: 0.1, now: 1)?.metres == 2.4)
        #expect(range.update(1.2, width: 0.1, now: 4) == nil)
        #expect(range.update(1.2, width: 0.1, now: 5.1)?.metres == 1.2)
    }
}

/// The faces of the daemon's frames, measured in the depth pictures that belong to them.
@Suite struct FaceMeasureTests {
    private typealias Face = FaceMeasure.Face

    @Test(arguments: [0, 90, 180, 270], [false, true])
    func `a face is measured where the frame shows it, turned and magnified or not`(
        rotate: Int, mirrored: Bool
    ) throws {
        var dice = Dice(7)
        for zoom in [1.0, 1.6] {
            var scene = DepthScene(head: 1.4, wall: 3)
            (scene.x, scene.y) = (0.12, -0.06)
            let map = try #require(scene.map(&dice)), inDepth = scene.box(&dice)
            var view = DepthView()
            (view.rotate, view.isMirrored, view.zoom) = (rotate, mirrored, zoom)
            let frame = Self.upright(inDepth, view)
            let back = view.inDepth(frame)
            #expect(abs(back.x - inDepth.x) < 1e-9 && abs(back.maxY - inDepth.maxY) < 1e-9)
            var measure = FaceMeasure()
            measure.add(map, exposure: 5)
            let focal = DepthScene.share * zoom * (rotate % 180 == 0 ? 1 : 4.0 / 3)
            let found = measure.measure([Face(id: 3, rect: frame)], at: 5.001, focal: focal, view: view)
            let distance = try #require(found[3])
            #expect(abs(distance.metres - 1.4) < 0.03 * 1.4 + 0.02 && distance.source == .depth)
            #expect((distance.error ?? 1) < 0.05)
        }
    }

    /// The inverse of `DepthView.inDepth`, as the daemon turns its pictures.
    private static func upright(_ rect: Rect, _ view: DepthView) -> Rect {
        let x = view.isMirrored ? 1 - rect.x - rect.width : rect.x
        let (y, width, height) = (rect.y, rect.width, rect.height)
        let turned =
            switch view.rotate {
            case 90: Rect(x: 1 - y - height, y: x, width: height, height: width)
            case 180: Rect(x: 1 - x - width, y: 1 - y - height, width: width, height: height)
            case 270: Rect(x: y, y: 1 - x - width, width: height, height: width)
            default: Rect(x: x, y: y, width: width, height: height)
            }
        let centre = Point(
            x: 0.5 + (turned.center.x - 0.5) * view.zoom, y: 0.5 + (turned.center.y - 0.5) * view.zoom)
        return Rect(center: centre, width: turned.width * view.zoom, height: turned.height * view.zoom)
    }

    @Test func `of several people each is measured, and a hand before one is not taken for the face`() throws {
        var dice = Dice(8), measure = FaceMeasure()
        for look in 0..<60 {
            var scene = DepthScene(head: 1.5, wall: 3.5)
            if look >= 30 { scene.hand = (0.6, 0.08) }
            let map = try #require(scene.map(&dice)), now = Double(look) / 30
            measure.add(map, exposure: now)
            // The second box is on the wall, which is no face.
            let faces = [
                Face(id: 1, rect: scene.box(off: 0.05, &dice)),
                Face(id: 2, rect: Rect(x: 0.8, y: 0.1, width: 0.15, height: 0.2)),
            ]
            let found = measure.measure(faces, at: now, focal: DepthScene.share)
            let metres = try #require(found[1]?.metres)
            #expect(abs(metres - 1.5) < 0.03 * 1.5 + 0.02, "\(metres) in look \(look)")
            #expect(found[2] == nil, "a wall as wide as 60 cm")
        }
    }

    @Test func `a frame without its depth picture has no distances`() throws {
        var dice = Dice(9), measure = FaceMeasure()
        let scene = DepthScene(head: 1), map = try #require(scene.map(&dice))
        let faces = [Face(id: 1, rect: scene.box(&dice))]
        func found(_ time: Seconds) -> Bool { !measure.measure(faces, at: time, focal: DepthScene.share).isEmpty }
        #expect(!found(1), "there is no picture yet")
        for number in 0..<20 { measure.add(map, exposure: Double(number) / 30) }
        #expect(found(19.0 / 30) && found(12.0 / 30))
        #expect(!found(11.0 / 30), "only the newest eight wait")
        #expect(!found(18.5 / 30), "it is the frame of another camera")
        // Depth that was exposed more than half a picture later shows another moment.
        measure.add(map, exposure: 20.0 / 30, skew: 0.02)
        #expect(!found(20.0 / 30))
        measure.add(map, exposure: 21.0 / 30, skew: 0.005)
        #expect(found(21.0 / 30))
        measure.add(map, exposure: 0.1)
        #expect(!found(21.0 / 30) && found(0.1), "another sender has another clock")
    }

    @Test func `a lens that zooms does not make a face an occluder`() throws {
        var dice = Dice(10), measure = FaceMeasure()
        let scene = DepthScene(head: 1.2), map = try #require(scene.map(&dice)), box = scene.box(&dice)
        for (number, zoom) in [2.0, 2, 1, 1].enumerated() {
            var view = DepthView()
            view.zoom = zoom
            measure.add(map, exposure: Double(number))
            let face = Face(id: 1, rect: Self.upright(box, view))
            let found = measure.measure([face], at: Double(number), focal: DepthScene.share * zoom, view: view)
            #expect(abs((found[1]?.metres ?? 0) - 1.2) < 0.06)
        }
    }

    @Test func `the nearest thing is a hand and not a wrong pixel`() throws {
        var dice = Dice(11), scene = DepthScene(head: 1.2, wall: 3)
        let clear = try #require(scene.map(&dice)), far = try #require(NearestThing.metres(in: clear))
        #expect(abs(far - 1.2) < 0.06)
        scene.hand = (0.28, 0.04)
        scene.x = 0.1
        let hidden = try #require(scene.map(&dice)), near = try #require(NearestThing.metres(in: hidden))
        #expect(abs(near - 0.28) < 0.02)
        var samples = [UInt16](repeating: 2000, count: 100 * 100)
        for place in 0..<40 { samples[place * 97] = 100 }
        let specks = try #require(DepthPicture(width: 100, height: 100, samples: samples))
        #expect(NearestThing.metres(in: DepthMap(specks, unit: .millimetres)) == 2)
        let none = try #require(DepthPicture(width: 8, height: 8, samples: Array(repeating: 0, count: 64)))
        #expect(NearestThing.metres(in: DepthMap(none, unit: .millimetres)) == nil)
        let beyond = try #require(DepthPicture(width: 8, height: 8, samples: Array(repeating: 65_535, count: 64)))
        #expect(NearestThing.metres(in: DepthMap(beyond, unit: .millimetres)) == nil)
    }
}
