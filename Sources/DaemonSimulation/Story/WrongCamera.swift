internal import Geometry

/// A camera that is not as the profile says.
public enum WrongCamera: String, Sendable {
    /// Its pictures are mirrored.
    case mirrored
    /// It stands beside the dock and does not turn with it.
    case fixed

    /// Axes whose turning the picture tells wrong.
    var axes: [Axis] { self == .mirrored ? [.pan] : [.pan, .tilt] }
}
