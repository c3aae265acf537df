internal import Geometry
internal import Processes

/// What other threads want of a camera. The newest wish counts.
final class CaptureDial: Sendable {
    struct Wish: Sendable, Equatable {
        /// The place of the camera in the list of cameras.
        var camera = 0
        /// The magnification, within `FrameOptics.possible`.
        var zoom = 1.0
    }

    private let state = Locked(Wish())

    var wish: Wish { state.withLock { $0 } }

    func select(_ camera: Int) { state.withLock { $0.camera = camera } }

    func magnify(_ zoom: Double) { state.withLock { $0.zoom = FrameOptics(zoom: zoom).zoom } }
}
