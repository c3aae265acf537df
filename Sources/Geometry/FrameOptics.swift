/// Which camera took a frame, and how much its picture is magnified.
public struct FrameOptics: Sendable, Equatable {
    /// The place of the camera among the rig's cameras, from 0.
    public var camera: Int
    /// The magnification of the picture, 1 = as wide as the camera sees; within `possible`.
    public var zoom: Double

    /// Creates the optics of a frame. A magnification that is impossible counts as none, and a camera that is impossible
    /// as the first one.
    public init(camera: Int = 0, zoom: Double = 1) {
        self.camera = Self.cameras.contains(camera) ? camera : 0
        self.zoom = Self.possible.contains(zoom) ? zoom : 1
    }

    /// The first camera, without magnification.
    public static let usual = FrameOptics()

    /// The magnifications that a picture can have.
    public static let possible = 1.0...100.0
    /// The places that a camera can have. A profile describes as many.
    public static let cameras = 0..<4
}
