public import DockControl
public import Geometry

/// A guard that stands and has nothing to do.
public final class IdleGuard: MotionGuard {
    /// Nobody waits for it.
    public let descriptor: Int32 = -1
    /// It stands.
    public let isAlive = true
    /// A guard of its own.
    public init() {}
    /// Does nothing.
    public func watch(_ link: any ByteLink, stop: [UInt8]) {}
    /// Does nothing.
    public func beat(moving: Bool, now: Seconds) {}
    /// Does nothing.
    public func release() {}
    /// It never had to.
    public func takeIntervention() -> GuardIntervention? { nil }
    /// It stands still.
    public func renew() -> Bool { true }
}
