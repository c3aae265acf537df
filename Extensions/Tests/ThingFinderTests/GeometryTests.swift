import ControlProtocol
import Geometry
import SpatialModel
import Testing

@testable import ThingFinder

/// Bearings through the lens, and what detectors write.
@Suite struct GeometryTests {
    static let eye = RoomRecording.roomA.eye

    @Test func `a bearing appears where it is measured, at every pose`() throws {
        for pan in stride(from: -170.0, through: 170, by: 34) {
            for tilt in stride(from: -30.0, through: 60, by: 15) {
                let pose = PanTilt.degrees(pan: pan, tilt: tilt)
                for point in [Point(x: 0.5, y: 0.5), Point(x: 0.1, y: 0.9), Point(x: 0.95, y: 0.05)] {
                    let bearing = try #require(Self.eye.bearing(of: point, at: pose))
                    let back = try #require(Self.eye.point(of: bearing, at: pose))
                    #expect(abs(back.x - point.x) < 1e-9 && abs(back.y - point.y) < 1e-9)
                }
                let middle = try #require(Self.eye.bearing(of: Point(x: 0.5, y: 0.5), at: pose))
                #expect(middle.angle(to: pose) < 1e-9)
            }
        }
    }

    @Test func `away from the middle the tilt is part of the formula`() throws {
        // At 45 degrees of tilt, 20 degrees aside in the picture.
        let x = 0.5 + 0.5 * tanOf(20) / tanOf(33)
        let bearing = try #require(Self.eye.bearing(of: Point(x: x, y: 0.5), at: .degrees(pan: 0, tilt: 45)))
        #expect(abs(bearing.pan.inDegrees - 27.2) < 0.1 && abs(bearing.tilt.inDegrees - 41.6) < 0.1)
    }

    private func tanOf(_ degrees: Double) -> Double {
        let lens = PictureLens(horizontalFieldOfView: .degrees(2 * degrees), aspect: 1)
        return 0.5 / lens.focal.x
    }

    @Test func `a turned camera is pointed at a thing, too`() throws {
        let lens = PictureLens(horizontalFieldOfView: .degrees(66), aspect: 4.0 / 3)
        let eye = FinderEye(lens, mount: MountAngles(yaw: .degrees(4), pitch: .degrees(-6), roll: .degrees(2)))
        for pan in [-120.0, 0, 60] {
            for tilt in [-20.0, 0, 40] {
                let bearing = PanTilt.degrees(pan: pan, tilt: tilt)
                let point = try #require(eye.point(of: bearing, at: eye.pose(toward: bearing)))
                #expect(abs(point.x - 0.5) < 0.002 && abs(point.y - 0.5) < 0.002)
            }
        }
    }

    @Test func `the field of view and the sizes of things are angles`() throws {
        #expect(abs(Self.eye.field.pan.inDegrees - 66) < 1e-9 && abs(Self.eye.field.tilt.inDegrees - 51.9) < 0.1)
        let pose = PanTilt.degrees(pan: 40, tilt: 30), bearing = PanTilt.degrees(pan: 45, tilt: 33)
        let rect = try #require(Self.eye.rect(of: bearing, width: .degrees(10), height: .degrees(6), at: pose))
        let seen = try #require(Self.eye.measure(rect, at: pose))
        #expect(abs(seen.width.inDegrees - 10) < 0.3 && abs(seen.height.inDegrees - 6) < 0.3)
        #expect(seen.bearing.angle(to: bearing) < 1e-9)
    }

    @Test func `the angle between bearings is right near the zenith and across the back`() {
        let angle = PanTilt.degrees(pan: 170, tilt: 0).angle(to: .degrees(pan: -170, tilt: 0))
        #expect(abs(angle.inDegrees - 20) < 1e-9)
        #expect(PanTilt.degrees(pan: 0, tilt: 90).angle(to: .degrees(pan: 130, tilt: 90)) < 1e-9)
        #expect(PanTilt.zero.angle(to: .zero) == 0)
    }

    @Test func `an entry that is not a thing with a place is left out`() {
        let good = #"{"label":"Cup","rect":[0.1,0.2,0.3,0.4],"score":0.7}"#
        let bad = [
            "7", "{}", #"{"label":"cup"}"#, #"{"label":"","rect":[0,0,1,1]}"#, #"{"label":"cup","rect":[0,0,0,1]}"#,
            #"{"label":"cup","rect":[0,0,-1,1]}"#, #"{"label":"cup","rect":[2,2,1,1]}"#,
            #"{"label":"cup","rect":[1e300,0,1,1]}"#, #"{"label":"cup","rect":[0,0,1]}"#,
            #"{"label":7,"rect":[0,0,1,1]}"#,
        ]
        let read = SeenBox.read((bad + [good]).compactMap { JSONValue(json: $0.utf8) })
        #expect(read.map(\.label) == ["cup"] && read[0].score == 0.7 && abs(read[0].rect.area - 0.12) < 1e-9)
        let many = Array(repeating: JSONValue(json: good.utf8) ?? .null, count: 5000)
        #expect(SeenBox.read(many).count == SeenBox.most)
        let long = JSONValue.object([
            "label": .string(String(repeating: "x", count: 10_000) + "\u{1B}[31m"),
            "rect": .array([0, 0, 1, 1].map { .number(Double($0)) }),
        ])
        #expect(SeenBox(json: long).map { $0.label.count <= 60 && !$0.label.contains("\u{1B}") } == true)
    }

