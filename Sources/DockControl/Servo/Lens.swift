internal import Geometry

/// The camera that tracking uses, and its lens. While the lens zooms, frames show neither the old angles nor the new
/// ones, so tracking waits.
struct Lens: Sendable {
    /// The camera of the last frame.
    var camera: CameraModel
    /// The magnification of the rig's own camera.
    private(set) var magnification = 1.0
    /// The factor by which the picture moves farther than the camera's field of view says.
    private(set) var correction = 1.0
    /// The end of the last zoom, CLOCK_MONOTONIC: infinity while the lens moves. Frames from before it are not used.
    private var restsFrom: Seconds = -.infinity

    /// Creates the lens of a camera, at rest and without magnification.
    init(of camera: CameraModel) { self.camera = camera }

    /// Whether the lens is on its way.
    var isMoving: Bool { restsFrom == .infinity }
    /// The factor by which the picture is larger than the profile's or the detector's field of view says. It is 1 for a
    /// camera beside the rig.
    var factor: Double { camera.mount == .head ? magnification * correction : 1 }

    /// Whether tracking must wait for it. A camera beside the rig has another lens.
    var makesWait: Bool { isMoving && camera.mount == .head }

    /// Returns whether a frame with this exposure (CLOCK_MONOTONIC) shows the present magnification.
    func shows(_ exposure: Seconds) -> Bool { exposure >= restsFrom || camera.mount != .head }

    /// Corrects the field of view by a measured factor, within what a lens can explain.
    /// - Returns: whether anything has changed.
    mutating func correct(by gain: Double) -> Bool {
        let before = correction
        correction = (correction * gain).clamped(to: PictureGain.possible)
        camera = camera.magnified(by: correction / before)
        return correction != before
    }

    /// Forgets the correction, because another detector may use another camera.
    mutating func forgetCorrection() {
        camera = camera.magnified(by: 1 / correction)
        correction = 1
    }

    /// Records a report.
    mutating func handle(_ report: LensReport) {
        magnification = report.magnification
        if report.isMoving {
            restsFrom = .infinity
        } else if isMoving {
            restsFrom = report.time
        }
    }
}
