import ControlProtocol
import DockControl
import Files
import Geometry
import Testing

@testable import Companion

/// The calibrated lens: the views, which results are accepted, the profile, and the files of other programs.
@Suite struct LensCalibrationTests {
    private static let range = Double.degrees(-90)...Double.degrees(90)

    @Test func `the views are a grid around where the head looks`() throws {
        let views = try #require(
            LensViews.lens.plan(pan: Self.range, tilt: Self.range, around: .degrees(pan: 10, tilt: -5)))
        #expect(views.count == 15 && Set(views.map { "\($0)" }).count == 15)
        let pans = views.map(\.pan.inDegrees), tilts = views.map(\.tilt.inDegrees)
        #expect(pans.min().map { abs($0 + 15) < 1e-9 } == true && pans.max().map { abs($0 - 35) < 1e-9 } == true)
        #expect(tilts.min().map { abs($0 + 17) < 1e-9 } == true && tilts.max().map { abs($0 - 7) < 1e-9 } == true)
        // Each step is a neighbour of the one before.
        for (a, b) in zip(views, views.dropFirst()) { #expect((b - a).magnitude < .degrees(13)) }
    }

    @Test func `the views stay within the limits, and a narrow range has none`() throws {
        let views = try #require(
            LensViews.lens.plan(
                pan: .degrees(-20)...Double.degrees(15), tilt: .degrees(-5)...Double.degrees(9), around: .zero))
        for view in views {
            #expect((Double.degrees(-20)...Double.degrees(15)).contains(view.pan))
            #expect((Double.degrees(-5)...Double.degrees(9)).contains(view.tilt))
        }
        #expect(LensViews.lens.plan(pan: 0...Double.degrees(19), tilt: Self.range, around: .zero) == nil)
        #expect(LensViews.lens.plan(pan: Self.range, tilt: 0...Double.degrees(11), around: .zero) == nil)
    }

    @Test func `the views of a board keep it in the picture`() throws {
        let wide = LensViews.board(in: .degrees(pan: 61, tilt: 48)),
            narrow = LensViews.board(in: .degrees(pan: 40, tilt: 30))
        #expect(abs(wide.widest.pan.inDegrees - 36) < 1e-9 && abs(wide.widest.tilt.inDegrees - 20) < 1e-9)
        #expect(abs(narrow.widest.pan.inDegrees - 20) < 1e-9 && abs(narrow.widest.tilt.inDegrees - 16) < 1e-9)
        #expect(
            LensViews.board(in: .degrees(pan: 10, tilt: 8)).plan(pan: Self.range, tilt: Self.range, around: .zero)
                != nil)
    }

    // MARK: where the rig stands

    private static func board(_ changes: [String: JSONValue] = [:]) -> JSONValue {
        let text = #"""
            {"stand": {"x": 0.57, "y": 1.2, "z": 0.82, "heading": -0.541}, "lens": {"right": 0.004, "up": 0.0321, "ahead": 0.041},
            "deviations": {"place": 0.002, "heading": 0.001, "lens": 0.001}, "views": 15, "corners": 320, "rms": 0.2,
            "mount": {"yaw": -0.01, "pitch": 0.02, "roll": 0.01},
            "angle": 0.6, "moved": 0.0}
            """#
        var members = JSONValue(json: Array(text.utf8))?.object ?? [:]
        members.merge(changes) { $1 }
        return .object(members)
    }

    @Test func `a board tells where the rig and its lens are`() throws {
        let found = try StandFinding(Self.board(), axis: (up: 0.05, ahead: 0.01))
        #expect(found.stand.x == 0.57 && found.stand.axisUp == 0.05 && found.stand.lensUp == 0.0321)
        #expect(abs(found.stand.heading.inDegrees + 31) < 1e-9)
        #expect(found.lines.first == "place    0.57 m right, 1.2 m up, 0.82 m from the board's wall +-0.2 cm")
        #expect(abs(found.mount.pitch.inDegrees - 1.146) < 1e-9)
        var profile = RigProfile.dlpDock
        profile.stand = found.stand
        let text = try ProfileWriter.checked(profile, comment: [])
        #expect(try ProfileReader.read(text, file: "x.toml").stand == found.stand)
        #expect(!ProfileWriter.text(of: .dlpDock).contains("stand"))
    }

    @Test(arguments: [
        ("stand", "the board is in"), ("lens", "the board is in"), ("deviations", "uncertain"), ("rms", "does not fit"),
        ("moved", "moved"), ("mount", "uncertain"),
    ])
    func `a place that is not sure is refused`(_ member: String, _ words: String) {
        do {
            _ = try StandFinding(Self.board([member: .null]), axis: (0, 0))
            Issue.record("accepted without \(member)")
        } catch {
            #expect(error.text.contains(words), "\(error)")
        }
    }

    // MARK: which results are accepted

    private static func answer(_ changes: [String: JSONValue] = [:]) -> JSONValue {
        var members =
            JSONValue(
                json: Array(
                    #"""
                    {"lens": {"width": 640, "height": 480, "fx": 540, "fy": 540, "cx": 326, "cy": 235, "k1": -0.15, "k2": 0.02,
                    "pitch": 0.02, "yaw": -0.01, "roll": 0.01}, "deviations": {"fx": 0.4, "fy": 0.4, "cx": 0.3, "cy": 0.3,
                    "pitch": 0.001, "yaw": 0.001, "roll": 0.001}, "views": 15, "points": 2000, "observations": 14000,
                    "inliers": 0.99, "rms": 0.3, "turned": 0.002, "rays": 0.0005, "moved": 0.001}
                    """#.utf8))?.object ?? [:]
        members.merge(changes) { $1 }
        return .object(members)
    }

    @Test func `a good measurement is accepted`() throws {
        let found = try LensFinding(Self.answer(), date: "2026-01-31"), angle = 0.573
        #expect(found.lens.focal == Point(x: 540, y: 540) && found.lens.distortion.k1 == -0.15)
        // As precise as a profile shows it.
        #expect(found.lens.mount == MountAngles(yaw: .degrees(-angle), pitch: .degrees(1.146), roll: .degrees(angle)))
        #expect(found.lens.source.contains("15 views, 0.3 pixels") && found.lens.source.hasSuffix("2026-01-31"))
        #expect(found.lines.first?.contains("540 +-0.4 pixels") == true)
        #expect(found.lines[3].contains("0.57 degrees left, 1.15 degrees up, 0.57 degrees clockwise"))
    }

    @Test(arguments: [
        ("inliers", 0.85, "twice"), ("rms", 0.9, "near"), ("moved", 0.03, "moved"), ("turned", 0.04, "reported"),
        ("rays", 0.01, "uncertain"), ("lens", nil, "too little to see"), ("inliers", nil, "0 %"),
        ("rms", nil, "pixels"),
        ("deviations", nil, "uncertain"),
    ])
    func `a measurement that cannot be right is refused`(_ member: String, _ value: Double?, _ word: String) {
        do {
            _ = try LensFinding(Self.answer([member: value.map { .number($0) } ?? .null]), date: "")
            Issue.record("accepted with \(member)")
        } catch {
            #expect(error.text.contains(word), "\(error)")
            #expect(error.hint.contains("calibrate"))
        }
    }

    @Test func `an unexpected field of view is reported`() throws {
        let found = try LensFinding(Self.answer(), date: "")
        #expect(found.surprise(beside: .degrees(62)) == nil)
        #expect(found.surprise(beside: .degrees(90))?.contains("90 degrees") == true)
    }

    // MARK: the profile

    private static let lens: CalibratedLens = {
        var lens = CalibratedLens(
            width: 640, height: 480, focal: Point(x: 540.25, y: 541.5), principal: Point(x: 326.5, y: 235))
        lens.distortion = LensDistortion(k1: -0.15, k2: 0.02, p1: 0.001)
        lens.mount = MountAngles(yaw: .degrees(-1.5), pitch: .degrees(2), roll: .degrees(0.25))
        lens.source = "15 views"
        return lens
    }()

    @Test func `a profile keeps the lens of each camera`() throws {
        let text = try ProfileWriter.checked(RigProfile.dlpDock.with(Self.lens, camera: 0), comment: ["by a test"])
        let read = try ProfileReader.read(text, file: "x.toml")
        #expect(read.camera.lens == Self.lens)
        #expect(abs(read.camera.horizontalFieldOfView - Self.lens.horizontalFieldOfView) < .degrees(0.06))
        #expect(text.hasPrefix("# by a test\n") && text.contains("\n[camera.lens]\nwidth = 640\n"))
        let both = try ProfileWriter.checked(read.with(Self.lens, camera: 1), comment: [])
        #expect(try ProfileReader.read(both, file: "x.toml").otherCameras[1]?.lens == Self.lens)
        #expect(!ProfileWriter.text(of: .dlpDock).contains("lens"))
    }

    @Test(arguments: [
        ("width = 640", "incomplete: height, fx, fy, cx, cy missing"),
        ("width = 640\nheight = 480\nfx = 5\nfy = 540\ncx = 320\ncy = 240", "focal length"),
        ("width = 640\nheight = 480\nfx = 540\nfy = 540\ncx = 3000\ncy = 240", "middle"),
        ("width = 640\nheight = 480\nfx = 540\nfy = 540\ncx = 320\ncy = 240\nk9 = 1", "unknown"),
        ("width = 640\nheight = 480\nfx = 540\nfy = 540\ncx = 320\ncy = 240\nmount_yaw = 60", "-45 to 45"),
    ])
    func `a lens that is incomplete or impossible is a problem of its line`(_ rows: String, _ words: String) {
        do {
            let text = ProfileTests.right.split(separator: "\n").filter { !$0.hasPrefix("camera") }.joined(
                separator: "\n")
            _ = try ProfileReader.read(text + "\n[camera.lens]\n\(rows)\n", file: "x.toml")
            Issue.record("read with \(rows)")
        } catch {
            #expect(error.problems.contains { $0.text.contains(words) && $0.line != nil }, "\(error.problems)")
        }
    }

    @Test func `the files of other programs have every number`() {
        let ros = LensExport.ros.text(Self.lens, name: "dock \"one\"")
        #expect(ros.contains("camera_name: \"dock \\\"one\\\"\"") && ros.contains("distortion_model: plumb_bob"))
        #expect(ros.contains("data: [540.25, 0, 326, 0, 541.5, 234.5, 0, 0, 1]"))
        #expect(ros.contains("data: [-0.15, 0.02, 0.001, 0, 0]"))
        let opencv = LensExport.opencv.text(Self.lens, name: "")
        #expect(opencv.hasPrefix("%YAML:1.0\n---\n") && opencv.contains("camera_matrix: !!opencv-matrix"))
    }

    // MARK: the interface

    @Test func `topic tracking tells the lens, and a reader gets it back`() throws {
        var reading = LensReading()
        (reading.distortion, reading.mountAngles) = (Self.lens.distortion, Self.lens.mount)
        let back = try #require(LensReading(json: reading.json))
        #expect(back.distortion == Self.lens.distortion && back.mountAngles == Self.lens.mount)
        let usual = LensReading()
        #expect(usual.json["distortion"]?.isNull == true && usual.json["mountAngles"]?.isNull == true)
        // A daemon of before tells neither.
        var old = try #require(usual.json.object)
        (old["distortion"], old["mountAngles"]) = (nil, nil)
        #expect(LensReading(json: .object(old))?.distortion == LensDistortion.none)
    }

    @Test(arguments: [4.0 / 3, 16.0 / 9], [1.0, 2.5])
    func `the lens that status reports is that of the daemon's camera`(_ shape: Double, _ zoom: Double) throws {
        var camera = RigProfile.Camera()
        camera.horizontalFieldOfView = Self.lens.horizontalFieldOfView
        camera.lens = Self.lens
        var profile = RigProfile.dlpDock
        profile.camera = camera
        let reading = try #require(RigReading(json: RigReading(profile, port: "/dev/ttyACM0").json))
        let lens = try #require(reading.cameras.first).lens(ofShape: shape, zoom: zoom)
        let own = LensReading(CameraModel(camera: camera, aspect: shape).cropped(by: zoom))
        #expect(abs(lens.focal.x - own.focal.x) < 1e-9 && abs(lens.focal.y - own.focal.y) < 1e-9)
        #expect(abs(lens.principal.x - own.principal.x) < 1e-9 && abs(lens.principal.y - own.principal.y) < 1e-9)
        #expect(lens.coefficients == own.coefficients && lens.turn == own.turn && lens.mount == "head")
        #expect(profile.describes(reading) && !RigProfile.dlpDock.describes(reading))
    }
}
