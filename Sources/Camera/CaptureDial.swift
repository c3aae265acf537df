internal import Geometry
internal import Processes

/// What other threads want of a camera. The newest value counts.
final class CaptureDial: Sendable {
    struct Setting: Sendable, Equatable {
        /// The place of the camera in the list of cameras.
        var camera = 0
        /// The magnification, within `FrameOptics.possible`.
        var zoom = 1.0
    }

    private let state = Locked(Setting())

    var setting: Setting { state.withLock { $0 } }

    func select(_ camera: Int) { state.withLock { $0.camera = camera } }

    func magnify(_ zoom: Double) { state.withLock { $0.zoom = FrameOptics(zoom: zoom).zoom } }
}
