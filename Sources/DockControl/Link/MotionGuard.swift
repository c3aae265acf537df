public import Geometry

/// An action that a guard took because the loop was silent.
public struct GuardIntervention: Sendable, Equatable {
    /// The age of the last heartbeat, in seconds.
    public var silence: Seconds
    /// Whether the whole stop was written.
    public var wrote: Bool

    /// Creates an intervention after this many seconds of silence.
    public init(silence: Seconds, wrote: Bool) {
        self.silence = silence
        self.wrote = wrote
    }
}

/// Stops the dock when its loop cannot. The guard receives the loop's heartbeat. If the heartbeat stops while the dock
/// moves, or if the daemon is gone, the guard writes the driver's stop. While the heartbeat continues, it never writes.
///
/// The loop thread owns the guard as it owns the port. No call waits.
public protocol MotionGuard: AnyObject {
    /// The descriptor for `poll`. It is readable when the guard has a report or is gone. It is -1 if there is nothing
    /// to wait for.
    var descriptor: Int32 { get }
    /// Whether the guard is ready and responds, as far as is known.
    var isAlive: Bool { get }
    /// Whether a new guard was started and has not reported yet. `takeIntervention` detects its report.
    var isAwaited: Bool { get }
    /// Hands an opened port to the guard, which from now on can stop the dock with these bytes: 1...256, valid in any
    /// state of the dock.
    func watch(_ link: any ByteLink, stop: [UInt8])
    /// Sends one heartbeat at `now` (CLOCK_MONOTONIC). Does not allocate.
    func beat(moving: Bool, now: Seconds)
    /// Makes the guard release the port, which is about to be closed.
    func release()
    /// Returns the guard's next action that has not been reported yet.
    func takeIntervention() -> GuardIntervention?
    /// Starts a new guard in place of one that is gone. Returns false if no guard is available. The new guard is ready
    /// when it `isAlive`, at once or a moment later. The caller must then give it the port.
    func renew() -> Bool
}

extension MotionGuard {
    /// Always false by default, because most guards are ready at once.
    public var isAwaited: Bool { false }
}

/// The schedule of heartbeats. They are sent immediately before the first motion and after the last one, and every 50
/// ms in between. At rest none are sent, and the guard expects none.
public struct GuardPulse: Sendable, Equatable {
    /// The shortest time between heartbeats while moving, in seconds.
    public static let interval: Seconds = 0.05
    /// The silence after which the loop of a moving dock counts as hung, in seconds. It equals the deadman's time.
    public static let timeout: Seconds = 0.25

    /// Whether the guard assumes that the dock moves.
    public private(set) var isMoving = false
    private var last: Seconds = -.infinity

    /// Creates a pulse for a guard that assumes no motion.
    public init() {}

    /// Returns whether a heartbeat is due now. If so, the caller must send it.
    public mutating func isDue(moving: Bool, now: Seconds) -> Bool {
        // A loop that wakes for its refresh every 50 ms is slightly early as often as it is late.
        guard moving != isMoving || (moving && (now - last >= Self.interval - 0.002 || now < last)) else {
            return false
        }
        isMoving = moving
        last = now
        return true
    }

    /// Assumes no motion again, because the guard was given a port or was replaced.
    public mutating func reset() { self = GuardPulse() }
}
