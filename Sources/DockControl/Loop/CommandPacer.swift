public import Geometry

/// When set-points go out: at once on a frame or a command, else at the refresh rate while something moves, never two
/// within 1/60 s, and not just before a frame that is about to come.
public struct CommandPacer: Sendable, Equatable {
    /// Time between refreshes, seconds.
    public let refresh: Seconds
    /// The last set-point, CLOCK_MONOTONIC.
    public private(set) var lastSent: Seconds?
    private var lastDecision: Seconds?
    private var lastFrame: Seconds?
    private var period: Seconds?

    /// Two set-points are never closer than this, seconds.
    public static let closest: Seconds = 1.0 / 60
    /// ... and no closer than this, where the line or the device takes no more, seconds.
    public let interval: Seconds

    /// Refreshes at `rate` Hz while something moves; never more than `most` a second.
    public init(rate: Double, most: Double = 60) {
        let most = most.clamped(to: 1...60)
        interval = max(Self.closest, 1 / most)
        refresh = max(interval, 1 / rate.clamped(to: 10...60))
    }

    /// A frame arrived: the refresh is timed so that it does not stand in the next frame's way.
    public mutating func frameArrived(now: Seconds) {
        if let lastFrame, now > lastFrame {
            let gap = min(now - lastFrame, 0.5)
            period = period.map { $0 + 0.25 * (gap - $0) } ?? gap
        }
        lastFrame = now
    }

    /// Whether a set-point may go out now.
    public func maySend(now: Seconds) -> Bool {
        guard let lastSent else { return true }
        return now - lastSent >= interval - 0.000_2
    }

    /// It was decided what to do, whether or not a set-point follows: the next refresh counts from here.
    public mutating func decided(now: Seconds) { lastDecision = now }

    /// A set-point went out.
    public mutating func sent(now: Seconds) {
        lastSent = now
        lastDecision = now
    }

    /// When the next refresh is due.
    public func nextRefresh(now: Seconds) -> Seconds {
        let due = (lastDecision ?? now) + refresh
        guard let lastFrame, let period else { return due }
        // A frame that is expected within 1/60 s after the refresh brings the fresher set-point, and the refresh would only
        // hold it up; so would one sent while a frame is a little late.
        let expected = lastFrame + period, patience = min(period / 2, Self.closest)
        return due > expected - Self.closest && due < expected + patience ? expected + patience : due
    }
}
