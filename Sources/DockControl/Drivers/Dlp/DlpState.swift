internal import Geometry

/// The greeting of a dock, and the identity of the dock that answered it.
struct DlpGreeting: Sendable {
    /// When the next HELLO is due.
    var nextAt: Seconds = 0
    /// Whether a whole HELLO was sent in this conversation.
    var isSent = false
    /// When the dock last identified itself.
    var answeredAt: Seconds = 0
    /// The dock's boot counter, or nil if it has not answered.
    var bootID: UInt16?
    /// The unique ID of the dock to which the driver talks.
    var uniqueID: UInt64?
}

/// The requested state of the dock's torque, and the state that the dock reports.
struct DlpTorque: Sendable {
    /// Whether the torque stays off during the greeting.
    var staysOff = false
    /// Whether the dock has confirmed the requested torque, on or off.
    var isConfirmed = false
    /// Whether a person switched the torque off, or the dock did so by itself. This survives every handshake until the
    /// torque is switched on.
    var isReleased = false
    /// Whether `released` or `letGo` has been reported for this.
    var isReleaseReported = false
    /// The time from which reports that the torque is off are accepted. An acknowledgement is always accepted.
    var releaseReportedFrom: Seconds = 0
    /// When the torque was last requested. It is nil once the result has been evaluated.
    var askedAt: Seconds?
    /// The boot in which the dock last confirmed that its torque is on. If the dock is greeted again in the same boot,
    /// it is not commanded to hold before it has reported that it still does, because it may have switched its torque
    /// off in between.
    var armedBoot: UInt16?
    /// Whether the dock was greeted again in the same boot and has not yet reported whether it still holds.
    var isAwaited = false
    /// The number of consecutive reports without torque although it was switched on.
    var reportsWithout = 0
    /// The dock's clock in its newest report, in microseconds, and when the report arrived.
    var newestReport: (microseconds: UInt32, at: Seconds)?
}

/// The latch that the dock reports, and the clear request for it.
struct DlpLatch: Sendable {
    /// The fault that latches the dock, or nil if there is none.
    var fault: DockFault?
    /// The clear request that the dock has not answered yet: its sequence number, and how long to wait for the answer.
    var clearing: (sequence: UInt8, until: Seconds)?
}
