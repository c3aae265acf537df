import DockSimulator
import FaceTracker
import Geometry
import Testing

@testable import Companion
@testable import DockControl

/// The sign guard in the closed loop over everything that was recorded, in virtual time.
@Suite struct SignLoopTests {
    private static let faces = #filePath.replacing("Tests/CompanionTests/SignLoopTests.swift", with: "Examples/faces/")

    @Test func `probe`() throws {
        for name in WatchLoopTests.scenes {
            for wrong in ["pan", "tilt", "both"] {
                let rig = CoreRig(mode: .system, scene: SceneCamera(
                    recording: try Recording(path: Self.faces + name + ".jsonl"), hfov: .degrees(100), loop: .pingpong,
                    profile: .dlpDock))
                rig.view = { PanTilt(pan: wrong == "tilt" ? $0.pan : -$0.pan, tilt: wrong == "pan" ? $0.tilt : -$0.tilt) }
                var turned = 0.0, last = rig.dock.pose, following = 0.0
                var lastTime = 0.0
                rig.watch = {
                    turned += ($0.dock.pose - last).magnitude
                    last = $0.dock.pose
                    if $0.core.director.pursuit.phase == .following { following += 0.001 }
                    if let t = $0.core.director.pursuit.sighting?.exposure, t != lastTime {
                        lastTime = t
                        if verbose == name + "-" + wrong {
                            let p = $0.core.director.pursuit
                            print("  ", ($0.now - 1000), p.sighting!.subject, p.sighting!.rect.center, last.pan.inDegrees, last.tilt.inDegrees, p.signs.describe)
                        }
                    }
                }
                let found = rig.run(40) { if case .faulted = $0.state { true } else { false } }
                print("PROBE", name, wrong, found, rig.now - 1000, following, turned.inDegrees, rig.notes.last ?? "")
            }
        }
    }
}
import Glibc
let verbose = getenv("V").map { String(cString: $0) } ?? ""
