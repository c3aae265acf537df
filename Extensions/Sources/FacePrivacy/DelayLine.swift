public import Geometry

/// Holds pictures back until detectors have looked at later ones, as a pure value.
///
/// A picture leaves after `delay`, in its order, with the verdict of that moment. If the line is full, the oldest one
/// leaves earlier; at the end all do. Then it is likely that no look followed, and the picture is covered as a whole.
public struct DelayLine<Picture: Sendable>: Sendable {
    /// A picture that left the line.
    public struct Exit: Sendable {
        /// The picture, not covered yet.
        public var picture: Picture
        /// What is known about it.
        public var frame: FrameStamp
        /// What has to be covered.
        public var verdict: FrameVerdict
    }

    private struct Entry: Sendable {
        var picture: Picture
        var frame: FrameStamp
        var leaves: Seconds
    }

    /// What is covered.
    public let mode: PrivacyMode
    /// How long a picture is held, in seconds: 0.5 to 1 with `faces`, otherwise 0.
    public let delay: Seconds
    /// The maximum number of pictures in the line.
    public let most: Int
    /// What detectors said. Answers are added here.
    public var ledger: FaceLedger
    /// How many pictures left with each verdict.
    public private(set) var counts = VerdictCounts()
    private var waiting: [Entry] = []

    /// Creates an empty line. `delay` is limited to 0.5 to 1 s, `most` to 1 to 240 pictures.
    public init(
        mode: PrivacyMode, delay: Seconds = 0.7, most: Int = 64, policy: FacePolicy = FacePolicy()
    ) {
        self.mode = mode
        let seconds = delay.isFinite ? delay.clamped(to: 0.5...1) : 1
        (self.delay, self.most) = (mode == .faces ? seconds : 0, min(max(most, 1), 240))
        ledger = FaceLedger(policy: policy)
    }

    /// The number of pictures in the line.
    public var count: Int { waiting.count }
    /// When the oldest picture leaves, CLOCK_MONOTONIC, or nil if the line is empty.
    public var due: Seconds? { waiting.first?.leaves }

    /// Adds a picture that arrived at `now`, CLOCK_MONOTONIC. If the line is full, returns the oldest picture, which
    /// leaves it.
    public mutating func push(_ picture: Picture, _ frame: FrameStamp, now: Seconds) -> Exit? {
        let forced = waiting.count >= most ? leave() : nil
        ledger.pass(frame)
        waiting.append(Entry(picture: picture, frame: frame, leaves: now + delay))
        return forced
    }

    /// Returns the oldest picture if its time has come. Call it until it returns nil.
    public mutating func pop(now: Seconds) -> Exit? {
        guard let due, now >= due else { return nil }
        return leave()
    }

    /// Returns the oldest picture, whether its time has come or not: the recording ends. Call it until it returns nil.
    public mutating func flush() -> Exit? { waiting.isEmpty ? nil : leave() }

    private mutating func leave() -> Exit {
        let entry = waiting.removeFirst()
        let verdict = verdict(for: entry.frame)
        counts.add(verdict)
        return Exit(picture: entry.picture, frame: entry.frame, verdict: verdict)
    }

    private func verdict(for frame: FrameStamp) -> FrameVerdict {
        switch mode {
        case .faces: ledger.verdict(for: frame)
        case .picture: .whole(.setting)
        case .none: .open
        }
    }
}
