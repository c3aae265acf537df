import Geometry
import SpatialModel
import Testing

@testable import SpatialLog

@Suite struct FrameTests {
    /// The rotation of a quaternion, applied to a vector.
    private static func turned(_ vector: SIMD3<Double>, by rotation: SIMD4<Double>) -> SIMD3<Double> {
        let axis = SIMD3(rotation.x, rotation.y, rotation.z), w = rotation.w
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let first = cross(axis, vector) * 2
        return vector + first * w + cross(axis, first)
    }

    /// A point of the camera's frame in the world, through all frames.
    private static func world(_ point: SIMD3<Double>, _ frames: HeadFrames) -> SIMD3<Double> {
        var result = point, frame = HeadFrame.camera
        while let parent = frame.parent, let place = frames.place(of: frame) {
            result = turned(result, by: place.rotation) + place.shift
            frame = parent
        }
        return result
    }

    private static func near(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
        let offset = a - b
        return (offset * offset).sum() < 1e-18
    }

    @Test(arguments: 0..<200) func `the frames lead to the place of the camera`(seed: Int) {
        var random = SeededNumbers(UInt64(seed))
        var head = HeadModel()
        head.stand = .init(random.next(3), random.next(3), random.next(3))
        head.heading = random.next(3.1)
        head.axis = (random.next(0.1), random.next(0.1))
        head.lens = (random.next(0.1), random.next(0.1), random.next(0.1))
        head.mount = MountAngles(yaw: random.next(0.5), pitch: random.next(0.5), roll: random.next(3))
        let pose = PanTilt(pan: random.next(3.1), tilt: random.next(1.5)), frames = HeadFrames(head, pose: pose)
        let camera = head.camera(at: pose)
        // Optical: x to the right, y down, z ahead.
        for seen in [SIMD3(0, 0, 0), SIMD3(1, 0, 0), SIMD3(0, 2, 0), SIMD3(0.3, -0.2, 4)] {
            let expected = HeadFrames.world(camera.place(.init(seen.x, -seen.y, -seen.z)))
            #expect(Self.near(Self.world(seen, frames), expected))
        }
        for frame in HeadFrame.allCases {
            guard let rotation = frames.place(of: frame)?.rotation else { continue }
            #expect(abs((rotation * rotation).sum() - 1) < 1e-12 && rotation.w >= 0)
        }
    }

    @Test func `a head that looks ahead sees along x, and one that turns right toward -y`() {
        let ahead = HeadFrames(HeadModel(), pose: .zero)
        #expect(Self.near(Self.world(SIMD3(0, 0, 2), ahead), SIMD3(2, 0, 0)))
        let right = HeadFrames(HeadModel(), pose: PanTilt(pan: .pi / 2, tilt: 0))
        #expect(Self.near(Self.world(SIMD3(0, 0, 2), right), SIMD3(0, -2, 0)))
        let up = HeadFrames(HeadModel(), pose: PanTilt(pan: 0, tilt: .pi / 2))
        #expect(Self.near(Self.world(SIMD3(0, 0, 2), up), SIMD3(0, 0, 2)))
    }
}

/// Numbers that are the same in each run.
private struct SeededNumbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    /// A number from -most to most.
    mutating func next(_ most: Double) -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (Double(state >> 11) / Double(1 << 53) * 2 - 1) * most
    }
}
