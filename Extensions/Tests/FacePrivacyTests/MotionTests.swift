import Geometry
import Testing

@testable import FacePrivacy

@Suite struct MotionTests {
    static let fast = PanTilt.degrees(pan: -41, tilt: 0)

    @Test func `while the head turns fast, only a look at the same picture counts`() {
        var bench = Bench()
        bench.pass(0...20, rate: Self.fast)
        bench.add(Bench.look(9), Bench.look(12))
        #expect(bench.verdict(10).reason == .turning)
        #expect(bench.verdict(9).covers(Bench.face) && bench.verdict(12).covers(Bench.face))
        var slow = Bench()
        slow.pass(0...20, rate: .degrees(pan: 39, tilt: -39))
        slow.add(Bench.look(9), Bench.look(12))
        #expect(slow.verdict(10).covers(Bench.face))
    }

    @Test func `a turn between the looks counts even if the head is still in the picture itself`() {
        var bench = Bench()
        bench.pass(0...10)
        bench.pass(11...11, rate: Self.fast)
        bench.pass(12...20)
        bench.add(Bench.look(9), Bench.look(12), Bench.look(15))
        #expect(bench.verdict(10).reason == .turning && bench.verdict(13).covers(Bench.face))
    }

    @Test(arguments: [PanTilt?.none, PanTilt(pan: .nan, tilt: 0), PanTilt(pan: 0, tilt: .infinity)])
    func `an unknown turn is a fast one, unless the camera does not turn`(rate: PanTilt?) {
        let cases: [(CameraMount, CoverReason?)] = [(.head, .noPose), (.fixed, nil)]
        for (mount, reason) in cases {
            var bench = Bench { $0.mount = mount }
            bench.pass(0...20, rate: rate)
            bench.add(Bench.look(9), Bench.look(12))
            #expect(bench.verdict(10).reason == reason && bench.verdict(9).covers(Bench.face))
        }
    }

    @Test func `a camera that does not turn may be beside a fast head`() {
        var bench = Bench { $0.mount = .fixed }
        bench.pass(0...20, rate: .degrees(pan: 200, tilt: 0))
        bench.add(Bench.look(9), Bench.look(12))
        #expect(bench.verdict(10).covers(Bench.face))
    }

    @Test func `a magnified picture moves faster`() {
        var bench = Bench()
        let optics = FrameOptics(zoom: 4)
        bench.pass(0...20, rate: .degrees(pan: 11, tilt: 0), optics: optics)
        bench.add(Bench.look(9), Bench.look(12))
        #expect(bench.verdict(10, optics: optics).reason == .turning)
    }

    @Test func `while the picture zooms, only a look at the same picture counts, and earlier faces are moved`() {
        var bench = Bench()
        bench.pass(0...10)
        let near = FrameOptics(zoom: 2)
        bench.pass(11...30, optics: near)
        bench.add(Bench.look(9), Bench.look(12, [], optics: near), Bench.look(15, [], optics: near))
        #expect(bench.verdict(10).reason == .zooming && bench.verdict(11, optics: near).reason == .zooming)
        // 0.4...0.5 of the whole picture is 0.3...0.5 of its middle half.
        let magnified = Rect(x: 0.3, y: 0.1, width: 0.2, height: 0.4)
        #expect(bench.verdict(13, optics: near).covers(magnified))
    }

    @Test func `faces that a detector saw in another magnification are moved`() {
        var bench = Bench()
        let near = FrameOptics(zoom: 2)
        bench.pass(0...10, optics: near)
        bench.add(Bench.look(3), Bench.look(6))
        #expect(bench.verdict(4, optics: near).covers(Rect(x: 0.3, y: 0.1, width: 0.2, height: 0.4)))
    }

    @Test func `a look at the pictures of the rig's other camera does not count`() {
        var bench = Bench()
        bench.pass(0...10)
        #expect(bench.ledger.add(Bench.look(3, optics: FrameOptics(camera: 1))) == .notOurs)
        #expect(bench.verdict(3).reason == .notOurs)
    }

