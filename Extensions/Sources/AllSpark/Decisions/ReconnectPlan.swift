public import Geometry

/// The time until the next attempt to connect, as a pure value: constant for a server that was there, and longer and
/// longer for one that has never answered.
public struct ReconnectPlan: Sendable, Equatable {
    /// The first delay, and the longest.
    public static let first: Seconds = 5, longest: Seconds = 60

    private var wasThere = false
    private var delay: Seconds = 0

    /// Creates the plan of a server that was not asked yet.
    public init() {}

    /// Records a connection.
    public mutating func connected() { (wasThere, delay) = (true, 0) }

    /// Records that there is no connection. Returns how long to wait.
    public mutating func failed() -> Seconds {
        guard !wasThere else { return Self.first }
        delay = delay == 0 ? Self.first : min(delay * 2, Self.longest)
        return delay
    }
}
