/// The known state of the camera on the dock.
public struct CameraState: Sendable, Equatable {
    /// The magnification; 1 is none.
    public var magnification = 1.0
    /// Whether a recording is in progress.
    public var isRecording = false
    /// The index of the camera, from 0.
    public var device = 0

    /// Creates the initial state: not magnified, not recording, the first camera.
    public init() {}
}
