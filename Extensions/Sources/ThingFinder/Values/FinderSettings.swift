public import Geometry

/// What a search may do, and with what.
public struct FinderSettings: Sendable, Equatable {
    /// The camera.
    public var eye: FinderEye
    /// The poses that the head may take.
    public var range: PoseRange
    /// How fast the head turns.
    public var pace = HeadPace(speed: .degrees(60), acceleration: .degrees(300))
    /// Whether a verifier is asked before a thing counts as found.
    public var hasVerifier = false
    /// How long the search may take, in seconds.
    public var timeLimit: Seconds = 120
    /// The most requests to the verifier.
    public var mostRequests = 12
    /// How long a request may take, in seconds: the first one, during which a model may be loaded, and all others.
    public var patience: (first: Seconds, later: Seconds) = (10, 10)
    /// How many times the whole room is looked at, at most.
    public var sweeps = 3
    /// Whether the search goes on after the thing was found, and looks for it when it is gone.
    public var stays = false
    /// How long a found thing is shown before the search ends, in seconds.
    public var showTime: Seconds = 2
    /// Where the thing was last, or nil if that is not known.
    public var memory: Remembrance?
    /// Whether only the remembered place is looked at.
    public var onlyMemory = false
    /// A deliberate bug, for tests.
    var mutant: FinderMutant?

    /// Creates settings for a camera and a head.
    public init(eye: FinderEye, range: PoseRange) { (self.eye, self.range) = (eye, range) }

    /// Whether both are the same.
    public static func == (a: FinderSettings, b: FinderSettings) -> Bool {
        a.eye == b.eye && a.range == b.range && a.pace == b.pace && a.hasVerifier == b.hasVerifier
            && a.timeLimit == b.timeLimit && a.mostRequests == b.mostRequests && a.patience == b.patience
            && a.sweeps == b.sweeps && a.stays == b.stays && a.showTime == b.showTime && a.memory == b.memory
            && a.onlyMemory == b.onlyMemory && a.mutant == b.mutant
    }
}

/// Deliberate bugs. Each shows that a test can find it.
enum FinderMutant: String, Sendable, CaseIterable {
    /// A box is drawn however old it is.
    case keepsStaleBoxes
    /// A thing that was not seen gets an empty box instead of none.
    case emptiesBoxes
    /// A box near a thing counts as that thing, however small both are.
    case swallowsNeighbours
    /// The time of a verdict is renewed with each picture.
    case renewsVerdicts
    /// A thing that is gone counts as found.
    case keepsLost
    /// An answer that arrives late still counts.
    case takesLateAnswers
    /// A request without an answer stays open.
    case waitsWithoutEnd
    /// A verifier that fails is asked again at once.
    case floodsVerifier
    /// An answer that cannot be read counts as a match.
    case readsMalformedAsMatch
    /// One match is enough.
    case trustsOneLook
    /// The memory has no bound.
    case leaksMemory
    /// A bearing is the pan plus the angle in the picture.
    case ignoresTilt
    /// A search that a person interrupted goes on by itself.
    case resumesByItself
    /// A thing that moves is another thing in each picture.
    case splitsMoving
    /// A lost thing is looked for without end.
    case losesWithoutEnd
    /// No person hears of a thing that is too small.
    case hidesSmall
    /// The verifier gets the same picture twice.
    case paysTwice
}
