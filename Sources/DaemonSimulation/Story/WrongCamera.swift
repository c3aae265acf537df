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

/// Pictures that are worse than usual, before a camera that is not as the profile says.
public struct RoughSight: Sendable, Equatable {
    /// Pictures a second.
    public let frameRate: Double
    /// What the middle of a face trembles by (standard deviation), share of the picture's width.
    public let noise: Double
    /// So many times a second the detector says hello.
    public let hellos: Double

    init(_ teller: inout StoryTeller) {
        frameRate = teller.pick([5, 15, 60, 160])
        noise = teller.pick([0.01, 0.02, 0.035, 0.05])
        hellos = teller.pick([0, 3, 10])
    }
}
