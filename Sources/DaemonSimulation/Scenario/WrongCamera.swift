internal import Geometry

/// A camera that does not match the profile.
public enum WrongCamera: String, Sendable {
    /// Its image is mirrored.
    case mirrored
    /// It stands beside the dock and does not turn with it.
    case fixed

    /// Axes whose motion the image shows wrongly.
    var axes: [Axis] { self == .mirrored ? [.pan] : [.pan, .tilt] }
}

/// Frames that are worse than usual, from a camera that does not match the profile.
public struct RoughSight: Sendable, Equatable {
    /// Frames per second.
    public let frameRate: Double
    /// Tremble of a face's centre (standard deviation), as a fraction of the frame's width.
    public let noise: Double
    /// Hello messages of the detector per second.
    public let hellos: Double

    init(_ teller: inout ScenarioGenerator) {
        frameRate = teller.pick([5, 15, 60, 160])
        noise = teller.pick([0.01, 0.02, 0.035, 0.05])
        hellos = teller.pick([0, 3, 10])
    }
}
