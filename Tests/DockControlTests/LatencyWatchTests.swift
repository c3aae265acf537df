import DockControl
import DockSimulator
import Geometry
import Glibc
import Testing

/// What a turning head reveals about the timestamps of frames.
@Suite struct LatencyWatchTests {
    private static let camera = CameraModel(camera: RigProfile.Camera())

    /// A person stands at 4 degrees while the head turns back and forth as quickly as in tracking. The frames are
    /// stamped `late` seconds after their exposure, and rectangles tremble.
    private static func watch(
        late: Seconds, amplitude: Double = 12, noise: Double = 0.5, seconds: Double = 45, seed: UInt64 = 1,
        person: (Seconds) -> Double = { _ in 4 }
    ) -> LatencyWatch {
        var watch = LatencyWatch(), poses = PoseHistory(), random = SeededRandom(seed: seed)
        func pose(_ now: Seconds) -> PanTilt { .degrees(pan: amplitude * tanh(4 * sin(1.5 * now)), tilt: 0) }
        var reported = 10.0, exposed = 10.0
        while exposed < 10 + seconds {
            while reported < exposed + 0.2 {
                reported += 0.02
                poses.append(
                    MotionSample(
                        time: reported, pose: pose(reported),
                        rate: (pose(reported + 0.001) - pose(reported - 0.001)) * 500))
            }
            exposed += 1.0 / 30
            let seen = PanTilt.degrees(pan: person(exposed) + noise * random.normal(), tilt: noise * random.normal())
            guard let point = camera.project(seen, from: pose(exposed)) else { continue }
            watch.saw(point, of: 1, width: .degrees(8), at: exposed + late)
            watch.settle(poses, camera: camera)
        }
        return watch
    }

    @Test(arguments: [-0.06, -0.04, -0.02, 0, 0.02, 0.04, 0.06], 1...5 as ClosedRange<UInt64>)
    func `the lag is found within 10 ms, and compensated where it matters`(late: Seconds, seed: UInt64) throws {
        let watch = Self.watch(late: late, seed: seed)
        let found = try #require(watch.finding)
        #expect(abs(found.lag + late) < 0.01, "\(found)")
        #expect(abs(watch.correction + late) < (abs(late) > 0.03 ? 0.012 : 0.03), "\(watch.correction), \(found)")
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>) func `a person who sways does not mislead it`(seed: UInt64) throws {
        let watch = Self.watch(late: 0.04, seed: seed) { 4 + 6 * sin(1.7 * $0) }
        let found = try #require(watch.finding)
        #expect(abs(found.lag + 0.04) < 0.02, "\(found)")
    }

    @Test func `a head that hardly turns shows nothing`() {
        let watch = Self.watch(late: 0.04, amplitude: 1)
        #expect(watch.finding == nil && watch.correction == 0)
    }

    @Test func `an implausible lag is not compensated`() {
        #expect(abs(Self.watch(late: 0.3, seconds: 30).correction) <= LatencyWatch.most)
    }

    @Test func `times out of order, repeated and wild change nothing`() {
        var watch = LatencyWatch(), poses = PoseHistory()
        for (index, time) in [10, 10, 9, 1e9, -1e9, 10.1].enumerated() {
            poses.append(MotionSample(time: 10 + Double(index), pose: .zero, rate: .zero))
            watch.saw(Point(x: 0.5, y: 0.5), of: 1, width: 0.1, at: time)
            watch.settle(poses, camera: Self.camera)
        }
        #expect(watch.correction == 0)
    }
}
