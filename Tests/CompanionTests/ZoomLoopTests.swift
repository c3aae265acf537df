import DockSimulator
import FaceTracker
import Geometry
import Testing
import TestSupport

@testable import Companion
@testable import DockControl

/// Tracking through the lens of a PTZ camera that zooms, against the simulated camera, in virtual time.
@Suite struct ZoomLoopTests {
    private typealias Rig = SceneRig<SimulatedRig<ViscaCamera>>

    private static func profile() throws -> RigProfile {
        try ProfileLibrary(folders: [Place.file("profiles")]).load("evi-d100")
    }

    /// A rig that follows the people of a recording, as a camera with this field of view (degrees) recorded them.
    private static func rig(_ recording: Recording, hfov: Double) throws -> Rig {
        let profile = try profile()
        let device = SimulatedRig<ViscaCamera>(
            model: RigModel(profile), options: profile.options, inverted: [], seed: 7, time: 1000)
        return Rig(
            device: device, driver: try DriverTable.make(for: profile), profile: profile, mode: .system,
            scene: SceneCamera(recording: recording, hfov: .degrees(hfov), loop: .pingpong, profile: profile))
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

    @Test(arguments: [false, true])
    func `the head waits while the lens moves, and then holds the face`(hidesLens: Bool) throws {
        let rig = try Self.rig(Self.face(300) { _ in 0.69 }, hfov: 70)
        rig.dock.electronics.quirks.hidesLens = hidesLens
        rig.run(6)
        #expect(rig.snapshot.phase == .following, "\(rig.notes)")
        let there = rig.dock.pose.pan.inDegrees
        #expect(there > 12, "\(there)")
        rig.zoom(to: 3)
        rig.run(0.3)
        #expect(rig.snapshot.reasons.pan == .lensMoving)
        var fastest = 0.0
        rig.watch = { fastest = max(fastest, $0.dock.rate.magnitude.inDegrees) }
        rig.run(0.6)
        #expect(fastest < 0.5 && rig.dock.magnification > 1.2, "\(fastest) at \(rig.dock.magnification)")
        rig.watch = { _ in }
        rig.run(5)
        #expect(abs(rig.dock.magnification - 3) < 0.01)
        var ends = (low: 99.0, high: -99.0), seen = 0, turns = 0
        rig.watch = {
            let pan = $0.dock.pose.pan.inDegrees
            ends = (min(ends.low, pan), max(ends.high, pan))
            (seen, turns) = (seen + ($0.snapshot.phase == .following ? 1 : 0), turns + 1)
        }
        rig.run(8)
        let isTold = rig.notes.contains { $0.contains("the camera's lens is at 3.0x") }
        #expect(rig.state == .ready && isTold, "\(rig.notes)")
        #expect(ends.high - ends.low < 0.8 && abs(ends.high - there) < 2, "\(ends), \(there) before")
        #expect(Double(seen) > 0.98 * Double(turns), "\(seen) of \(turns)")
    }

    @Test(arguments: [1.0, 3])
    func `a walking person is followed at any magnification`(magnification: Double) throws {
        // Six degrees a second, from side to side.
        let rig = try Self.rig(Self.face(250) { 0.2 + 0.05 * $0 }, hfov: 70)
        rig.run(4)
        rig.zoom(to: magnification)
        rig.run(12)
        #expect(abs(rig.dock.magnification - magnification) < 0.01)
        var seen = 0, turns = 0, widest = 0.0
        rig.watch = {
            (seen, turns) = (seen + ($0.snapshot.phase == .following ? 1 : 0), turns + 1)
            widest = max(widest, abs($0.dock.pose.pan.inDegrees))
        }
        rig.run(25)
        #expect(rig.state == .ready, "\(rig.state) \(rig.notes)")
        #expect(Double(seen) > 0.95 * Double(turns) && widest < 30, "\(seen) of \(turns), \(widest) degrees")
    }
}
