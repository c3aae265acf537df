public import DockTypes
public import Geometry

/// The number of a requested motion; never used twice in a run.
public struct MotionID: Sendable, Hashable, Comparable {
    /// The number, starting at 1.
    public let value: Int

    /// Creates the number of a motion.
    public init(_ value: Int) { self.value = value }

    /// Orders older motions first.
    public static func < (a: MotionID, b: MotionID) -> Bool { a.value < b.value }
}

/// The outcome of a motion.
public enum MotionOutcome: String, Sendable, CaseIterable {
    /// It arrived, or its time was over.
    case completed
    /// Its own handle cancelled it.
    case cancelled
    /// A newer motion replaced it.
    case superseded
    /// A person took over the dock.
    case takenOver
    /// A stop ended it.
    case stopped
    /// An emergency stop ended it.
    case emergencyStopped
    /// A fault latched.
    case faulted
    /// The dock disappeared or no longer answered.
    case unplugged
    /// A limit stopped it short of its end.
    case limited
    /// A client set the mode.
    case modeChanged
    /// The program that requested it lost its lease.
    case leaseLost

    /// Whether the mode from before an animation is restored: after it ended by itself, by its handle, at a limit, or
    /// with the lease of the program that requested it.
    public var restoresMode: Bool {
        switch self {
        case .completed, .cancelled, .limited, .leaseLost: true
        case .superseded, .takenOver, .stopped, .emergencyStopped, .faulted, .unplugged, .modeChanged: false
        }
    }
}

/// A requested motion that is under way.
public struct RunningMotion: Sendable, Equatable {
    /// The motion's number.
    public var id: MotionID
    /// `velocity`, `orient`, `home`, or the name of a motion script.
    public var name: String
    /// When it began, CLOCK_MONOTONIC.
    public var start: Seconds
    /// The planned duration, in seconds.
    public var duration: Seconds

    /// Creates the description of a motion.
    public init(id: MotionID, name: String, start: Seconds, duration: Seconds) {
        self.id = id
        self.name = name
        self.start = start
        self.duration = duration
    }

    /// Returns the fraction of the planned time that has passed at `now`, 0...1.
    public func fraction(at now: Seconds) -> Double { duration > 0 ? ((now - start) / duration).clamped(to: 0...1) : 1 }
}

/// A motion that has ended.
public struct EndedMotion: Sendable, Equatable {
    /// The motion's number.
    public var id: MotionID
    /// The name, as in `RunningMotion`.
    public var name: String
    /// The outcome.
    public var outcome: MotionOutcome

    /// Creates a motion with its outcome.
    public init(id: MotionID, name: String, outcome: MotionOutcome) {
        self.id = id
        self.name = name
        self.outcome = outcome
    }
}

/// The result of a command, for the person or program that gave it.
public struct MotionReceipt: Sendable, Equatable {
    /// The result in words.
    public var text: String
    /// The motion that began, or nil if there is none.
    public var motion: MotionID?
    /// The planned duration of that motion, in seconds.
    public var duration: Seconds?
    /// The new limits of both axes, or nil if the command did not concern limits.
    public var limits: SessionLimits?
    /// The mode after the command, or nil if the command itself determines it.
    public var mode: TrackingMode?

    /// Creates a result.
    public init(
        _ text: String, motion: MotionID? = nil, duration: Seconds? = nil, limits: SessionLimits? = nil,
        mode: TrackingMode? = nil
    ) {
        self.limits = limits
        self.mode = mode
        self.text = text
        self.motion = motion
        self.duration = duration
    }
}

/// The result of a command, or the reason why it failed.
public typealias MotionAnswer = Result<MotionReceipt, DockError>
