/// The known state of the camera on the dock.
public struct CameraState: Sendable, Equatable {
    /// Magnification; 1: none.
    public var magnification = 1.0
    /// Whether a recording runs.
    public var isRecording = false
    /// Index of the camera, from 0.
    public var device = 0

    /// Not magnified, not recording, the first camera.
    public init() {}
}
