import DockControl
import Geometry
import Testing

@testable import Companion

/// What a calibration concludes from camera frames.
@Suite struct CameraCalibrationTests {
    private func report(
        late: Seconds, gain: Double = 1, unexplained: Double = 0.05, times: CalibrationCamera.Times = .guessed,
        hasOwnLens: Bool = false, axis: Axis = .pan, change: (inout RigProfile) -> Void = { _ in }
    ) -> CalibrationReport {
        var profile = CalibrationTests.profile
        profile.camera.latency = 0.045
        change(&profile)
        var findings = CalibrationFindings(profile: profile, feedback: .measured)
        findings.pan.isSenseRight = true
        let fit = PictureFit(
            late: late, error: 0.002,
            axes: [PictureFit.Response(axis: axis, gain: gain, unexplained: unexplained)])
        return CalibrationReport(
            findings, camera: CameraFinding(fit: fit, times: times, hasOwnLens: hasOwnLens), date: "2026-01-31",
            isReal: true)
    }

    @Test func `frames with guessed times change the camera's latency, rounded down`() {
        let report = report(late: 0.0378)
        #expect(report.profile.camera.latency == 0.082)
        #expect(report.rows.contains { $0.name == "camera.latency_ms" && $0.old == "45" && $0.measured == "82" })
        #expect(self.report(late: -0.2).profile.camera.latency == 0)
        #expect(report.profile.camera.horizontalFieldOfView == CalibrationTests.profile.camera.horizontalFieldOfView)
    }

    @Test func `a detector that reports exposure times changes no latency, and a wrong time is reported`() {
        let right = report(late: 0.004, times: .reported), wrong = report(late: 0.08, times: .reported)
        #expect(right.profile.camera.latency == 0.045 && right.notes.allSatisfy { !$0.contains("is wrong by") })
        #expect(wrong.profile.camera.latency == 0.045 && wrong.notes.contains { $0.contains("is wrong by 80 ms") })
    }

    @Test func `an image that moves too far changes the field of view, if the person sat really still`() {
        #expect(abs(report(late: 0, gain: 1.3).profile.camera.horizontalFieldOfView.inDegrees - 53) < 0.01)
        #expect(report(late: 0, gain: 1.1).rows.allSatisfy { $0.name != "camera.hfov" })
        #expect(report(late: 0, gain: 1.3, unexplained: 0.2).rows.allSatisfy { $0.name != "camera.hfov" })
        #expect(report(late: 0, gain: 1.3, hasOwnLens: true).notes.contains { $0.contains("intrinsics") })
    }

    @Test func `a mirrored image, and a camera beside the head, change nothing and are reported with advice`() {
        let mirrored = report(late: 0.05, gain: -1)
        #expect(mirrored.profile.camera == report(late: 0).profile.camera)
        #expect(mirrored.notes.contains { $0.contains("camera.mirror = true") }, "\(mirrored.notes)")
        #expect(report(late: 0, gain: -1, axis: .tilt).notes.contains { $0.contains("camera.rotate = 180") })
        #expect(report(late: 0.05) { $0.camera.mount = .fixed }.notes.contains { $0.contains("not on the head") })
    }
}
