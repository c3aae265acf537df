public import DockTypes
public import Geometry

/// The loop's state at one moment, for screens, `status` and programs. Only the newest is kept.
public struct LoopSnapshot: Sendable, Equatable {
    /// CLOCK_MONOTONIC.
    public var time: Seconds = 0
    /// Whether there is a dock, and whether it may move.
    public var dock = DockState.detached(.notFound)
    /// What the dock reports about itself.
    public var device = DeviceReport()
    /// The mode.
    public var mode = TrackingMode.system
    /// The framing and the region.
    public var framing = Framing()
    /// The phase of tracking.
    public var phase = TrackingPhase.idle
    /// The owner of the motion.
    public var owner = MotionOwner.none
    /// The reason for the behaviour of each axis.
    public var reasons = AxisReasons(.nothingToDo)
    /// The dock's pose, in radians, or nil if unknown.
    public var pose: PanTilt?
    /// The dock's velocity, in rad/s.
    public var rate = PanTilt.zero
    /// The last commanded velocity, in rad/s.
    public var command = PanTilt.zero
    /// The requested motion under way.
    public var motion: RunningMotion?
    /// Whether that motion is a motion script.
    public var isScript = false
    /// Whether the torque is on.
    public var torque = true
    /// The bounds of any motion.
    public var bounds = MotionBounds()
    /// The safeguards that are independent of the loop.
    public var safety = Safeguards()
    /// The counters so far.
    public var counters = LoopCounters()
    /// The durations that the loop measures.
    public var timing = LoopTiming()

    /// Creates an empty snapshot.
    public init() {}

    /// What the dock reports about itself.
    public struct DeviceReport: Sendable, Equatable {
        /// Its identity, or nil if it has not identified itself.
        public var identity: DockIdentity?
        /// What is wrong with the dock as it is set up, and what to do: one sentence each.
        public var findings: [String] = []
        /// Its supplies, by name; empty if none are known.
        public var batteries: [BatteryState] = []
        /// Its own reports of its pose.
        public var poses = ReportedPoses()
    }

    /// The dock's own reports of its pose.
    public struct ReportedPoses: Sendable, Equatable {
        /// The last report with its time, or nil if there is none yet. `pose` is extrapolated from it to `time`.
        public var sample: MotionSample?
        /// The last reports, oldest first, while a hand may turn the dock because it has no torque. There are enough of
        /// them that none is missed between two snapshots.
        public var track: [MotionSample] = []
        /// Whether the poses are measured. Otherwise they are computed from the commands.
        public var isMeasured = true
    }

    /// The bounds of any motion.
    public struct MotionBounds: Sendable, Equatable {
        /// The range (rad) and speed (rad/s) of each axis: the rig's soft range with the session's limits, or nil if
        /// not yet known.
        public var limits = SessionLimits()
        /// The fraction of the speed for manual motion, 0.01...1.
        public var manualSpeed = 1.0
    }

    /// The safeguards that are independent of the loop.
    public struct Safeguards: Sendable, Equatable {
        /// Whether a guard would stop the dock if this program no longer could.
        public var isGuarded = false
        /// Whether the torque must be off on request, whatever the dock has reported so far.
        public var isReleased = false
    }

    /// The durations that the loop measures.
    public struct LoopTiming: Sendable, Equatable {
        /// The duration of each stage from a frame to its effect, at most half a second old; empty if not yet known.
        public var latency: [StageFigures] = []
        /// The lateness of the loop's wake-ups, at most half a second old.
        public var lateness = StageFigures.Spread()
        /// How much later frames are captured than their times say, as determined by tracking, or nil if unknown.
        public var pictureLag: LatencyWatch.Finding?
        /// The part of that lag that is corrected, in seconds.
        public var lagCorrection: Seconds = 0
    }
}

/// The loop's counters since it started.
public struct LoopCounters: Sendable, Equatable {
    /// The number of detection frames.
    public var frames = 0
    /// The number of valid frames that were not used: too old, repeated, out of order, or from the future.
    public var droppedFrames = 0
    /// The number of set-points written or, in a dry run, that would have been written.
    public var setpoints = 0
    /// The number of set-points that were dropped because the output queue was full.
    public var droppedSetpoints = 0
    /// The number of latched faults, without emergency stops by hand.
    public var faults = 0
    /// The number of times the dock was lost.
    public var losses = 0
    /// The number of byte runs from the dock that belonged to no message.
    public var invalidBytes = 0
    /// The number of bytes read from the dock and written to it.
    public var readBytes = 0, writtenBytes = 0
    /// The number of the dock's reports: poses, supplies, buttons and others.
    public var reports = 0
    /// The number of times the loop woke more than 20 ms late.
    public var lateWakes = 0
    /// The number of times the guard stopped the dock because the loop was silent.
    public var guardStops = 0

    /// Creates counters of zero.
    public init() {}
}

/// A single event that no listener may miss.
public enum LoopEvent: Sendable, Equatable {
    /// The dock appeared, disappeared, or latched a fault.
    case dock(DockState, DockIdentity?)
    /// A person did something to the dock.
    case accessory(AccessoryEvent)
    /// The battery changed.
    case battery(BatteryState)
    /// A requested motion ended.
    case motionEnded(EndedMotion)
    /// A lease was lost, and the motion of its program has ended.
    case leaseEnded(LeaseEnding)
    /// The dock switched its torque off by itself. Only a person can switch it on again.
    case letGo
    /// The detections ended.
    case inputEnded
    /// A line for the log, with advice.
    case note(String)
    /// The number of events lost before this one.
    case lost(Int)
}

/// The result of a loop.
public struct LoopEnd: Sendable, Equatable {
    /// Whether the last bytes written to the dock were the complete stop.
    public var stoppedLast = false
    /// Whether the dock was already gone at the end. There was nothing to stop, and its deadman has stopped it.
    public var dockWasGone = false
    /// The latency from a line's arrival to its written set-point, in seconds.
    public var latency = LatencyHistogram()
    /// The final counters.
    public var counters = LoopCounters()

    /// Creates a result in which nothing was written.
    public init() {}
}
