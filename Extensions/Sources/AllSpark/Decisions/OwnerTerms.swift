public import Geometry

/// What the owner has allowed. A server can ask for less, and never for more.
public struct OwnerTerms: Sendable, Equatable {
    /// The container of chunks, or nil if no video is recorded.
    public var video: VideoFormat? = .mp4
    /// The length of a chunk, if the server does not say another one.
    public var chunkLength: Seconds = 30
    /// The room for chunks, in bytes.
    public var budget = 16_000 * RecordingConfig.megabyte
    /// The least room that a server can ask for, in bytes: it must not make the recorder delete all that it keeps.
    public var leastBudget = 512 * RecordingConfig.megabyte
    /// Frames per second.
    public var rate = 30.0
    /// Whether sound is recorded.
    public var keepsSound = false
    /// Whether it is kept where the head pointed in each frame.
    public var keepsPoses = false
    /// Whether the server may fetch the chunks that it requests.
    public var answersRequests = true
    /// Whether the server hears of each chunk. A server with its usual settings then fetches all of them.
    public var announcesChunks = false
    /// Whether the server may start a recording.
    public var allowsRecording = false
    /// The longest recording that a server may start.
    public var longestRecording: Seconds = 300

    /// Creates the terms of an owner who allows requests, and no more.
    public init() {}
}

/// How this machine is connected, in the words of a server's `communicationsPolicy`.
public enum Medium: String, Sendable, CaseIterable {
    case wifi, cellular, ethernet, usb, bluetooth, airdrop, nfc, uwb, satellite
}
