public import Processes

/// The state of a camera, as `status` reports it.
public struct CameraHealth: Sendable, Equatable {
    /// The camera's name.
    public var name: String
    /// Whether frames arrive.
    public var state: ProcessWatch.State = .starting
    /// How often it was reopened.
    public var restarts = 0
    /// The last problem, in words; nil for none.
    public var problem: String?
    /// Size of a frame in pixels; nil if unknown.
    public var width: Int?, height: Int?
    /// The measured frame rate, frames per second; nil if no frames arrive.
    public var framesPerSecond: Double?
    /// Whether the exposures are estimated from the arrivals; nil if unknown.
    public var isEstimated: Bool?

    /// A camera that is not open yet.
    public init(name: String) { self.name = name }
}
