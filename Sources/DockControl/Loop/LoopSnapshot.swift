public import Geometry

/// What the loop knows at a moment: for screens, `status` and programs. Newest only.
public struct LoopSnapshot: Sendable, Equatable {
    /// CLOCK_MONOTONIC.
    public var time: Seconds = 0
    /// Whether there is a dock and whether it may move.
    public var dock = DockState.detached(.notFound)
    /// Which dock it is.
    public var identity: DockIdentity?
    /// Who steers.
    public var mode = TrackingMode.system
    /// Framing and region.
    public var framing = Framing()
    /// What tracking is doing.
    public var phase = TrackingPhase.idle
    /// Who owns the motion.
    public var owner = MotionOwner.none
    /// Why the dock does what it does, for each axis.
    public var reasons = AxisReasons(.nothingToDo)
    /// Where the dock is, radians; nil: not known.
    public var pose: PanTilt?
    /// The last that the dock said of where it is, as of when it was there; `pose` is carried on from it to `time`.
    public var sample: MotionSample?
    /// What the dock said last of where it is, oldest first, while a hand may turn it (no torque): so many that none is missed
    /// where snapshots are.
    public var track: [MotionSample] = []
    /// How fast it turns, rad/s.
    public var rate = PanTilt.zero
    /// The last velocity commanded, rad/s.
    public var command = PanTilt.zero
    /// The pose is measured; else it is where the commands should have brought the dock.
    public var isMeasured = true
    /// The motion under way that somebody asked for.
    public var motion: RunningMotion?
    /// That motion is a motion script.
    public var isScript = false
    /// Somebody let go of the motors: they are to stay free, whatever the dock says of it so far.
    public var isReleased = false
    /// Supplies of the dock, by name; empty: nothing is known.
    public var batteries: [BatteryState] = []
    /// Torque is on.
    public var torque = true
    /// Share of the speed of manual motion, 0.01...1.
    public var manualSpeed = 1.0
    /// Where each axis may go (rad) and how fast (rad/s): the rig's soft range with the session's limits; nil: not known yet.
    public var limits = SessionLimits()
    /// A guard stops the dock where this program cannot any more.
    public var isGuarded = false
    /// What happened so far.
    public var counters = LoopCounters()
    /// What each stage from a picture to its effect takes, as of half a second ago at most; empty: not known yet.
    public var latency: [StageFigures] = []
    /// How much later than wanted the loop woke, as of half a second ago at most.
    public var lateness = StageFigures.Spread()
    /// How much later pictures are taken than their times say, as tracking has found out; nil: not known.
    public var pictureLag: LatencyWatch.Finding?
    /// ... of which so much is made up for, seconds.
    public var lagCorrection: Seconds = 0

    /// Before anything is known.
    public init() {}
}

/// What the loop counted since its start.
public struct LoopCounters: Sendable, Equatable {
    /// Frames of detections.
    public var frames = 0
    /// Frames that were understood and not used: too old, repeated, out of order, from the future.
    public var droppedFrames = 0
    /// Set-points written; or, in a dry run, that would have been written.
    public var setpoints = 0
    /// Set-points that found the output queue full and were dropped.
    public var droppedSetpoints = 0
    /// Faults that latched, emergency stops by hand not counted.
    public var faults = 0
    /// Times the dock was lost.
    public var losses = 0
    /// Runs of bytes from the dock that belonged to no frame.
    public var invalidBytes = 0
    /// Bytes that came from the dock, and that were written to it.
    public var readBytes = 0, writtenBytes = 0
    /// Things that the dock has said: where it is, how its battery does, what was pressed.
    public var reports = 0
    /// Times the loop woke more than 20 ms late.
    public var lateWakes = 0
    /// Times the guard stopped the dock because the loop was silent.
    public var guardStops = 0

    /// Nothing yet.
    public init() {}
}

/// Something that happened once, and that nobody may miss.
public enum LoopEvent: Sendable, Equatable {
    /// The dock came, went, or latched a fault.
    case dock(DockState, DockIdentity?)
    /// A person did something to the dock.
    case accessory(AccessoryEvent)
    /// The battery changed.
    case battery(BatteryState)
    /// A motion that somebody asked for ended.
    case motionEnded(EndedMotion)
    /// A lease was lost, and what its program moved has ended.
    case leaseEnded(LeaseEnding)
    /// The dock let go of its motors by itself; a person asks for them again.
    case letGo
    /// The detections ended.
    case inputEnded
    /// Something for the log, with what to do about it.
    case note(String)
    /// So many events before this one were lost.
    case lost(Int)
}

/// How the loop ended.
public struct LoopEnd: Sendable, Equatable {
    /// The last bytes that went to the dock were the stop, whole.
    public var stoppedLast = false
    /// There was no dock any more at the end: nothing to stop, its deadman has done it.
    public var dockWasGone = false
    /// Latency from a line's arrival to its set-point written; seconds.
    public var latency = LatencyHistogram()
    /// What it counted.
    public var counters = LoopCounters()

    /// Nothing was written.
    public init() {}
}
