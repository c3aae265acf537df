import DockControl
import Geometry
import Testing

@Suite struct CameraModelTests {
    let camera = CameraModel(camera: RigProfile.Camera())
    let poses = [
        PanTilt.zero, .degrees(pan: 40, tilt: 20), .degrees(pan: -150, tilt: -25), .degrees(pan: 10, tilt: 75),
    ]

    @Test func `a point right of the centre is to the right, one above it is above`() {
        #expect(camera.bearing(of: Point(x: 0.8, y: 0.5)).pan > 0)
        #expect(camera.bearing(of: Point(x: 0.5, y: 0.2)).tilt > 0)
        let edge = camera.bearing(of: Point(x: 1, y: 0.5)).pan
        #expect(abs(edge.inDegrees - 33) < 1e-9)
    }

    @Test func `a projected point maps back from every pose`() throws {
        for pose in poses {
            for point in [Point(x: 0.5, y: 0.5), Point(x: 0.1, y: 0.9), Point(x: 0.95, y: 0.05)] {
                let world = camera.world(of: point, from: pose)
                let seen = try #require(camera.project(world, from: pose))
                #expect(abs(seen.x - point.x) < 1e-9 && abs(seen.y - point.y) < 1e-9)
            }
        }
    }

    @Test func `the pose for seeing a direction at a point sees it at that point`() throws {
        for target in [PanTilt.degrees(pan: 30, tilt: 10), .degrees(pan: -100, tilt: 40), .degrees(pan: 0, tilt: -20)] {
            for setPoint in [Point(x: 0.5, y: 0.45), Point(x: 1.0 / 3, y: 0.5), Point(x: 0.7, y: 0.3)] {
                let pose = camera.pose(toSee: target, at: setPoint)
                let seen = try #require(camera.project(target, from: pose))
                #expect(abs(seen.x - setPoint.x) < 1e-9 && abs(seen.y - setPoint.y) < 1e-9)
            }
        }
    }

    @Test func `turning to the right moves the image to the left`() {
        let shift = camera.pictureShift(from: .zero, to: .degrees(pan: 5, tilt: 0))
        #expect(shift.x < -0.05 && abs(shift.y) < 1e-9)
        #expect(camera.pictureShift(from: .zero, to: .degrees(pan: 0, tilt: 5)).y > 0.05)
    }

    @Test func `a target behind the camera is not in the image`() {
        #expect(camera.project(.degrees(pan: 180, tilt: 0), from: .zero) == nil)
    }

    @Test func `a target behind the dock causes no jump of the angle`() {
        let left = camera.world(of: Point(x: 0.45, y: 0.5), from: .degrees(pan: 179, tilt: 0)).pan
        let right = camera.world(of: Point(x: 0.55, y: 0.5), from: .degrees(pan: 179, tilt: 0)).pan
        #expect(right > left && right - left < .degrees(10))
    }

    @Test func `the detector's own intrinsics take precedence`() {
        var own = camera
        own.setIntrinsics(fx: 492.7, fy: 492.7, cx: 320, cy: 240, width: 640, height: 480)
        #expect(abs(own.horizontalFieldOfView.inDegrees - 66) < 0.1)
        own.setIntrinsics(fx: 0, fy: 1, cx: 0, cy: 0, width: 640, height: 480)
        #expect(own.focal.x > 0)
    }

    @Test func `a fixed camera does not turn with the dock`() {
        var profile = RigProfile.Camera()
        profile.mount = .fixed
        profile.offset = .degrees(pan: 10, tilt: 0)
        let fixed = CameraModel(camera: profile)
        let middle = Point(x: 0.5, y: 0.5)
        #expect(abs(fixed.world(of: middle, from: .degrees(pan: 90, tilt: 30)).pan.inDegrees - 10) < 1e-9)
        #expect(fixed.pose(toSee: .degrees(pan: 7, tilt: 1), at: Point(x: 0.3, y: 0.3)) == .degrees(pan: 7, tilt: 1))
    }
}
