public import FacePrivacy

/// What a recorder has done so far.
public struct RecorderStatus: Sendable, Equatable {
    /// What it does now.
    public var state = RecorderMachine.State.off
    /// The chunks that are complete.
    public var chunks = 0
    /// The frames in chunks, and those that are missing.
    public var tally = ChunkTally()
    /// How pictures left the delay line, with the reasons for those that were covered as a whole.
    public var verdicts = VerdictCounts()
    /// Frames that were not recorded.
    public var drops = RecorderMachine.Drops()
    /// Pictures that were lost before the delay line, because this program was too slow.
    public var overrun = 0
    /// Chunks that were deleted before any server had them, because there was no room.
    public var deletedUnsent = 0
    /// Whether sound is captured now.
    public var sound = SoundState.off

    /// The calls of `ping` that the thread of pictures has seen.
    public var pings = 0

    /// Creates the status of a recorder that has not begun.
    public init() {}
}

/// What a recorder wants from the program around it, in order.
public enum RecorderOrder: Sendable, Equatable {
    /// Show this to people, and answer with `shown`.
    case show(RecorderMachine.Sign)
    /// Open or close the camera's pictures.
    case watch(Bool)
    /// A chunk is complete.
    case stored(ChunkRecord, bytes: Int)
    /// The folder was removed, or its disk is no longer mounted. Finish, and open it again with another recorder.
    case folderLost
    /// A line for the log.
    case say(String, isWarning: Bool)
    /// All is written; nothing follows.
    case over
}

/// How a recorder works.
public struct RecorderSettings: Sendable, Equatable {
    /// How faces are treated.
    public var privacy = PrivacySettings()
    /// How pictures are compressed.
    public var encoder = EncoderSettings()
    /// The length of a chunk, in seconds (30).
    public var length = 30.0
    /// How much room chunks may take.
    public var limits = RingLimits()
    /// Where sound comes from; nil for none.
    public var sound: SoundSource?
    /// Whether it is kept where the head pointed in each frame.
    public var keepsPoses = true
    /// Whether finished chunks are copied into files that begin with their index.
    public var copies = true

    /// Creates the default settings.
    public init() {}
}
