import DockSimulator
import DockTypes
import Geometry
import Testing

@testable import DockControl

/// A rig with several cameras: each proves the signs for itself, and none renews the room of another.
@Suite struct SignPlacesTests {
    /// Looks through another camera, as the pipeline says it.
    private static func look(_ rig: inout SignRig, through camera: Int) {
        rig.director.steer(by: .newView(camera: camera), poses: PoseHistory(), now: rig.now)
        rig.director.signPlaces.settle(&rig.director.pursuit.signs, &rig.director.greetingNod)
    }

    /// Runs with a camera that is named every `period` seconds. Returns how far the head went, in degrees.
    /// `discards`: without what is kept for each camera.
    private static func alternate(
        _ build: SignRig.Build, every period: Seconds, _ time: Seconds, discards: Bool = false
    ) -> (SignRig, Double) {
        var rig = SignRig(build, rate: 15, seed: 3) { time in
            .degrees(pan: 8 + 4 * ((time - 100) / 3).rounded(.down), tilt: 0)
        }
        var farthest = 0.0, camera = 0
        for _ in 0..<Int(time / period) where rig.struck == nil {
            rig.run(period)
            farthest = max(farthest, abs(rig.plant.pose.pan.inDegrees))
            camera = 1 - camera
            look(&rig, through: camera)
            if discards { rig.director.forgetSigns() }
        }
        return (rig, farthest)
    }

    @Test(arguments: [0.3, 0.7, 1.5])
    func `cameras that are named in turn do not discard the evidence against a mirrored picture`(period: Double) {
        let (rig, farthest) = Self.alternate(SignRig.Build(mirrored: true), every: period, 60)
        #expect(farthest < 45, "the head went \(farthest) degrees; \(String(describing: rig.struck))")
        // Looks of 0.3 s are too short for a verdict. The head then stays in its range.
        #expect(rig.struck != nil || period < 0.5)
        // Without what is kept, such a camera would never be found.
        let (blind, _) = Self.alternate(SignRig.Build(mirrored: true), every: period, 60, discards: true)
        #expect(period != 0.7 || blind.struck == nil)
    }

    @Test func `a camera that was proven is still proven after another was in use`() {
        var rig = SignRig(rate: 15, seed: 3) { .degrees(pan: 10 * (($0 - 100) / 4).rounded(.down), tilt: 3) }
        rig.run(12)
        #expect(rig.director.pursuit.signs.isProven(.pan))
        Self.look(&rig, through: 1)
        #expect(!rig.director.pursuit.signs.isProven(.pan), "it may be mounted otherwise")
        rig.run(1)
        Self.look(&rig, through: 0)
        #expect(rig.director.pursuit.signs.isProven(.pan))
    }

    @Test func `an axis without proof keeps its range from one camera to the next`() {
        var reach = UnprovenReach()
        for step in 0...120 {
            reach.recordPose(.degrees(Double(step) * 0.25), isTracked: true, now: Double(step) * 0.02)
        }
        #expect(!reach.allows(1) && reach.allows(-1))
        let there = reach.moved(to: .degrees(-50))
        #expect(!there.allows(1) && there.allows(-1), "the room is that from before, wherever the head is now")
    }

    @Test func `a verdict is not lost when another camera is named in the same moment`() {
        var rig = SignRig(SignRig.Build(mirrored: true), rate: 15, seed: 3) { _ in .degrees(pan: 10, tilt: 3) }
        rig.run(40)
        #expect(rig.verdict != nil)
        Self.look(&rig, through: 1)
        #expect(rig.verdict != nil)
        rig.director.forgetSigns()
        #expect(rig.verdict == nil)
    }

    @Test func `in mode custom a detector's cameras change nothing`() {
        var rig = SignRig(rate: 15, seed: 3) { .degrees(pan: 10 * (($0 - 100) / 4).rounded(.down), tilt: 3) }
        rig.run(12)
        let before = rig.director.pursuit.signs
        _ = rig.director.apply(.setMode(.custom), now: rig.now, pose: nil)
        rig.director.steer(by: .newView(camera: 2), poses: PoseHistory(), now: rig.now)
        #expect(Axis.allCases.allSatisfy { rig.director.pursuit.signs.isProven($0) == before.isProven($0) })
    }
}
