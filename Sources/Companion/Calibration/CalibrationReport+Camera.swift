internal import DockControl
internal import Geometry
internal import Glibc

/// The camera's part of the report.
extension CalibrationReport {
    /// The error up to which frame times count as correct, in seconds. An error of at most three standard errors also
    /// counts as correct.
    static let mostLate: Seconds = 0.02
    /// The fractional error of a field of view that is not corrected. If the camera is 5 cm in front of the axis, a
    /// face half a metre away moves in the image by a tenth more than the head turns.
    static let mostZoom = 0.12

    /// The largest fraction of the image's motion that the head may not have caused if the lens is to be evaluated.
    static let stillest = 0.15

    mutating func add(_ camera: CameraFinding, panIsRight: Bool) {
        guard profile.camera.mount == .head else {
            return notes.append(
                "the camera is not on the head (camera.mount = \"fixed\"): turning the head does not measure it")
        }
        guard let fit = camera.fit else {
            return notes.append(
                camera.frames == 0
                    ? "the camera was not measured: the detector sent no frames"
                        + (camera.problem.map { "; its last problem: \($0)" } ?? "")
                    : "the camera was not measured: no face sat still in view while the head turned")
        }
        if let wrong = fit.axes.first(where: { $0.gain < 0 })?.axis {
            return notes.append(
                "the image moved in the direction of the head instead of against it: "
                    + remedy(wrong, panIsRight: panIsRight))
        }
        add(times: fit, camera.times)
        // A person who moved a little suffices to measure the times, but not the lens.
        if let pan = fit.axes.first(where: { $0.axis == .pan && $0.unexplained < Self.stillest }) {
            add(lens: pan.gain, camera.hasOwnLens)
        }
    }

    private func remedy(_ axis: Axis, panIsRight: Bool) -> String {
        guard axis == .pan else { return "it is upside down; set camera.rotate = 180 and calibrate again" }
        return panIsRight
            ? "it is mirrored; set camera.mirror = \(!profile.camera.mirror), or correct \"mirrored\" in the detector's hello"
            : "this is expected while pan turns the wrong way; calibrate again with the new profile"
    }

    private mutating func add(times fit: PictureFit, _ times: CalibrationCamera.Times) {
        let error = Self.decimals(fit.error * 1000, 1)
        guard times != .reported else {
            tell("camera: error of the frame times, ms", "0", "\(Self.decimals(fit.late * 1000, 1)) +-\(error)")
            if abs(fit.late) > max(Self.mostLate, 3 * fit.error) {
                notes.append(
                    "the detector's time of a frame is wrong by \(Self.decimals(fit.late * 1000, 0)) ms: it must report "
                        + "when a frame was taken, not when it was read; camera.latency_ms is not used for this detector"
                )
            }
            return
        }
        // Rounded down, like the rig's own latency.
        let latency = (profile.camera.latency + fit.late).clamped(to: 0...0.5)
        change("camera.latency_ms", Self.milliseconds(profile.camera.latency), Self.milliseconds(latency))
        profile.camera.latency = Self.whole(latency)
        tell("camera.latency_ms, standard error", "", error)
    }

    private mutating func add(lens gain: Double, _ hasOwnLens: Bool) {
        guard abs(gain - 1) > Self.mostZoom else { return }
        guard profile.camera.lens == nil || hasOwnLens else {
            return notes.append(
                "the image moved \(Self.decimals(gain)) times as far as the head, so [camera.lens] is wrong: measure it again "
                    + "with `dockface calibrate --camera`")
        }
        let old = profile.camera.horizontalFieldOfView, new = 2 * atan(tan(old / 2) / gain)
        let degrees = new.inDegrees.rounded()
        guard !hasOwnLens, (10...170).contains(degrees) else {
            return notes.append(
                "the image moved \(Self.decimals(gain)) times as far as the head: "
                    + (hasOwnLens
                        ? "correct \"intrinsics\" in the detector's hello"
                        : "no camera.hfov can correct this; check pan's unit"))
        }
        change("camera.hfov", Self.decimals(old.inDegrees), Self.decimals(degrees))
        profile.camera.horizontalFieldOfView = .degrees(degrees)
    }
}
