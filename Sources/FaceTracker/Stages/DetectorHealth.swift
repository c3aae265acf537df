public import Geometry
public import Processes

/// How a detector does, as `status` tells it.
public struct DetectorHealth: Sendable, Equatable {
    /// The name of the source: `camera`, `exec`, `unix`, ...
    public var name: String
    /// Whether it works.
    public var state: ProcessWatch.State
    /// Which detector it is, as it said itself; nil: it has not yet.
    public var detector: String?
    /// How often it was started again.
    public var restarts: Int
    /// What went wrong last, in words; nil: nothing.
    public var problem: String?
    /// From a picture that is there to its rectangles, seconds, the median of the last ones; nil: not known.
    public var latency: Seconds?
    /// The same, of 19 in 20 pictures.
    public var latencyP95: Seconds?

    /// A detector that begins.
    public init(
        name: String, state: ProcessWatch.State = .starting, detector: String? = nil, restarts: Int = 0,
        problem: String? = nil
    ) {
        (self.name, self.state, self.detector) = (name, state, detector)
        (self.restarts, self.problem) = (restarts, problem)
    }
}
