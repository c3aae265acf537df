public import DockTypes
public import Geometry

/// A command about the dock's motion: one case per verb, the same for keys, command words and programs.
public enum MotionCommand: Sendable, Equatable {
    /// Sets the tracking mode.
    case setMode(TrackingMode)
    /// Sets where the subject is placed in the frame.
    case setFraming(FramingMode)
    /// Sets the region of interest of the frame.
    case setRegion(Rect)
    /// A pulse from a chevron key, which takes the dock over: a velocity in rad/s, and its duration in seconds.
    case chevron(PanTilt, duration: Seconds)
    /// A manual velocity: rad/s, and seconds until it expires.
    case velocity(PanTilt, duration: Seconds)
    /// A manual move: radians, seconds (0 = as fast as the limits allow).
    case orient(PanTilt, duration: Seconds, relative: Bool)
    /// A manual move to the home pose.
    case home
    /// A motion script, built in or taught. The mode is restored after it.
    case animate(MotionScript)
    /// A small motion that accompanies an expression, if nothing else moves the dock.
    case gesture(MotionScript)
    /// Looks in a direction (rad) for some seconds while tracking sees no person, because a person is expected there.
    case expect(PanTilt, duration: Seconds)
    /// Ends the motion with this number, with an outcome.
    case cancel(MotionID, MotionOutcome)
    /// Sets the limits of this session.
    case setLimits(pan: LimitChange, tilt: LimitChange)
    /// Sets the fraction of the rig's speed for manual motion, 0.01...1.
    case setSpeed(Double)
    /// Lowers the speed of every kind of motion to a fraction (0.1...1) for a time (at most 2 s), because a person is near.
    case slow(Double, for: Seconds)
    /// Stops now and holds; the mode becomes manual.
    case stop
    /// Stops now and latches.
    case emergencyStop
    /// Clears a latch.
    case clear
    /// Switches the torque on, or off so that a hand can move the head.
    case torque(Bool)
}

/// A change of one axis' limit in this session.
public enum LimitChange: Sendable, Equatable {
    /// Keeps the limit.
    case keep
    /// Restores the rig's own limit.
    case own
    /// Sets a range from `low` to `high`, in radians, and a top speed in rad/s, or nil for the rig's own speed. The
    /// values are not checked yet.
    case set(low: Double, high: Double, speed: Double?)
}

/// The reason for the dock's behaviour, as `status --why` shows it.
public enum MotionReason: String, Sendable {
    /// It moves as commanded.
    case moving = "moving as wanted"
    /// No source requests motion.
    case nothingToDo = "no motion requested"
    /// The subject is at its place in the frame.
    case deadZone = "the subject is in place"
    /// No subject is in sight.
    case noSubject = "no subject in sight"
    /// A soft limit stops it.
    case limit = "a limit holds it back"
    /// No frames arrive from the detector.
    case detectorStale = "no frames from the detector"
    /// No dock is attached.
    case notConnected = "no dock attached"
    /// The dock was just attached and waits until hands are away.
    case arming = "waiting before the first motion"
    /// A fault is latched.
    case faulted = "stopped by a fault: type `dockface clear`"
    /// The dock's pose is unknown.
    case poseUnknown = "the dock does not report its position"
    /// A battery is critical.
    case batteryCritical = "a battery is critical: charge it"
    /// The camera's lens is on its way.
    case lensMoving = "the camera zooms"
    /// Torque is off.
    case torqueOff = "torque is off: type `torque on`"
}

/// The reason for the behaviour of each axis.
public struct AxisReasons: Sendable, Equatable {
    /// Pan.
    public var pan: MotionReason
    /// Tilt.
    public var tilt: MotionReason

    /// Creates reasons from one for each axis.
    public init(pan: MotionReason, tilt: MotionReason) {
        self.pan = pan
        self.tilt = tilt
    }

    /// Creates the same reason for both axes.
    public init(_ both: MotionReason) { self.init(pan: both, tilt: both) }

    /// The reasons in mode `manual`, which ends tracking: its last decision no longer applies.
    package var withoutTracking: AxisReasons {
        func current(_ reason: MotionReason) -> MotionReason {
            [.noSubject, .deadZone, .detectorStale, .lensMoving].contains(reason) ? .nothingToDo : reason
        }
        return AxisReasons(pan: current(pan), tilt: current(tilt))
    }
}
