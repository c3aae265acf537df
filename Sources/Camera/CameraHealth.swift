public import Processes

/// How a camera does, as `status` tells it.
public struct CameraHealth: Sendable, Equatable {
    /// Which one it is.
    public var name: String
    /// Whether pictures come.
    public var state: ProcessWatch.State = .starting
    /// How often it was opened again.
    public var restarts = 0
    /// What went wrong last, in words; nil: nothing.
    public var problem: String?
    /// Size of a picture in pixels; nil: not known yet.
    public var width: Int?, height: Int?
    /// Pictures a second, as they come; nil: none come.
    public var framesPerSecond: Double?
    /// The times of its pictures are guessed from their arrival; nil: not known yet.
    public var isEstimated: Bool?

    /// A camera that is about to be opened.
    public init(name: String) { self.name = name }
}
