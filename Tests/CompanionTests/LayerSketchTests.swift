import ControlProtocol
import DockControl
import Geometry
import Glibc
import RobotFace
import Testing

@testable import Companion

/// Items of the room over the picture of a camera whose lens and head are known.
@Suite struct LayerSketchTests {
    private static func point(_ place: SIMD3<Double>) -> [Layer] {
        [Layer(name: "room", space: .world, items: [.label("here", at: place)])]
    }

    private static func shown(_ place: SIMD3<Double>, _ lens: LensReading, _ pose: PanTilt, _ stand: StandReading?)
        -> Point?
    {
        guard
            case .text(let point, _)? = LayerSketch(point(place), through: lens, head: pose, stand: stand).shapes.first?
                .form
        else { return nil }
        return point
    }

    @Test func `the geometry of the head counts`() throws {
        var lens = LensReading(), stand = StandReading()
        // The second golden row of the forward kinematics, in pixels of 640x480, with the stand in (0, 1.2, 0).
        (lens.focal, lens.principal) = (Point(x: 612 / 640.0, y: 611 / 480.0), Point(x: 324.5 / 640, y: 238.25 / 480))
        (stand.axis, stand.lens) = ([0.05, 0.01], [0.012, 0.035, 0.04])
        let pose = PanTilt.degrees(pan: 20, tilt: 10), place = SIMD3(1, 1.7 - 1.2, -3)
        let point = try #require(Self.shown(place, lens, pose, stand))
        #expect(abs(point.x * 640 - 305.336) < 0.01 && abs(point.y * 480 - 265.2894) < 0.01, "\(point)")
        let without = try #require(Self.shown(place, lens, pose, nil))
        #expect(abs(without.y - point.y) * 480 > 5, "a lens 4 cm away is seen")
    }

    @Test func `distortion and mount count as in steering`() throws {
        let camera = CalibratedCamera.model
        for pose in [PanTilt.zero, .degrees(pan: 30, tilt: -10)] {
            for point in [Point(x: 0.1, y: 0.15), Point(x: 0.8, y: 0.9)] {
                let aim = camera.world(of: point, from: pose), level = 3 * cos(aim.tilt)
                let place = SIMD3(level * sin(aim.pan), 3 * sin(aim.tilt), -level * cos(aim.pan))
                let seen = try #require(Self.shown(place, LensReading(camera), pose, nil))
                #expect(abs(seen.x - point.x) < 1e-7 && abs(seen.y - point.y) < 1e-7, "\(seen), not \(point)")
            }
        }
    }

    private enum CalibratedCamera {
        static let model: CameraModel = {
            var lens = CalibratedLens(
                width: 640, height: 480, focal: Point(x: 540, y: 540), principal: Point(x: 326, y: 235))
            lens.distortion = LensDistortion(k1: -0.15, k2: 0.02)
            lens.mount = MountAngles(yaw: .degrees(-1.5), pitch: .degrees(2), roll: .degrees(1))
            var camera = RigProfile.Camera()
            camera.lens = lens
            return CameraModel(camera: camera, aspect: 4 / 3)
        }()
    }
}