    @Test func `a face in motion is covered all the way between two looks`() {
        var bench = Bench()
        bench.pass(0...20)
        bench.add(Bench.look(6), Bench.look(12, [Bench.face.offset(dx: 0.22, dy: 0)]))
        for share in [0.0, 0.3, 0.5, 0.7, 1] {
            #expect(bench.verdict(9).covers(Bench.face.offset(dx: 0.22 * share, dy: 0)))
        }
    }

    @Test func `two people who stand apart stay two`() {
        var bench = Bench()
        let other = Bench.face.offset(dx: 0.3, dy: 0)
        bench.pass(0...20)
        bench.add(Bench.look(9, [Bench.face, other]), Bench.look(12, [other, Bench.face]))
        #expect(bench.verdict(10).areas.count == 2)
    }

    @Test func `a look that missed a face in motion leaves no hole`() {
        var bench = Bench()
        bench.pass(0...20)
        let places = [0, 0.08, 0.16].map { Bench.face.offset(dx: $0, dy: 0) }
        bench.add(Bench.look(6, [places[0]]), Bench.look(9, []), Bench.look(12, [places[2]]))
        #expect(bench.verdict(8).covers(places[1]) && bench.verdict(10).covers(places[1]))
    }

    @Test func `a face that only one side shows may have come from as far as it can move`() {
        var bench = Bench()
        bench.pass(0...20)
        bench.add(Bench.look(9, []), Bench.look(12))
        #expect(bench.verdict(11).covers(Bench.face.offset(dx: -0.03, dy: 0)))
        #expect(bench.verdict(10).covers(Bench.face.offset(dx: 0.07, dy: 0)))
        let now = bench.verdict(12).areas
        #expect(now.count == 1 && abs(now[0].rect.width - 0.15) < 1e-9, "where it was seen, it is")
    }
}

@Suite struct AreaTests {
    static func area(_ x: Double, _ y: Double, _ width: Double = 0.1, _ height: Double = 0.1) -> FaceArea {
        FaceArea(Rect(x: x, y: y, width: width, height: height), growth: 0)
    }

    @Test func `areas along a row become one, areas across stay apart`() {
        var areas = FaceAreas()
        for step in 0..<10 { areas.add(Self.area(0.1 + Double(step) * 0.05, 0.3)) }
        #expect(areas.all.count == 1 && abs(areas.all[0].rect.width - 0.55) < 1e-9)
        areas.add(Self.area(0.1, 0.7))
        #expect(areas.all.count == 2)
    }

    @Test func `a steep path is no rectangle of its ends`() {
        var areas = FaceAreas()
        for step in 0..<10 { areas.add(Self.area(0.1 + Double(step) * 0.06, 0.1 + Double(step) * 0.06)) }
        let covered = areas.all.map(\.rect.area).reduce(0, +)
        #expect(areas.all.count > 1 && covered < 0.3)
        for step in 0..<10 {
            let part = Self.area(0.1 + Double(step) * 0.06, 0.1 + Double(step) * 0.06).rect
            #expect(FrameVerdict.faces(areas.all).covers(part))
        }
    }

    @Test func `areas outside the picture are left out, and too many are reported`() {
        var areas = FaceAreas()
        areas.add(Self.area(1.2, 0.3))
        areas.add(Self.area(-0.3, 0.3))
        #expect(areas.all.isEmpty)
        for index in 0..<200 { areas.add(Self.area(Double(index % 20) / 20, Double(index / 20) / 10, 0.01, 0.01)) }
        #expect(areas.all.count == FaceAreas.most && areas.isOverfull)
    }

    @Test func `the larger face decides the blocks`() {
        let hull = Self.area(0.1, 0.1, 0.2, 0.1).hull(Self.area(0.15, 0.1, 0.1, 0.3))
        #expect(hull.faceWidth == 0.2 && hull.faceHeight == 0.3)
    }
}
