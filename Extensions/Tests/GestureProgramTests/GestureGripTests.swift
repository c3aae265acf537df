import DockClient
import DockTestKit
import Geometry
import Testing

@testable import dockface_gesture

/// The right to move the head, beside a daemon that only answers.
@Suite(.timeLimit(.minutes(10))) struct GestureGripTests {
    @Test func `the end of a grip ends its motion, and not the stop of a palm`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        var grip = GestureGrip(dock)
        try await grip.engage()
        try await grip.aim(PanTilt(pan: 0.1, tilt: 0))
        // A stop of this program binds others until this program sets the mode.
        try await dock.stop()
        await grip.release()
        let methods = daemon.requests.map(\.method)
        #expect(methods.contains("cancelMotion") && grip.motion == nil)
        #expect(methods.last { ["stop", "setTrackingMode"].contains($0) } == "stop")
    }

    @Test func `a stop that comes while the right is taken is not undone`() async throws {
        let daemon = try FakeDaemon(), dock = try await Dock.connect(path: daemon.path)
        defer { dock.close() }
        var grip = GestureGrip(dock)
        try await grip.engage(isStopped: { true })
        try await grip.animate("yes", isStopped: { true })
        let methods = daemon.requests.map(\.method)
        #expect(methods.count { $0 == "acquireControl" } >= 1)
        #expect(!methods.contains("setTrackingMode") && !methods.contains("animate"))
    }
}
