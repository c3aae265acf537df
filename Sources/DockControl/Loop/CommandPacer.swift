public import Geometry

/// Schedules the set-points: at once on a frame or a command, and otherwise at the refresh rate while something moves.
/// Two set-points are never closer than 1/60 s, and none goes just before an expected frame.
public struct CommandPacer: Sendable, Equatable {
    /// The time between refreshes, in seconds.
    public let refresh: Seconds
    /// The time of the last set-point, CLOCK_MONOTONIC.
    public private(set) var lastSent: Seconds?
    private var lastDecision: Seconds?
    private var lastFrame: Seconds?
    private var period: Seconds?

    /// The shortest time between two set-points, in seconds.
    public static let closest: Seconds = 1.0 / 60
    /// The shortest time between two set-points that the line and the device accept, in seconds.
    public let interval: Seconds

    /// Creates a pacer that refreshes at `rate` Hz while something moves and never sends more than `most` set-points a
    /// second.
    public init(rate: Double, most: Double = 60) {
        let most = most.clamped(to: 1...60)
        interval = max(Self.closest, 1 / most)
        refresh = max(interval, 1 / rate.clamped(to: 10...60))
    }

    /// Records the arrival of a frame, so that the refresh does not delay the next frame's set-point.
    public mutating func frameArrived(now: Seconds) {
        if let lastFrame, now > lastFrame {
            let gap = min(now - lastFrame, 0.5)
            period = period.map { $0 + 0.25 * (gap - $0) } ?? gap
        }
        lastFrame = now
    }

    /// Returns whether a set-point may be sent now.
    public func maySend(now: Seconds) -> Bool {
        guard let lastSent else { return true }
        return now - lastSent >= interval - 0.000_2
    }

    /// Records that a decision was made, with or without a set-point. The next refresh counts from here.
    public mutating func decided(now: Seconds) { lastDecision = now }

    /// Records that a set-point was sent.
    public mutating func sent(now: Seconds) {
        lastSent = now
        lastDecision = now
    }

    /// Returns the time when the next refresh is due.
    public func nextRefresh(now: Seconds) -> Seconds {
        let due = (lastDecision ?? now) + refresh
        guard let lastFrame, let period else { return due }
        // If a frame is expected within 1/60 s after the refresh, its set-point is fresher, and the refresh would only
        // delay it. The same applies to a refresh while a frame is a little late.
        let expected = lastFrame + period, patience = min(period / 2, Self.closest)
        return due > expected - Self.closest && due < expected + patience ? expected + patience : due
    }
}
