public import Geometry

/// What a guard did because the loop was silent.
public struct GuardIntervention: Sendable, Equatable {
    /// Age of the last heartbeat, seconds.
    public var silence: Seconds
    /// Whether the whole stop was written.
    public var wrote: Bool

    /// A stop after this many seconds of silence.
    public init(silence: Seconds, wrote: Bool) {
        self.silence = silence
        self.wrote = wrote
    }
}

/// Stops the dock when its loop cannot. The guard receives the loop's heartbeat. If the heartbeat stops while the dock moves, or
/// the daemon is gone, the guard writes the driver's stop. While the heartbeat continues, it never writes.
///
/// The loop thread owns the guard as it owns the port. No call waits.
public protocol MotionGuard: AnyObject {
    /// For `poll`: readable when the guard has a report or is gone; -1: nothing to wait for.
    var descriptor: Int32 { get }
    /// Whether the guard is ready and listens, as far as is known.
    var isAlive: Bool { get }
    /// A new guard was started and has not reported yet: `takeIntervention` will find out.
    var isAwaited: Bool { get }
    /// A port was opened: from now on the guard can stop the dock with these bytes, 1...256, valid in any state of the dock.
    func watch(_ link: any ByteLink, stop: [UInt8])
    /// One heartbeat at `now` (CLOCK_MONOTONIC). Does not allocate.
    func beat(moving: Bool, now: Seconds)
    /// The port is about to be closed: the guard lets go of it.
    func release()
    /// The next action that the guard has not reported yet.
    func takeIntervention() -> GuardIntervention?
    /// Starts a new guard in place of one that is gone; false: no guard is available. The new guard is ready when it `isAlive`,
    /// at once or a moment later. It must be given the port then.
    func renew() -> Bool
}

extension MotionGuard {
    /// Most guards are ready at once.
    public var isAwaited: Bool { false }
}

/// When heartbeats are sent: at once before the first motion and after the last, and every 50 ms in between. At rest there are
/// none, and the guard expects none.
public struct GuardPulse: Sendable, Equatable {
    /// Shortest time between heartbeats while moving, seconds.
    public static let interval: Seconds = 0.05
    /// A moving loop that is silent for longer counts as hung, seconds: the deadman's time.
    public static let timeout: Seconds = 0.25

    /// Whether the guard assumes that the dock moves.
    public private(set) var isMoving = false
    private var last: Seconds = -.infinity

    /// For a guard that knows of no motion.
    public init() {}

    /// Whether a heartbeat is due now; the caller sends it.
    public mutating func isDue(moving: Bool, now: Seconds) -> Bool {
        // A loop that wakes for its refresh every 50 ms is slightly early as often as it is late.
        guard moving != isMoving || (moving && (now - last >= Self.interval - 0.002 || now < last)) else {
            return false
        }
        isMoving = moving
        last = now
        return true
    }

    /// The guard was given a port, or was replaced: it knows of no motion.
    public mutating func reset() { self = GuardPulse() }
}