    @Test func `a trail knows where the head stood, and when it did not`() {
        var trail = PoseTrail()
        func report(_ time: Double, _ pan: Double, _ rate: Double) {
            trail.add(HeadPose(time: time, pose: PanTilt(pan: pan, tilt: 0), rate: rate))
        }
        #expect(trail.standing(at: 1) == nil)
        report(1, 0, 0)
        #expect(trail.standing(at: 0.9) == nil && trail.standing(at: 1.05)?.pan == 0)
        // Reports end when nothing changes.
        #expect(trail.standing(at: 30)?.pan == 0)
        report(30, 0.1, 1)
        report(30.5, 1, 0)
        #expect(trail.standing(at: 29.9)?.pan == 0 && trail.standing(at: 30.1) == nil)
        #expect(trail.standing(at: 30.55) == nil && trail.standing(at: 30.6)?.pan == 1)
        // A report from the past, or one that is no number, changes nothing.
        report(29, 5, 0)
        report(.nan, 5, 0)
        report(31, .nan, 0)
        #expect(trail.pose?.pan == 1)
        for number in 0..<1000 { report(40 + Double(number), Double(number), 0) }
        #expect(trail.standing(at: 100) == nil && trail.standing(at: 1039)?.pan == 999)
    }

    @Test func `reports of a head that turns are thinned out, and what the trail says stays the same`() {
        var whole = PoseTrail(), thin = PoseTrail(), sieve = PoseSieve(), passed = 0
        // Three moves of half a second, 20 reports a second, each followed by half a second of rest.
        let reports = (0..<60).map { number in
            let step = number % 20, isMoving = step < 10
            let pan = Double(number / 20) + Double(min(step, 10)) / 10
            return HeadPose(time: Double(number) / 20, pose: PanTilt(pan: pan, tilt: 0), rate: isMoving ? 2 : 0)
        }
        for report in reports {
            whole.add(report)
            guard sieve.passes(report) else { continue }
            thin.add(report)
            passed += 1
        }
        #expect((40...48).contains(passed), "\(passed)")
        for time in stride(from: 0, through: 3.0, by: 0.01) {
            #expect(thin.standing(at: time) == whole.standing(at: time), "\(time)")
        }
        // The first report of a move passes at once, and so does its end.
        let late = reports.last.map { HeadPose(time: $0.time + 0.01, pose: $0.pose, rate: 3) }
        let end = reports.last.map { HeadPose(time: $0.time + 0.02, pose: $0.pose, rate: 0) }
        let begins = late.map { sieve.passes($0) }, ends = end.map { sieve.passes($0) }
        #expect(begins == true && ends == true)
    }

    @Test func `places have words, as the head sees them`() {
        #expect(PlaceWords.of(.zero) == "straight ahead")
        #expect(PlaceWords.of(.degrees(pan: -58, tilt: -8)) == "60 degrees to my left")
        #expect(PlaceWords.of(.degrees(pan: 32, tilt: 20)) == "30 degrees to my right, high")
        #expect(PlaceWords.of(.degrees(pan: 5, tilt: -16)) == "straight ahead, low")
    }

    @Test func `an outline is where the thing is, seen from where the dock stands`() throws {
        let box = FinderBox(
            state: .found, label: "cup", bearing: .degrees(pan: 90, tilt: 0), width: 0.2, height: 0.1)
        let item = box.outline(from: .identity)
        #expect(item.text == "= cup, 90 degrees to my right" && item.colour == .green && item.points.count == 5)
        // A line of marks would hide what is behind it.
        #expect(item.mark == nil)
        let middle = (item.points[0] + item.points[2]) / 2
        #expect(abs(middle.x - 2) < 1e-9 && abs(middle.y) < 1e-9 && abs(middle.z) < 1e-9)
        let marks = FinderBox.State.allCases.map(\.mark), colours = FinderBox.State.allCases.map(\.colour)
        #expect(marks == ["?", "...", "~", "=", "x"])
        #expect(colours == [.yellow, .blue, .magenta, .green, .red])
    }
}
