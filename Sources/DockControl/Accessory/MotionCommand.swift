public import Geometry

/// What somebody wants of the dock's motion: one case per verb, the same for keys, command words and programs.
public enum MotionCommand: Sendable, Equatable {
    /// Who steers.
    case setMode(TrackingMode)
    /// Where the subject is placed.
    case setFraming(FramingMode)
    /// The part of the picture that counts.
    case setRegion(Rect)
    /// A pulse from a chevron key, which takes the dock over: rad/s, seconds.
    case chevron(PanTilt, duration: Seconds)
    /// Manual velocity: rad/s, expires after so many seconds.
    case velocity(PanTilt, duration: Seconds)
    /// Manual move: radians, seconds (0 = as fast as the limits allow).
    case orient(PanTilt, duration: Seconds, relative: Bool)
    /// Manual move to the home pose.
    case home
    /// A motion script: built in or taught. The mode comes back after it.
    case animate(MotionScript)
    /// A small motion with an expression, when nobody else wants to move.
    case gesture(MotionScript)
    /// Ends a motion by its number, for a reason.
    case cancel(MotionID, MotionOutcome)
    /// Limits of this session.
    case setLimits(pan: LimitChange, tilt: LimitChange)
    /// Share of the rig's speed for manual motion, 0.01...1.
    case setSpeed(Double)
    /// Stop now, hold, manual.
    case stop
    /// Stop now, latched.
    case emergencyStop
    /// Release a latch.
    case clear
    /// Torque on, or off so that a hand can move the head.
    case torque(Bool)
}

/// What becomes of the session's limit of one axis.
public enum LimitChange: Sendable, Equatable {
    /// It stays.
    case keep
    /// The rig's own again.
    case own
    /// From `low` to `high`, radians, and no faster than `speed`, rad/s; nil: the rig's own speed. Not checked yet.
    case set(low: Double, high: Double, speed: Double?)
}

/// Why the dock does what it does; `status --why`.
public enum MotionReason: String, Sendable {
    /// It moves as wanted.
    case moving = "moving as wanted"
    /// Nothing wants it to move.
    case nothingToDo = "nothing wants it to move"
    /// The subject is where it shall be.
    case deadZone = "the subject is in place"
    /// Nobody is in sight.
    case noSubject = "nobody in sight"
    /// A soft limit holds it back.
    case limit = "a limit holds it back"
    /// No frames come from the detector.
    case detectorStale = "no frames from the detector"
    /// No dock is attached.
    case notConnected = "no dock attached"
    /// The dock has just been attached and waits for hands to be away.
    case arming = "waiting before the first motion"
    /// A latched fault.
    case faulted = "stopped by a fault: type `clear`"
    /// Where the dock is, is not known.
    case poseUnknown = "the dock does not tell where it is"
    /// The battery is critical.
    case batteryCritical = "a battery is critical: charge it"
    /// Torque is off.
    case torqueOff = "torque is off: type `torque on`"
}

/// Why each axis does what it does.
public struct AxisReasons: Sendable, Equatable {
    /// Pan.
    public var pan: MotionReason
    /// Tilt.
    public var tilt: MotionReason

    /// One reason for each axis.
    public init(pan: MotionReason, tilt: MotionReason) {
        self.pan = pan
        self.tilt = tilt
    }

    /// The same reason for both.
    public init(_ both: MotionReason) { self.init(pan: both, tilt: both) }
}
