import Geometry
import Testing

/// Cameras that sit on a head at an angle, and lenses that bend lines, beyond what they see.
@Suite struct MountAnglesTests {
    @Test func `each angle turns in the direction that its name says`() {
        let right = MountAngles(yaw: .degrees(30)).toHead([0, 0, -1])
        #expect(abs(right.x - 0.5) < 1e-9 && abs(right.y) < 1e-9)
        let up = MountAngles(pitch: .degrees(30)).toHead([0, 0, -1])
        #expect(abs(up.y - 0.5) < 1e-9 && abs(up.x) < 1e-9)
        // Clockwise as seen from behind: what is to the right of the picture is below in the head.
        let clockwise = MountAngles(roll: .degrees(30)).toHead([1, 0, 0])
        #expect(abs(clockwise.y + 0.5) < 1e-9)
    }

    @Test func `a direction that goes to the head and back is the same`() {
        let mount = MountAngles(yaw: 0.3, pitch: -0.2, roll: 0.7)
        for direction in [SIMD3(1, 0, 0), SIMD3(0.2, -0.5, -1), SIMD3(-3, 2, 1)] as [SIMD3<Double>] {
            let there = mount.toHead(direction), back = mount.toCamera(there) - direction
            #expect((back * back).sum() < 1e-20)
            #expect(abs((there * there).sum() - (direction * direction).sum()) < 1e-9)
        }
    }

    @Test func `beyond its reach a lens goes on outward`() {
        let lens = LensDistortion(k1: -0.2, k2: 0)
        var last = 0.0
        for step in 1...100 {
            let shown = lens.extended(Point(x: 0.04 * Double(step), y: 0))
            #expect(shown.x > last)
            last = shown.x
        }
        let beside = Point(x: 0.4, y: -0.3), bent = lens.distort(beside)
        #expect(lens.extended(beside) == bent)
        let back = lens.nearest(bent)
        #expect(abs(back.x - 0.4) < 1e-6 && abs(back.y + 0.3) < 1e-6)
        // No ray ends there, so the nearest one to it counts.
        let edge = lens.nearest(Point(x: 3, y: 0))
        #expect(edge.x > 1.2 && edge.x < 1.3 && edge.y == 0)
    }
}
