public import Geometry

/// What a driver reads about the lens of the rig's own camera.
public struct LensReport: Sendable, Equatable {
    /// The magnification; 1 is none, as the profile's field of view states.
    public var magnification: Double
    /// Whether the lens is on its way to another magnification.
    public var isMoving: Bool
    /// When this was read, CLOCK_MONOTONIC.
    public var time: Seconds

    /// Creates a report from its values.
    public init(magnification: Double, isMoving: Bool, time: Seconds) {
        self.magnification = magnification
        self.isMoving = isMoving
        self.time = time
    }
}

/// The camera that tracking uses, and its lens. While the lens zooms, frames show neither the old angles nor the new
/// ones, so tracking waits.
struct Lens: Sendable {
    /// The camera of the last frame.
    var camera: CameraModel
    /// The magnification of the rig's own camera.
    private(set) var magnification = 1.0
    /// The end of the last zoom, CLOCK_MONOTONIC: infinity while the lens moves. Frames from before it are not used.
    private var restsFrom: Seconds = -.infinity

    /// Creates the lens of a camera, at rest and without magnification.
    init(of camera: CameraModel) { self.camera = camera }

    /// Whether the lens is on its way.
    var isMoving: Bool { restsFrom == .infinity }
    /// The magnification of the camera that tracking uses. A camera beside the rig has none.
    var factor: Double { camera.mount == .head ? magnification : 1 }

    /// Whether tracking must wait for it. A camera beside the rig has another lens.
    var makesWait: Bool { isMoving && camera.mount == .head }

    /// Returns whether a frame with this exposure (CLOCK_MONOTONIC) shows the present magnification.
    func shows(_ exposure: Seconds) -> Bool { exposure >= restsFrom || camera.mount != .head }

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
