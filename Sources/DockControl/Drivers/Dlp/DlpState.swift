internal import Geometry

/// The greeting of a dock, and who answered it.
struct DlpGreeting: Sendable {
    /// When the next HELLO is due.
    var nextAt: Seconds = 0
    /// A HELLO was sent in this conversation.
    var isSent = false
    /// When the dock last identified itself.
    var answeredAt: Seconds = 0
    /// The dock's boot counter; nil: it has not answered.
    var bootID: UInt16?
    /// Unique ID of the dock that the driver talks to.
    var uniqueID: UInt64?
}

/// What was requested of the dock's torque, and what the dock reports about it.
struct DlpTorque: Sendable {
    /// The greeting does not switch the torque on.
    var staysOff = false
    /// The dock has confirmed the requested torque, on or off.
    var isConfirmed = false
    /// A person switched the torque off, or the dock let go of it. This survives every handshake until the torque is switched on.
    var isReleased = false
    /// ... and `released` or `letGo` has been reported.
    var isReleaseTold = false
    /// Time from which reports that the torque is off are accepted; an acknowledgement is always accepted.
    var releaseReportedFrom: Seconds = 0
    /// When the torque was last requested; nil once the result has been judged.
    var askedAt: Seconds?
    /// The boot in which the dock last confirmed that its torque is on. If the dock is greeted again in the same boot, it is not
    /// commanded to hold before it has reported that it still does: it may have let go in between.
    var armedBoot: UInt16?
    /// The dock was greeted again in the same boot, and has not reported yet whether it still holds.
    var isAwaited = false
    /// Consecutive reports without torque although it was switched on.
    var reportsWithout = 0
    /// The dock's clock in its newest report, microseconds, and when the report arrived.
    var newestReport: (microseconds: UInt32, at: Seconds)?
}

/// The latch that the dock reports, and the clear request for it.
struct DlpLatch: Sendable {
    /// What the dock is latched by; nil: nothing.
    var fault: DockFault?
    /// The clear request that the dock has not answered yet: its sequence number, and until when to wait for the answer.
    var clearing: (sequence: UInt8, until: Seconds)?
}
