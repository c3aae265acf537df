import DockControl
import Geometry
import Testing

/// A camera whose lens bends lines and which sits on the head at an angle.
@Suite struct CalibratedCameraTests {
    static let camera: RigProfile.Camera = {
        var lens = CalibratedLens(
            width: 640, height: 480, focal: Point(x: 540, y: 540), principal: Point(x: 326, y: 235))
        lens.distortion = LensDistortion(k1: -0.15, k2: 0.02)
        lens.mount = MountAngles(yaw: .degrees(-1.5), pitch: .degrees(2), roll: .degrees(1))
        var camera = RigProfile.Camera()
        camera.lens = lens
        return camera
    }()

    private let model = CameraModel(camera: camera, aspect: 4 / 3)

    @Test func `what a point shows appears at that point`() throws {
        for pose in [PanTilt.zero, .degrees(pan: 40, tilt: -20), .degrees(pan: -120, tilt: 35)] {
            for x in stride(from: 0.0, through: 1, by: 0.25) {
                for y in stride(from: 0.0, through: 1, by: 0.25) {
                    let world = model.world(of: Point(x: x, y: y), from: pose)
                    let back = try #require(model.project(world, from: pose))
                    #expect(abs(back.x - x) < 1e-7 && abs(back.y - y) < 1e-7, "\(x) \(y) \(pose)")
                }
            }
        }
    }

    @Test func `the pose that shall show a person shows them at the set-point`() throws {
        for world in [PanTilt.degrees(pan: 10, tilt: 5), .degrees(pan: -60, tilt: 25)] {
            for point in [Point(x: 0.5, y: 0.4), Point(x: 0.2, y: 0.7)] {
                let pose = model.pose(toSee: world, at: point)
                let seen = try #require(model.project(world, from: pose))
                #expect(abs(seen.x - point.x) < 1e-7 && abs(seen.y - point.y) < 1e-7, "\(world) \(point): \(seen)")
            }
        }
    }

    @Test func `the corner is off by many pixels without the calibration`() {
        var straight = Self.camera
        straight.lens?.distortion = .none
        let corner = Point(x: 0.02, y: 0.02)
        let bent = model.bearing(of: corner), pinhole = CameraModel(camera: straight, aspect: 4 / 3).bearing(of: corner)
        #expect(abs(bent.pan - pinhole.pan) > .degrees(1.5))
    }

    @Test func `a lens counts only for pictures of its own shape`() {
        let wide = CameraModel(camera: Self.camera, aspect: 16 / 9)
        #expect(wide.distortion == .none)
        #expect(abs(wide.horizontalFieldOfView - Self.camera.horizontalFieldOfView) < 1e-9)
        #expect(wide.mountAngles == Self.camera.lens?.mount)
        // 1280x720 and 1920x1080 are copies of each other; 640x480 and 642x480 nearly.
        #expect(Self.camera.lens?.fits(aspect: 642.0 / 480) == true)
    }

    @Test func `a cut-out keeps the lens, and a lens that moves is straight`() throws {
        let cut = model.cropped(by: 2), pose = PanTilt.zero
        let world = model.world(of: Point(x: 0.4, y: 0.55), from: pose)
        let seen = try #require(cut.project(world, from: pose))
        #expect(abs(seen.x - 0.3) < 1e-9 && abs(seen.y - 0.6) < 1e-9)
        #expect(model.magnified(by: 2).distortion == .none)
        #expect(model.magnified(by: 1.05).distortion == model.distortion)
    }

    @Test func `intrinsics of a detector replace the lens, and the camera stays as it sits`() {
        var own = model
        own.setIntrinsics(fx: 600, fy: 600, cx: 320, cy: 240, width: 640, height: 480)
        #expect(own.distortion == .none && own.mountAngles == model.mountAngles)
    }

    @Test func `a point that no ray shows is treated as the nearest that one does`() {
        var folded = Self.camera
        folded.lens?.distortion = LensDistortion(k1: -0.9, k2: 0)
        let model = CameraModel(camera: folded, aspect: 4 / 3)
        let corner = model.bearing(of: Point(x: 0, y: 0)), beyond = model.bearing(of: Point(x: -2, y: 0.5))
        #expect(corner.pan.isFinite && corner.tilt.isFinite && corner.pan < -0.2)
        #expect(beyond.pan.isFinite && beyond.pan < -0.2)
    }
}
