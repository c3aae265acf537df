public import Processes

/// The state of a camera, as `status` reports it.
public struct CameraHealth: Sendable, Equatable {
    /// The camera's name.
    public var name: String
    /// The camera's place in the list of cameras.
    public var place = 0
    /// Whether frames arrive.
    public var state: ProcessWatch.State = .starting
    /// How often it was reopened.
    public var restarts = 0
    /// The last problem, in words, or nil if there is none.
    public var problem: String?
    /// The size of a frame in pixels, or nil if unknown.
    public var width: Int?, height: Int?
    /// The measured frame rate, in frames per second, or nil if no frames arrive.
    public var framesPerSecond: Double?
    /// Whether the exposures are estimated from the arrivals, or nil if unknown.
    public var isEstimated: Bool?

    /// Creates a camera that is not open yet.
    public init(name: String) { self.name = name }
}
