internal import DockControl
internal import Geometry
internal import Glibc

/// What the camera saw while the head went to and fro.
extension CalibrationReport {
    /// Times that are off by less than this, seconds, or by less than three standard errors, are as the detector says.
    static let mostLate: Seconds = 0.02
    /// A field of view that is wrong by less than this share is left: a camera 5 cm in front of the axis moves the picture of a
    /// face half a metre away by a tenth more than it turns.
    static let mostZoom = 0.12

    /// Share of the picture's motion that was not the head's, at most, for the lens to be judged.
    static let stillest = 0.15

    mutating func add(_ camera: CameraFinding, panIsRight: Bool) {
        guard profile.camera.mount == .head else {
            return notes.append(
                "the camera is not on the head (camera.mount = \"fixed\"): turning the head does not measure it")
        }
        guard let fit = camera.fit else {
            return notes.append(
                camera.frames == 0
                    ? "the camera was not measured: the detector has sent no picture"
                        + (camera.problem.map { "; it says: \($0)" } ?? "")
                    : "the camera was not measured: no face sat still in the picture while the head turned")
        }
        if let wrong = fit.axes.first(where: { $0.gain < 0 })?.axis {
            return notes.append(
                "the picture turned with the head instead of against it: " + remedy(wrong, panIsRight: panIsRight))
        }
        add(times: fit, camera.times)
        // Somebody who moved a little tells the time well enough, and nothing about the lens.
        if let pan = fit.axes.first(where: { $0.axis == .pan && $0.unexplained < Self.stillest }) {
            add(lens: pan.gain, camera.hasOwnLens)
        }
    }

    private func remedy(_ axis: Axis, panIsRight: Bool) -> String {
        guard axis == .pan else { return "it stands on its head; set camera.rotate = 180, and calibrate again" }
        return panIsRight
            ? "it is mirrored; set camera.mirror = \(!profile.camera.mirror), or mend what the detector says of it "
                + "(hello: \"mirrored\")"
            : "so it does while pan is the wrong way round; calibrate again with the profile that is written"
    }

    private mutating func add(times fit: PictureFit, _ times: CalibrationCamera.Times) {
        let error = Self.decimals(fit.error * 1000, 1)
        guard times != .told else {
            tell("camera: pictures are older than told, ms", "0", "\(Self.decimals(fit.late * 1000, 1)) +-\(error)")
            if abs(fit.late) > max(Self.mostLate, 3 * fit.error) {
                notes.append(
                    "the detector tells the time of its pictures, and is wrong by \(Self.decimals(fit.late * 1000, 0)) ms: it shall tell "
                        + "when a picture was taken, not when it was read; camera.latency_ms is not used for it")
            }
            return
        }
        // Downward, as the rig's own latency.
        let latency = (profile.camera.latency + fit.late).clamped(to: 0...0.5)
        change("camera.latency_ms", Self.milliseconds(profile.camera.latency), Self.milliseconds(latency))
        profile.camera.latency = Self.whole(latency)
        tell("camera.latency_ms, standard error", "", error)
    }

    private mutating func add(lens gain: Double, _ hasOwnLens: Bool) {
        guard abs(gain - 1) > Self.mostZoom else { return }
        let old = profile.camera.horizontalFieldOfView, new = 2 * atan(tan(old / 2) / gain)
        let degrees = new.inDegrees.rounded()
        guard !hasOwnLens, (10...170).contains(degrees) else {
            return notes.append(
                "the picture moved \(Self.decimals(gain)) times as far as the head: "
                    + (hasOwnLens
                        ? "mend the \"intrinsics\" in the detector's hello"
                        : "no camera.hfov makes that right; look after pan's unit"))
        }
        change("camera.hfov", Self.decimals(old.inDegrees), Self.decimals(degrees))
        profile.camera.horizontalFieldOfView = .degrees(degrees)
    }
}
