internal import CPosix
internal import Geometry

/// The frames for a stage: the next one, when it is due, and whether there are more.
struct StageFrames {
    /// The next frame to hand out.
    enum Next {
        case frame(any StagePicture)
        /// There are no more frames.
        case over
        /// There is none now.
        case none
    }

    let feed: PictureFeed?
    var pace: StagePace
    /// Whether the stage was notified that there are no more.
    private(set) var hasEnded = false
    /// The frame of a file that is being processed. If the child ends during it, the frame is handed out once more.
    private var held = HeldPicture()
    /// The last frame that was handed out, or nil before the first one.
    private(set) var given: GivenPicture?
    private var nextGlance: Seconds = -.infinity

    /// The time between two checks of the feed on standby, in seconds.
    private static let glancePeriod: Seconds = 1

    init(feed: PictureFeed?, framesPerSecond: Double) {
        self.feed = feed
        pace = StagePace(framesPerSecond: framesPerSecond)
    }

    /// Whether the stage gets frames from us, and has no camera of its own.
    var isFed: Bool { feed != nil }

    /// Whether every frame counts, as in a file.
    var isLossless: Bool { feed?.isLossless == true }

    /// Whether a stage that is ready may get a frame as soon as `pace` allows it.
    var hasMore: Bool { feed != nil && !hasEnded && !pace.isWaiting }

    /// When a stage on standby checks the feed again, or nil if it does not.
    var glanceDeadline: Seconds? { feed != nil && !hasEnded ? nextGlance : nil }

    /// Begins a new child.
    mutating func begin() {
        pace.forget()
        hasEnded = false
    }

    mutating func end() { hasEnded = true }

    /// Drops the newest frame now and then while on standby, and returns whether there are no more.
    mutating func glance(now: Seconds) -> Bool {
        guard let feed, !hasEnded, now >= nextGlance else { return false }
        nextGlance = now + Self.glancePeriod
        _ = feed.take()
        return feed.isOver()
    }

    /// Returns the newest frame if one is due. `isBlocked`: an answer waits for its reader.
    mutating func next(isBlocked: Bool, now: Seconds) -> Next {
        guard let feed, hasMore, now >= pace.due else { return .none }
        // No frame of a file is lost, not even if the reader is slow.
        if feed.isLossless, isBlocked { return .none }
        if feed.descriptor >= 0 { _ = cposix_counter_take(feed.descriptor) }
        guard let picture = held.again() ?? feed.take() else { return feed.isOver() ? .over : .none }
        // A frame from before the due time is older than necessary, and the next one is newer. The last frame, however,
        // has no successor, and nothing would signal the end again.
        if !feed.isLossless, picture.arrival < pace.due - 0.001, !feed.isOver() { return .none }
        if feed.isLossless { held.handedOut(picture) }
        pace.handedOut(arrival: picture.arrival, now: now)
        given = GivenPicture(picture)
        return .frame(picture)
    }

    /// Records that the stage has answered. Returns the time per frame of the last frames, or nil if it was given none.
    mutating func answered(now: Seconds) -> StagePace.Latency? {
        held.answered()
        return pace.answered(now: now)
    }

    /// Records that the child has ended. Returns true if its frame is skipped.
    mutating func lost() -> Bool { held.lost() }
}
