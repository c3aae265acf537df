public import DockControl
public import Geometry

/// A guard that is ready and idle.
public final class IdleGuard: MotionGuard {
    /// Not waited for.
    public let descriptor: Int32 = -1
    /// Ready.
    public let isAlive = true
    /// Creates a guard.
    public init() {}
    /// Does nothing.
    public func watch(_ link: any ByteLink, stop: [UInt8]) {}
    /// Does nothing.
    public func beat(moving: Bool, now: Seconds) {}
    /// Does nothing.
    public func release() {}
    /// It never intervened.
    public func takeIntervention() -> GuardIntervention? { nil }
    /// It is still ready.
    public func renew() -> Bool { true }
}
