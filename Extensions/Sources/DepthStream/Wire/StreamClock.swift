public import Geometry

/// Finds the exposure of pictures on our clock, as a pure value for one connection.
///
/// The clock of a sender elsewhere is unknown, so the smallest delay that was seen counts as the way of the network: what
/// remains is the delay of this picture beyond that.
public struct StreamClock: Sendable, Equatable {
    /// How long a smallest delay counts, in seconds; two clocks drift apart.
    static let window: Seconds = 30
    /// The oldest picture of a sender on this machine whose time is accepted, in seconds.
    static let oldest: Seconds = 10

    private var started: Seconds?
    private var smallest: Seconds?, smallestBefore: Seconds?

    /// Creates a clock at the beginning of a connection.
    public init() {}

    /// Returns when a picture was exposed, CLOCK_MONOTONIC; never after its arrival.
    /// - Parameter isLocal: whether the sender is on this machine, and has the same clock if it says so.
    public mutating func exposure(_ note: SenderNote?, arrival: Seconds, isLocal: Bool) -> Seconds {
        guard let time = note?.time else { return arrival }
        let delay = arrival - time
        if isLocal, note?.isMonotonic == true, (0...Self.oldest).contains(delay) { return time }
        if let started, arrival - started < Self.window {
            smallest = min(smallest ?? delay, delay)
        } else {
            (smallestBefore, smallest, started) = (started == nil ? nil : smallest, delay, arrival)
        }
        let least = min(smallest ?? delay, smallestBefore ?? delay)
        // A jump of the sender's clock must not make a picture older than any that is useful.
        return arrival - (delay - least).clamped(to: 0...Self.oldest)
    }
}
