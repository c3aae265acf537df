import DockSimulator
import FaceTracker
import Geometry
import Testing
import TestSupport

@testable import Companion
@testable import DockControl

/// Tracking while the daemon cuts out the middle of the picture, or while frames come from another camera of the rig,
/// against the simulated camera, in virtual time.
@Suite struct OpticsLoopTests {
    /// A dock of ours that follows a face which a camera with a wide lens recorded.
    private static func rig(_ recording: Recording, change: (inout RigProfile) -> Void = { _ in }) -> CoreRig {
        var profile = RigProfile.dlpDock
        change(&profile)
        return CoreRig(
            profile: profile, mode: .system,
            scene: SceneCamera(recording: recording, hfov: .degrees(70), loop: .pingpong, profile: profile))
    }

    /// A face at these places from frame to frame, 25 a second: normalised x of its left edge.
    private static func face(_ frames: Int, at x: (Seconds) -> Double) -> Recording {
        var text = #"{"type":"hello","v":1,"clock":"media","image":{"w":640,"h":360},"fps":25}"# + "\n"
        for index in 0..<frames {
            let time = Double(index) / 25, rect = "[\(x(time)),0.43,0.05,0.08]"
            text += #"{"type":"frame","seq":\#(index),"t":\#(time),"faces":[{"rect":\#(rect),"score":0.9}]}"# + "\n"
        }
        return Array(text.utf8).withUnsafeBytes { Recording($0) }
    }

    /// Runs and returns the ends between which the head turned, in degrees.
    private static func ends(_ rig: CoreRig, _ time: Seconds) -> (low: Double, high: Double) {
        var ends = (low: 999.0, high: -999.0)
        rig.watch = {
            let pan = $0.dock.pose.pan.inDegrees
            ends = (min(ends.low, pan), max(ends.high, pan))
        }
        rig.run(time)
        rig.watch = { _ in }
        return ends
    }

    @Test(arguments: [1.2, 2, 4])
    func `the head stays on a face that is magnified`(zoom: Double) {
        let rig = Self.rig(Self.face(300) { _ in 0.69 })
        rig.run(8)
        #expect(rig.snapshot.phase == .following, "\(rig.notes)")
        let there = rig.dock.pose.pan.inDegrees
        #expect(there > 12, "\(there)")
        rig.see(through: FrameOptics(zoom: zoom))
        let ends = Self.ends(rig, 6)
        #expect(ends.high - ends.low < 1.5 && abs(ends.low - there) < 1.5, "\(ends), \(there) before")
        #expect(rig.snapshot.phase == .following)
        // And back.
        rig.see(through: .usual)
        let back = Self.ends(rig, 6)
        #expect(back.high - back.low < 1.5 && rig.snapshot.phase == .following, "\(back)")
    }

    @Test func `without the magnification in the frames it would not stay`() {
        // The lens of the scene magnifies, but the frames do not say so: a face beside the middle seems farther away.
        let rig = Self.rig(Self.face(500) { 0.2 + 0.03 * $0 })
        rig.run(6)
        rig.see(through: FrameOptics(zoom: 4))
        let honest = Self.error(rig)
        let liar = Self.rig(Self.face(500) { 0.2 + 0.03 * $0 })
        liar.run(6)
        liar.concealsOptics = true
        liar.see(through: FrameOptics(zoom: 4))
        let concealed = Self.error(liar)
        #expect(honest < 15 && concealed > 4 * honest, "\(honest), \(concealed)")
    }

    /// The largest change of speed of the head within a few seconds, which shows that it hunts, in degrees per second.
    private static func error(_ rig: CoreRig) -> Double {
        rig.run(2)
        var low = 999.0, high = -999.0
        rig.watch = {
            low = min(low, $0.dock.rate.pan.inDegrees)
            high = max(high, $0.dock.rate.pan.inDegrees)
        }
        rig.run(4)
        rig.watch = { _ in }
        return high - low
    }

    @Test func `another camera brings its own lens and direction`() {
        let rig = Self.rig(Self.face(300) { _ in 0.69 }) { profile in
            var other = RigProfile.Camera()
            (other.horizontalFieldOfView, other.mount) = (.degrees(100), .fixed)
            profile.otherCameras[1] = other
        }
        rig.run(8)
        let there = rig.dock.pose.pan.inDegrees
        #expect(rig.snapshot.phase == .following && there > 12, "\(there)")
        rig.see(through: FrameOptics(camera: 1))
        rig.run(8)
        // The person is in the same direction for a camera beside the dock, which needs no framing.
        #expect(rig.snapshot.phase == .following && abs(rig.dock.pose.pan.inDegrees - there) < 3, "\(rig.notes)")
        #expect(rig.state == .ready, "\(rig.notes)")
        rig.see(through: .usual)
        rig.run(8)
        #expect(rig.snapshot.phase == .following && abs(rig.dock.pose.pan.inDegrees - there) < 3)
    }
}
