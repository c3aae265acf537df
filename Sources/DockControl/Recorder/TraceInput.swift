public import Geometry

/// An external input of the loop's decisions. Together with the bytes from the dock and the commands, these inputs
/// determine the session: they lead to the same decisions again.
public enum TraceInput: Sendable, Equatable {
    /// The loop began. The value is CLOCK_BOOTTIME - CLOCK_MONOTONIC, in seconds.
    case begin(asleep: Seconds)
    /// A turn began: the reasons of the wake-up and, if it has changed, how long the machine has slept, in seconds.
    case turn(TraceWake, asleep: Seconds?)
    /// The loop ended; its last stop follows.
    case over
    /// The port was opened.
    case opened(isHardware: Bool, mostQueued: Int)
    /// The port could not be opened. The value is the name of the `DockError.Code`.
    case notOpened(String)
    /// The port hung up during a read.
    case hungUp
    /// The number of bytes in the port's output queue when the loop read it.
    case queued(Int)
    /// The guard's state changed; `step` is the number of the sample in this turn that showed it.
    case guardian(step: Int, isAlive: Bool, isAwaited: Bool)
    /// An action of the guard.
    case intervention(GuardIntervention)
    /// A new guard was requested. The value states whether it is starting.
    case renewed(Bool)
    /// A port appeared, or the dock's port disappeared.
    case port(came: Bool)
    /// Real-time priority was refused.
    case realTimeRefused
    /// A request for a magnification of the rig's camera.
    case zoom(Double)
    /// The program that sent the command that follows.
    case program(ProgramID)
    /// A program lost its lease, so its motion ends.
    case leaseLost(LostLease)
    /// The stream reported its camera: the frame's width divided by its height, and the lens. If the lens is nil, the
    /// profile's applies.
    case lens(TraceLens?, aspect: Double)
    /// The stream goes on with another camera or another magnification, and the frame's width divided by its height.
    case optics(FrameOptics, aspect: Double)
    /// The stream begins again: its earlier data does not continue.
    case epoch
    /// The contents of a frame, bit for bit.
    case picture(TracePicture)
    /// The stream was read, and it has more data than one turn may process, or it has ended.
    case reading(hasMore: Bool, hasEnded: Bool)
    /// A tap on a point of the frame.
    case tap(Point)
    /// A selection of subjects.
    case select([Int])
    /// What depth cameras have measured of the subjects in view, from the next frame on. A later one of the list counts
    /// more than an earlier one about the same subject.
    case distances([MeasuredDistance])
    /// A program's observation.
    case observed(TraceObservation)
    /// The number of records missing here, or nil if the rest of the session is missing because the file was full.
    case gap(Int?)
}

/// The reasons of a wake-up, one bit each.
public struct TraceWake: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The port has bytes.
    public static let port = TraceWake(rawValue: 1)
    /// The port hung up, or failed.
    public static let hungUp = TraceWake(rawValue: 2)
    /// The detections have bytes.
    public static let detections = TraceWake(rawValue: 4)
    /// Another thread has posted a command or a request.
    public static let rung = TraceWake(rawValue: 8)
    /// The deadline has passed.
    public static let due = TraceWake(rawValue: 16)
    /// Ports have appeared or disappeared.
    public static let ports = TraceWake(rawValue: 32)
    /// The guard has a report.
    public static let guardian = TraceWake(rawValue: 64)

    /// The letter of each reason in a trace.
    public static let letters: [(wake: TraceWake, letter: Character)] = [
        (.port, "p"), (.hungUp, "h"), (.detections, "d"), (.rung, "r"), (.due, "t"), (.ports, "n"), (.guardian, "g"),
    ]
}

/// A detector's own lens, as in the camera model.
public struct TraceLens: Sendable, Equatable {
    /// The focal lengths in frame widths and heights.
    public var focal: Point
    /// The principal point, normalised.
    public var principal: Point

    /// Creates a lens.
    public init(focal: Point, principal: Point) {
        self.focal = focal
        self.principal = principal
    }
}

/// A rectangle of a frame as the tracker receives it or a program observes it; no landmarks.
public struct TraceFace: Sendable, Equatable {
    /// The program's number for it; 0 for a detector's rectangle.
    public var identifier: Int
    /// The rectangle: normalised, origin at the top left, upright, unmirrored. A program's rectangle is stored as the
    /// program sent it.
    public var rect: Rect
    /// The score, 0...1.
    public var score: Double
    /// Whether the subject is not a person.
    public var isObject: Bool
    /// The other known attributes of the face.
    public var attributes: FaceAttributes

    /// Creates a rectangle with its known properties.
    public init(
        identifier: Int = 0, rect: Rect, score: Double = 1, isObject: Bool = false,
        attributes: FaceAttributes = FaceAttributes()
    ) {
        self.identifier = identifier
        self.rect = rect
        self.score = score
        self.isObject = isObject
        self.attributes = attributes
    }
}

/// A frame of the detector; a frame with many faces takes several records.
public struct TracePicture: Sendable, Equatable {
    /// When it was captured, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// The faces, in the detector's order.
    public var faces: [TraceFace]
    /// Whether the next record continues it.
    public var continues: Bool

    /// Creates a frame.
    public init(exposure: Seconds, faces: [TraceFace], continues: Bool = false) {
        self.exposure = exposure
        self.faces = faces
        self.continues = continues
    }
}

/// A program's observation of one frame; many faces take several records.
public struct TraceObservation: Sendable, Equatable {
    /// When it was captured, CLOCK_MONOTONIC, or nil if not reported.
    public var exposure: Seconds?
    /// The camera's numbers, as the program sent them, in the order of the session's `CameraInformation`: field of view
    /// (rad), width, height, fx, fy, cx, cy (pixels), NaN if missing; degrees clockwise, 1 if mirrored. It is empty if
    /// there is no camera.
    public var camera: [Double]
    /// The observed faces.
    public var faces: [TraceFace]
    /// Whether the next record continues it.
    public var continues: Bool

    /// Creates an observation.
    public init(exposure: Seconds?, camera: [Double], faces: [TraceFace], continues: Bool = false) {
        self.exposure = exposure
        self.camera = camera
        self.faces = faces
        self.continues = continues
    }
}

/// The initial state of a loop, which a rerun needs in addition to the inputs.
public struct TraceAbout: Sendable {
    /// The rig, the mode, the policy, and the state kept from an earlier run.
    public var options: LoopOptions
    /// Whether the port that was open at the beginning is real hardware, or nil if there was no port.
    public var isHardware: Bool?
    /// Whether a guard watched the port.
    public var hasGuard: Bool
    /// Whether the loop had an input for detections and requests.
    public var hasInput: Bool
    /// Whether the loop was informed when ports appeared and disappeared.
    public var reportsPortChanges: Bool

    /// Creates a description. A trace in `options` is not kept.
    public init(
        options: LoopOptions, isHardware: Bool?, hasGuard: Bool, hasInput: Bool, reportsPortChanges: Bool = false
    ) {
        self.options = options
        self.options.trace = nil
        self.isHardware = isHardware
        self.hasGuard = hasGuard
        self.hasInput = hasInput
        self.reportsPortChanges = reportsPortChanges
    }
}
