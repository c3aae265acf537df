public import Geometry

/// What a guard did because the loop was silent.
public struct GuardIntervention: Sendable, Equatable {
    /// How old the last heartbeat was, seconds.
    public var silence: Seconds
    /// The stop went out whole.
    public var wrote: Bool

    /// A stop after so many seconds of silence.
    public init(silence: Seconds, wrote: Bool) {
        self.silence = silence
        self.wrote = wrote
    }
}

/// What stops the dock when its loop cannot: it hears the loop's heart, and writes the driver's stop where that stands still
/// while the dock is being moved, or where the daemon is gone. It never writes while the heart beats.
///
/// The loop thread owns it as it owns the port. Nothing in it waits.
public protocol MotionGuard: AnyObject {
    /// For `poll`: readable when it has something to tell or is gone; -1: nothing to wait for.
    var descriptor: Int32 { get }
    /// It stands and listens, as far as is known.
    var isAlive: Bool { get }
    /// Another one was begun and has not reported yet: `takeIntervention` will find out.
    var isAwaited: Bool { get }
    /// A port was opened: from now on it can be stopped with these bytes, 1...256, right in any state of the dock.
    func watch(_ link: any ByteLink, stop: [UInt8])
    /// One heartbeat at `now` (CLOCK_MONOTONIC). Does not allocate.
    func beat(moving: Bool, now: Seconds)
    /// The port is about to be closed: it lets go of it.
    func release()
    /// What it did and has not told yet, one at a time.
    func takeIntervention() -> GuardIntervention?
    /// Begins a new one in the place of one that is gone; false: there is none to be had. It stands when it `isAlive`, at once
    /// or a moment later, and the port must be given to it then.
    func renew() -> Bool
}

extension MotionGuard {
    /// Most stand at once.
    public var isAwaited: Bool { false }
}

/// When the heart beats: at once before the first motion and after the last, and between them every 50 ms; at rest it is
/// silent, and a guard expects nothing then.
public struct GuardPulse: Sendable, Equatable {
    /// Beats while moving are no closer, seconds.
    public static let interval: Seconds = 0.05
    /// A moving loop that is silent for longer is taken for hung, seconds: the deadman's time.
    public static let timeout: Seconds = 0.25

    /// The guard believes that the dock is moved.
    public private(set) var isMoving = false
    private var last: Seconds = -.infinity

    /// A guard that knows of no motion.
    public init() {}

    /// Whether a beat is due now; the caller sends it.
    public mutating func isDue(moving: Bool, now: Seconds) -> Bool {
        // A loop that wakes for its refresh every 50 ms is a little early as often as it is late.
        guard moving != isMoving || (moving && (now - last >= Self.interval - 0.002 || now < last)) else {
            return false
        }
        isMoving = moving
        last = now
        return true
    }

    /// The guard was given a port, or is another one: it knows of no motion.
    public mutating func reset() { self = GuardPulse() }
}
