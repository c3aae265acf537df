public import Geometry
public import Processes

/// The state of a detector, as `status` reports it.
public struct DetectorHealth: Sendable, Equatable {
    /// The name of the source: `camera`, `exec`, `unix`, ...
    public var name: String
    /// The state of its process or connection.
    public var state: ProcessWatch.State
    /// The detector's own name, or nil before its hello.
    public var detector: String?
    /// How often it was restarted.
    public var restarts: Int
    /// The last problem, in words, or nil if there is none.
    public var problem: String?
    /// The median time from a frame's arrival to its rectangles, over the last frames, in seconds, or nil if unknown.
    public var latency: Seconds?
    /// The 95th percentile of that time.
    public var latencyP95: Seconds?

    /// Creates a detector that is starting.
    public init(
        name: String, state: ProcessWatch.State = .starting, detector: String? = nil, restarts: Int = 0,
        problem: String? = nil
    ) {
        (self.name, self.state, self.detector) = (name, state, detector)
        (self.restarts, self.problem) = (restarts, problem)
    }
}
