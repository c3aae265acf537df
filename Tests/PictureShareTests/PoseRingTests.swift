import Geometry
import Glibc
import Testing

@testable import PictureShare

@Suite struct PoseRingTests {
    private static func motion(_ time: Double) -> PicturePose {
        PicturePose(pose: PanTilt(pan: time, tilt: -2 * time), rate: PanTilt(pan: 1, tilt: -2))
    }

    @Test func `a pose is interpolated between reports and extrapolated for a moment after them`() throws {
        let ring = PoseRing(capacity: 64)
        #expect(ring.motion(at: 1) == nil)
        for step in 0..<100 { ring.append(time: 10 + Double(step) * 0.02, Self.motion(10 + Double(step) * 0.02)) }
        for time in [11.0, 11.011, 11.98, 12.02] {
            let motion = try #require(ring.motion(at: time))
            #expect(abs(motion.pose.pan - time) < 1e-9 && abs(motion.pose.tilt + 2 * time) < 1e-9)
            #expect(abs(motion.rate.pan - 1) < 1e-9)
        }
        #expect(abs((ring.motion(at: 12.2)?.pose.pan ?? 0) - 12.03) < 1e-9, "not farther than 0.05 s")
        #expect(ring.motion(at: 12.3) == nil, "the newest report is too old")
        #expect(ring.motion(at: 10.5) == nil, "the oldest reports were overwritten")
    }

    @Test func `late reports and those before a restart do not count`() {
        let ring = PoseRing()
        ring.append(time: 5, Self.motion(5))
        ring.append(time: 4, Self.motion(4))
        #expect(ring.motion(at: 5)?.pose.pan == 5)
        ring.forget()
        #expect(ring.motion(at: 5) == nil)
        ring.append(time: 1, Self.motion(1))
        #expect(ring.motion(at: 1)?.pose.pan == 1)
    }

    /// A reader in another thread never sees a mixture of two reports.
    @Test func `a reader beside the writer sees whole reports`() async {
        let ring = PoseRing(capacity: 8)
        async let found: (wrong: Int, seen: Int) = Task.detached {
            var wrong = 0, seen = 0, last = 0.0
            while last < 200_000 {
                guard let (time, motion) = ring.newest, time > last else { continue }
                (last, seen) = (time, seen + 1)
                if motion != Self.motion(time) { wrong += 1 }
            }
            return (wrong, seen)
        }.value
        for step in 1...200_000 { ring.append(time: Double(step), Self.motion(Double(step))) }
        let (wrong, seen) = await found
        #expect(wrong == 0 && seen > 0)
    }
}
