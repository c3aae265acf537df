public import Geometry

/// The number of a motion that somebody asked for; never used twice in a run.
public struct MotionID: Sendable, Hashable, Comparable {
    /// Counts from 1.
    public let value: Int

    /// The motion with this number.
    public init(_ value: Int) { self.value = value }

    /// Older motions come first.
    public static func < (a: MotionID, b: MotionID) -> Bool { a.value < b.value }
}

/// How a motion ended.
public enum MotionOutcome: String, Sendable, CaseIterable {
    /// It arrived, or its time was over.
    case completed
    /// By its own handle.
    case cancelled
    /// A newer motion took its place.
    case superseded
    /// A person took the dock over.
    case takenOver
    /// Stop.
    case stopped
    /// Emergency stop.
    case emergencyStopped
    /// A fault latched.
    case faulted
    /// The dock went away, or did not answer any more.
    case unplugged
    /// A limit was in the way: it came to rest short of its end.
    case limited
    /// Somebody set the mode.
    case modeChanged
    /// Who asked for it lost control.
    case leaseLost

    /// Whether the mode that an animation began in comes back: when it ended by itself, by its handle, at a limit, or with
    /// the lease of the program that asked for it.
    public var restoresMode: Bool {
        switch self {
        case .completed, .cancelled, .limited, .leaseLost: true
        case .superseded, .takenOver, .stopped, .emergencyStopped, .faulted, .unplugged, .modeChanged: false
        }
    }
}

/// A motion under way.
public struct RunningMotion: Sendable, Equatable {
    /// Its number.
    public var id: MotionID
    /// `velocity`, `orient`, `home`, or the name of a motion script.
    public var name: String
    /// When it began, CLOCK_MONOTONIC.
    public var start: Seconds
    /// How long it takes as planned, seconds.
    public var duration: Seconds

    /// A motion with its plan.
    public init(id: MotionID, name: String, start: Seconds, duration: Seconds) {
        self.id = id
        self.name = name
        self.start = start
        self.duration = duration
    }

    /// How much of the planned time has passed at `now`, 0...1.
    public func fraction(at now: Seconds) -> Double { duration > 0 ? ((now - start) / duration).clamped(to: 0...1) : 1 }
}

/// A motion that has ended.
public struct EndedMotion: Sendable, Equatable {
    /// Its number.
    public var id: MotionID
    /// As in `RunningMotion`.
    public var name: String
    /// How it ended.
    public var outcome: MotionOutcome

    /// A motion and its end.
    public init(id: MotionID, name: String, outcome: MotionOutcome) {
        self.id = id
        self.name = name
        self.outcome = outcome
    }
}

/// What came of a command, for the person or program that gave it.
public struct MotionReceipt: Sendable, Equatable {
    /// In words.
    public var text: String
    /// The motion that began; nil: it was no motion.
    public var motion: MotionID?
    /// How long that takes as planned, seconds.
    public var duration: Seconds?
    /// What limits hold from now on, for both axes; nil: it was not about limits.
    public var limits: SessionLimits?
    /// The mode after it, where the command alone does not tell; nil: it does.
    public var mode: TrackingMode?

    /// Words, the motion that began, the limits that hold, the mode after it.
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

/// What came of a command, or why nothing did.
public typealias MotionAnswer = Result<MotionReceipt, DockError>
