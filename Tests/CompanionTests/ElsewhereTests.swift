import DockControl
import DockSimulator
import Geometry
import TestSupport
import Testing

@testable import Companion

/// Frames from a camera that the head does not carry, beside a profile that says it does.
@Suite struct ElsewhereTests {
    private func rig(_ name: String) throws -> CoreRig {
        let rig = CoreRig(mode: .system, scene: try WatchLoopTests.scene(name)) { $0.cameraIsElsewhere = true }
        rig.view = { _ in .zero }
        return rig
    }

    /// With `mount = "head"` the same frames latch a fault within seven seconds: see `WatchLoopTests`.
    @Test(arguments: ["man-turning-head", "two-people", "woman-turning-head"])
    func `the head looks at people in such frames, and is never accused`(name: String) throws {
        let rig = try rig(name)
        #expect(!rig.run(60) { $0.state != .ready && $0.now > 1003 }, "\(rig.state) \(rig.notes)")
        #expect(rig.dock.maximumSpeedSeen > .degrees(3), "it never followed a person")
        // It looks into the camera's picture, not past it.
        #expect(abs(rig.dock.pose.pan) < .degrees(40) && abs(rig.dock.pose.tilt) < .degrees(30), "\(rig.dock.pose)")
    }

    @Test func `framing is refused once such frames have come, and says why`() throws {
        let rig = try rig("two-people")
        rig.run(0.01)
        guard case .success = rig.tell(.setFraming(.left)) else {
            Issue.record("without a frame nothing contradicts the profile")
            return
        }
        rig.run(5)
        guard case .failure(let error) = rig.tell(.setFraming(.right)) else {
            Issue.record("the camera does not turn with the head")
            return
        }
        #expect(error.code == .notSupportedByDevice && error.hint.contains("does not sit on the head"))
    }

    @Test func `a trace says so, and is read back`() throws {
        var options = LoopOptions(profile: .dlpDock, mode: .system)
        options.cameraIsElsewhere = true
        var line = TraceLineBuilder("trace", time: 0)
        TraceRun.add(TraceAbout(options: options, isHardware: false, hasGuard: false, hasInput: true), to: &line)
        let header = try #require(JSONValue(json: Array(line.ended.dropLast())))
        #expect(TraceRun.read(header)?.options.cameraIsElsewhere == true)
        #expect(options.trackingProfile.camera.mount == .fixed && options.profile.camera.mount == .head)
    }

    @Test func `the log says once why the head behaves differently`() throws {
        var options = SessionState.Options(
            hasFace: false, display: .fixed, endsWithInput: false, dryRun: false, seed: 1)
        options.cameraIsElsewhere = true
        var state = SessionState(options: options)
        let frame = TrackedFrame(sequence: 1, exposure: 1, subjects: [], selected: [], setPoint: Point(x: 0.5, y: 0.5))
        let first = state.handle(.tracked(frame), now: 1), second = state.handle(.tracked(frame), now: 2)
        #expect(first.contains(.log(.info, SessionState.cameraIsElsewhere)))
        #expect(!second.contains(.log(.info, SessionState.cameraIsElsewhere)))
    }
}
