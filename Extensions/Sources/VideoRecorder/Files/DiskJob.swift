public import Geometry

/// What is known of a chunk when its last fragment is there.
public struct ChunkFacts: Sendable, Equatable {
    /// From the first frame to the first one of the next chunk, or to the end of the last frame, in seconds.
    public var duration: Seconds
    /// The exposures of the first and of the last frame, CLOCK_MONOTONIC.
    public var exposures: ClosedRange<Seconds>
    /// The size of its pictures.
    public var size: PictureSize
    /// How its frames were recorded.
    public var tally: ChunkTally
    /// Whether its date can be right.
    public var isDated: Bool
    /// Whether it has a track of sound.
    public var hasSound: Bool
    /// Where the head pointed, if that is kept; frames without a pose are missing.
    public var poses: [FramePose] = []

    /// Creates facts.
    public init(
        duration: Seconds, exposures: ClosedRange<Seconds>, size: PictureSize, tally: ChunkTally, isDated: Bool = true,
        hasSound: Bool = false
    ) {
        (self.duration, self.exposures, self.size) = (duration, exposures, size)
        (self.tally, self.isDated, self.hasSound) = (tally, isDated, hasSound)
    }
}

/// Something that others know about a finished chunk.
public enum ChunkMark: Sendable, Equatable {
    /// A server has received it, at this time in seconds since 1970.
    case sent(at: Int)
    /// It is being sent, or no longer. This is not remembered by the next run.
    case busy(Bool)
    /// Its owner wants to keep it, or no longer.
    case kept(Bool)
}

/// Work for the disk.
enum DiskJob: Sendable, Equatable {
    /// Delete what must go before another chunk is written. `now`: milliseconds since 1970, nil if that may be wrong.
    case makeRoom(now: Int?)
    /// Create the file of a chunk that began at this date, in milliseconds since 1970.
    case begin(Int, date: Int, verdict: ChunkVerdict)
    /// Append a piece to the file of a chunk.
    case append(Int, [UInt8])
    /// The chunk is complete.
    case finish(Int, ChunkFacts)
    /// The chunk has no frame.
    case discard(Int)
    /// Note something about the finished chunk that began at this date.
    case mark(date: Int, ChunkMark)
    /// Keep to these limits from now on.
    case limits(RingLimits)
    /// Delete chunks that are too old. `now`: milliseconds since 1970.
    case expire(now: Int)

    /// The memory that the job holds, in bytes.
    var bytes: Int { if case .append(_, let piece) = self { piece.count } else { 0 } }
}

/// What the disk has done.
enum DiskReport: Sendable, Equatable {
    /// There is room for another chunk, or there is none for this reason.
    case room(problem: String?)
    /// A chunk is complete.
    case stored(ChunkRecord, bytes: Int)
    /// Chunks were deleted, because there was no room or because they were too old.
    case deleted([ChunkEntry])
    /// The file of a chunk could not be written. What it had before is kept.
    case failed(Int, String)
    /// A person has deleted the file of a chunk.
    case gone(Int)
    /// The folder was removed, or its disk is no longer mounted.
    case folderLost
    /// A line for the log.
    case note(String, isWarning: Bool)
}
