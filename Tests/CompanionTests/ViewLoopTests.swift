import DockSimulator
import FaceTracker
import Geometry
import Testing
import TestSupport

@testable import Companion
@testable import DockControl

/// Tracking with a profile that states a wrong field of view, in virtual time.
@Suite struct ViewLoopTests {
    private static func profile(hfov: Double) -> RigProfile {
        var profile = RigProfile.dlpDock
        profile.camera.horizontalFieldOfView = .degrees(hfov)
        return profile
    }

    /// One face that is at one side for three seconds, and then at the other one.
    private static func visitor() -> Recording {
        var text = #"{"type":"hello","v":1,"clock":"media","image":{"w":640,"h":360},"fps":25}"# + "\n"
        for index in 0..<300 {
            let time = Double(index) / 25, x = index / 75 % 2 == 0 ? 0.57 : 0.4
            let rect = "[\(x),0.4,0.07,0.12]"
            text += #"{"type":"frame","seq":\#(index),"t":\#(time),"faces":[{"rect":\#(rect),"score":0.9}]}"# + "\n"
        }
        return Array(text.utf8).withUnsafeBytes { Recording($0) }
    }

    private static func rig(
        _ recording: Recording, hfov: Double, stated: Double, model: RigModel = .good, seed: UInt64 = 7
    ) -> CoreRig {
        CoreRig(
            profile: profile(hfov: stated), model: model, mode: .system,
            scene: SceneCamera(
                recording: recording, hfov: .degrees(90), loop: .pingpong, profile: profile(hfov: hfov)), seed: seed)
    }

    private static func note(_ rig: CoreRig) -> String? { rig.notes.first { $0.contains("correct `camera.hfov`") } }

    @Test(arguments: [(66.0, 45.0), (45, 66), (66, 40)])
    func `a wrong field of view is noticed, named and corrected`(hfov: Double, stated: Double) throws {
        let rig = Self.rig(Self.visitor(), hfov: hfov, stated: stated)
        rig.run(30)
        #expect(rig.state == .ready, "\(rig.state) \(rig.notes)")
        let note = try #require(Self.note(rig), "\(rig.notes)")
        #expect(note.contains("instead of \(Int(stated)) degrees"), "\(note)")
        let corrected = try #require(note.split(separator: " ").compactMap { Double($0) }.first)
        #expect(abs(corrected - hfov) < 0.12 * hfov, "\(note)")
        var seen = 0, turns = 0
        rig.watch = { (seen, turns) = (seen + ($0.snapshot.phase == .following ? 1 : 0), turns + 1) }
        rig.run(12)
        #expect(Double(seen) > 0.95 * Double(turns), "\(seen) of \(turns)")
    }

    @Test(arguments: ["walking", "two-people", "walking-and-pause", "one-by-one"], [RigModel.good, .cheap])
    func `a correct field of view is never corrected`(name: String, model: RigModel) throws {
        let recording = try Recording(path: Place.faces(name))
        for seed in UInt64(1)...(isThorough ? 20 : 2) {
            let rig = Self.rig(recording, hfov: 66, stated: 66, model: model, seed: seed)
            rig.run(90)
            #expect(Self.note(rig) == nil, "\(name), \(seed): \(rig.notes)")
        }
    }
}
