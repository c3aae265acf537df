public import Geometry

/// Schedules the set-points: at once on a frame or a command, and otherwise at the refresh rate while something moves.
///
/// A set-point with news may follow the last one as soon as the line has carried it. The time that it saves is owed: the
/// next one waits until it is made up. In any time there is therefore at most one set-point more than at a steady 60 a
/// second. A repeat of a stop keeps a whole interval from the one before it, so that one burst of noise cannot damage both.
/// The stop that ends all motion at once does not wait for the pacer. No refresh goes just before an expected frame.
public struct CommandPacer: Sendable, Equatable {
    /// The time between refreshes, in seconds.
    public let refresh: Seconds
    /// The time of the last set-point, CLOCK_MONOTONIC.
    public private(set) var lastSent: Seconds?
    private var lastWasStop = false
    /// When the next set-point would be due at a steady rate.
    private var steadyAt: Seconds = 0
    private var lastDecision: Seconds?
    private var lastFrame: Seconds?
    private var period: Seconds?

    /// The shortest mean time between two set-points, in seconds.
    public static let closest: Seconds = 1.0 / 60
    /// The shortest mean time between two set-points that the line and the device accept, in seconds.
    public let interval: Seconds
    /// The shortest time between two set-points, in seconds; at most `interval`.
    public let soonest: Seconds

    /// Creates a pacer.
    /// - Parameters:
    ///   - rate: the refresh rate while something moves, in Hz.
    ///   - most: the maximum number of set-points per second.
    ///   - setpointTime: the time that the line needs for a set-point, in seconds, or nil if the device accepts
    ///     set-points only at its own period.
    public init(rate: Double, most: Double = 60, setpointTime: Seconds? = nil) {
        let most = most.clamped(to: 1...60)
        interval = max(Self.closest, 1 / most, setpointTime ?? 0)
        soonest = min(setpointTime ?? interval, interval)
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

    /// The earliest time of the next set-point, CLOCK_MONOTONIC.
    public var earliest: Seconds {
        max((lastSent ?? 0) + (lastWasStop ? interval : soonest), steadyAt - interval)
    }

    /// Returns whether a set-point may be sent now.
    public func maySend(now: Seconds) -> Bool { now >= earliest - 0.000_2 }

    /// Records that a decision was made, with or without a set-point. The next refresh counts from here.
    public mutating func decided(now: Seconds) { lastDecision = now }

    /// Records that a set-point was sent. `isStop`: it stops both axes.
    public mutating func sent(now: Seconds, isStop: Bool = false) {
        (lastSent, lastWasStop) = (now, isStop)
        steadyAt = max(steadyAt, now) + interval
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
