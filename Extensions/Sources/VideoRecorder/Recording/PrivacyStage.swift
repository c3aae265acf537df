internal import Codecs
public import FacePrivacy
public import Geometry

/// How faces are treated in a recording.
public struct PrivacySettings: Sendable, Equatable {
    /// What is covered.
    public var mode = PrivacyMode.faces
    /// How an area is covered.
    public var style = PictureCover.Style.blocks
    /// How long a picture waits for looks at later ones, in seconds.
    public var delay: Seconds = 0.7
    /// When the faces of a picture are known.
    public var policy = FacePolicy()

    /// Creates the default settings: faces are covered.
    public init() {}

    /// What must be assumed of a chunk that was not finished.
    var assumed: ChunkVerdict { mode == .none ? .visible : mode == .picture ? .whole : .covered }
}

/// Holds pictures back until it is known where faces are, and covers those. Nothing leaves it uncovered unless the
/// owner wants that.
struct PrivacyStage {
    /// Pictures that wait, at most, in bytes (96 MB).
    static let mostBytes = 96 << 20

    private let settings: PrivacySettings
    private let cover: PictureCover
    private var line: DelayLine<PlanarPicture>
    private var size: PictureSize?

    init(_ settings: PrivacySettings) {
        (self.settings, cover) = (settings, PictureCover(settings.style))
        line = DelayLine(mode: settings.mode, delay: settings.delay, policy: settings.policy)
    }

    /// How long pictures wait, in seconds.
    var delay: Seconds { line.delay }
    /// When the next picture leaves, CLOCK_MONOTONIC; nil if none waits.
    var due: Seconds? { line.due }
    /// How pictures have left so far.
    var counts: VerdictCounts { earlier.merged(line.counts) }
    private var earlier = VerdictCounts()

    /// Adds what a detector says.
    mutating func add(_ look: FaceLook) { line.ledger.add(look) }
    /// Notes an answer of a detector that cannot be used, and when the daemon read it, as looks do.
    mutating func refuse(_ problem: LookProblem, source: String, arrival: Seconds, now: Seconds) {
        // The arrival may be what cannot be used.
        line.ledger.refuse(problem, source: source, now: arrival.isFinite ? min(arrival, now) : now)
    }

    /// Adds a picture, and returns those that leave because of it.
    mutating func push(_ picture: PlanarPicture, _ stamp: FrameStamp, now: Seconds) -> [ChunkFrame] {
        var left: [ChunkFrame] = []
        let new = PictureSize(width: picture.width, height: picture.height)
        if new != size {
            left = flush()
            begin(new, bytes: picture.bytes.count)
        }
        if let exit = line.push(picture, stamp, now: now) { left.append(covered(exit)) }
        return left + pop(now: now)
    }

    /// Returns the pictures whose time has come.
    mutating func pop(now: Seconds) -> [ChunkFrame] {
        var left: [ChunkFrame] = []
        while let exit = line.pop(now: now) { left.append(covered(exit)) }
        return left
    }

    /// Returns all pictures.
    mutating func flush() -> [ChunkFrame] {
        var left: [ChunkFrame] = []
        while let exit = line.flush() { left.append(covered(exit)) }
        return left
    }

    /// Forgets all pictures: they were never recorded.
    mutating func clear() { begin(nil, bytes: 1) }

    private mutating func begin(_ new: PictureSize?, bytes: Int) {
        let most = min(120, max(4, Self.mostBytes / max(1, bytes)))
        var next = DelayLine<PlanarPicture>(
            mode: settings.mode, delay: settings.delay, most: most, policy: settings.policy)
        next.ledger = line.ledger
        earlier += line.counts
        (line, size) = (next, new)
    }

    private func covered(_ exit: DelayLine<PlanarPicture>.Exit) -> ChunkFrame {
        var picture = exit.picture
        cover.apply(exit.verdict, to: &picture)
        return ChunkFrame(
            picture: picture, exposure: exit.frame.exposure, verdict: ChunkVerdict(exit.verdict), pose: exit.frame.pose,
            sequence: exit.frame.sequence)
    }
}

extension VerdictCounts {
    fileprivate func merged(_ other: VerdictCounts) -> VerdictCounts {
        var sum = self
        sum += other
        return sum
    }
}

extension ChunkVerdict {
    /// Says what was done to a frame.
    init(_ verdict: FrameVerdict) {
        switch verdict {
        case .clear: self = .clear
        case .faces: self = .covered
        case .whole: self = .whole
        case .open: self = .visible
        }
    }
}
