public import Geometry

/// Something from outside that a loop's decisions follow from. All of them together, with the bytes from the dock and the
/// commands, are the session: what was decided then follows from them once more.
public enum TraceInput: Sendable, Equatable {
    /// The loop began; CLOCK_BOOTTIME - CLOCK_MONOTONIC, seconds.
    case begin(asleep: Seconds)
    /// A turn began: what the wait had found, and how long the machine had slept, where that is new, seconds.
    case turn(TraceWake, asleep: Seconds?)
    /// The loop ended; its last stop follows.
    case over
    /// The port was opened.
    case opened(isHardware: Bool, mostQueued: Int)
    /// It could not be opened; the name of `DockError.Code`.
    case notOpened(String)
    /// The port hung up while it was read.
    case hungUp
    /// So many bytes were in the port's output queue when somebody looked.
    case queued(Int)
    /// The guard stands or not; `step`: which look at it in this turn has told so.
    case guardian(step: Int, isAlive: Bool, isAwaited: Bool)
    /// What the guard did.
    case intervention(GuardIntervention)
    /// Another guard was to be begun.
    case renewed(Bool)
    /// A port came, or ours went.
    case port(came: Bool)
    /// Real-time priority was refused.
    case notHurried
    /// The rig's camera shall magnify so much.
    case zoom(Double)
    /// This program gave the command that follows.
    case program(ProgramID)
    /// A program lost its lease: what it moves ends.
    case leaseLost(LostLease)
    /// The stream told of its camera: width over height of the picture, and its lens; nil: none, the profile's holds.
    case lens(TraceLens?, aspect: Double)
    /// What came before in the stream does not continue.
    case epoch
    /// What a picture showed, to the last bit.
    case picture(TracePicture)
    /// The stream was read, and there is more than one turn may take, or it has ended.
    case reading(hasMore: Bool, hasEnded: Bool)
    /// Somebody tapped on a point of the picture.
    case tap(Point)
    /// Somebody selected subjects.
    case select([Int])
    /// A program told what it saw.
    case observed(TraceObservation)
    /// So many records are missing here; nil: the rest of the session is, the file was full.
    case gap(Int?)
}

/// What a wait had found, a bit each.
public struct TraceWake: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The port has bytes.
    public static let port = TraceWake(rawValue: 1)
    /// The port hung up, or failed.
    public static let hungUp = TraceWake(rawValue: 2)
    /// The detections have bytes.
    public static let detections = TraceWake(rawValue: 4)
    /// Somebody posted something.
    public static let rung = TraceWake(rawValue: 8)
    /// The deadline has come.
    public static let due = TraceWake(rawValue: 16)
    /// Ports have come or gone.
    public static let ports = TraceWake(rawValue: 32)
    /// The guard has something to tell.
    public static let guardian = TraceWake(rawValue: 64)

    /// Each with the letter that stands for it in a trace.
    public static let letters: [(wake: TraceWake, letter: Character)] = [
        (.port, "p"), (.hungUp, "h"), (.detections, "d"), (.rung, "r"), (.due, "t"), (.ports, "n"), (.guardian, "g"),
    ]
}

/// A detector's own lens, as the camera's model has it.
public struct TraceLens: Sendable, Equatable {
    /// Focal lengths in picture widths and heights.
    public var focal: Point
    /// Principal point, normalised.
    public var principal: Point

    /// Two points.
    public init(focal: Point, principal: Point) {
        self.focal = focal
        self.principal = principal
    }
}

/// A rectangle of a picture as the tracker gets it, or as a program observes it; no landmarks.
public struct TraceFace: Sendable, Equatable {
    /// The program's number of it; of a detector's rectangle 0.
    public var identifier: Int
    /// Normalised, top-left, upright, unmirrored; a program's as it told it.
    public var rect: Rect
    /// 0...1.
    public var score: Double
    /// No person.
    public var isObject: Bool
    /// Radians; nil: not computed. So are the others.
    public var yaw: Double?
    /// 0...1.
    public var speaking: Double?
    /// 0...1.
    public var looking: Double?

    /// A rectangle, and what is known of it.
    public init(
        identifier: Int = 0, rect: Rect, score: Double = 1, isObject: Bool = false, yaw: Double? = nil,
        speaking: Double? = nil, looking: Double? = nil
    ) {
        self.identifier = identifier
        self.rect = rect
        self.score = score
        self.isObject = isObject
        self.yaw = yaw
        self.speaking = speaking
        self.looking = looking
    }
}

/// A picture of the detector; one of a crowd takes several records.
public struct TracePicture: Sendable, Equatable {
    /// When it was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// What it shows, in the detector's order.
    public var faces: [TraceFace]
    /// The next record goes on with it.
    public var continues: Bool

    /// A picture.
    public init(exposure: Seconds, faces: [TraceFace], continues: Bool = false) {
        self.exposure = exposure
        self.faces = faces
        self.continues = continues
    }
}

/// What a program saw in one picture; of a crowd in several records.
public struct TraceObservation: Sendable, Equatable {
    /// When it was taken, CLOCK_MONOTONIC; nil: not told.
    public var exposure: Seconds?
    /// The camera's numbers, as the program told them, in the order of the session's `CameraInformation`: field of view (rad),
    /// width, height, fx, fy, cx, cy (pixels), NaN where it told nothing; degrees clockwise, 1 where mirrored. Empty: no camera.
    public var camera: [Double]
    /// What it saw.
    public var faces: [TraceFace]
    /// The next record goes on with it.
    public var continues: Bool

    /// An observation.
    public init(exposure: Seconds?, camera: [Double], faces: [TraceFace], continues: Bool = false) {
        self.exposure = exposure
        self.camera = camera
        self.faces = faces
        self.continues = continues
    }
}

/// How a loop began: what a run needs to know besides its inputs.
public struct TraceAbout: Sendable {
    /// The rig, the mode, the policy, and what was kept from an earlier run.
    public var options: LoopOptions
    /// The port that was open at the beginning is real hardware; nil: there was no port.
    public var isHardware: Bool?
    /// A guard stood behind it.
    public var hasGuard: Bool
    /// It had a way in for detections and requests.
    public var hasInput: Bool
    /// Somebody said when ports came and went.
    public var hearsPorts: Bool

    /// All parts; where `options` has a trace, it is not kept.
    public init(options: LoopOptions, isHardware: Bool?, hasGuard: Bool, hasInput: Bool, hearsPorts: Bool = false) {
        self.options = options
        self.options.trace = nil
        self.isHardware = isHardware
        self.hasGuard = hasGuard
        self.hasInput = hasInput
        self.hearsPorts = hearsPorts
    }
}
