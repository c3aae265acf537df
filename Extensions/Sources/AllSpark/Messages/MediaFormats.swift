/// The container of a chunk.
public enum VideoFormat: String, Sendable, CaseIterable {
    case mp4, mov
}

/// The format of a chunk's sound as a file of its own: 16-bit mono at 44.1 kHz, or AAC.
public enum SoundFormat: String, Sendable, CaseIterable {
    case wav, m4a
}

/// A file that belongs to a chunk.
public enum FileRole: Sendable, Hashable {
    /// The chunk itself, with its sound.
    case video(VideoFormat)
    /// Its sound alone.
    case sound(SoundFormat)
    /// The time of each frame, as lines.
    case timestamps
    /// Where the head pointed at each frame, as a JSON array.
    case poses

    /// The media type that a server expects (`docs/endpoints.md` of AllSpark-edge-server).
    public var mediaType: String {
        switch self {
        case .video(.mp4): "video/mp4"
        case .video(.mov): "video/quicktime"
        case .sound(.wav): "audio/wav"
        case .sound(.m4a): "audio/mp4"
        case .timestamps: "text/plain"
        case .poses: "application/json"
        }
    }

    /// The extension of a file name.
    public var suffix: String {
        switch self {
        case .video(let format): format.rawValue
        case .sound(let format): format.rawValue
        case .timestamps: "txt"
        case .poses: "json"
        }
    }

    /// Whether it is the chunk itself.
    public var isVideo: Bool { if case .video = self { true } else { false } }
}

/// A file to read: the machine names it, and the caller opens it, makes it if it is a companion, and knows its bytes.
public struct FileNeed: Sendable, Hashable {
    /// The number of the chunk: the time of its first frame, Unix milliseconds.
    public let chunk: Int
    /// Which of the chunk's files.
    public let role: FileRole

    /// Names a file.
    public init(chunk: Int, role: FileRole) { (self.chunk, self.role) = (chunk, role) }
}

/// What a server learns about one chunk that the recorder keeps.
public struct ChunkReference: Sendable, Hashable {
    /// The chunk's number and place in time: its first frame, Unix milliseconds.
    public var number: Int
    /// The exposures of the first frame and of the end of the last one, Unix seconds.
    public var start, end: Double
    /// The camera, such as `front`.
    public var camera: String
    /// The size of the file, in bytes.
    public var bytes: Int
    /// The container of the file.
    public var format: VideoFormat
    /// Frames per second.
    public var rate: Double
    /// The size of the pictures, in pixels.
    public var width, height: Int
    /// Whether the file has a sound track.
    public var hasSound: Bool
    /// Whether the poses of its frames were kept.
    public var hasPoses: Bool

    /// Describes a chunk.
    public init(
        number: Int, start: Double, end: Double, camera: String, bytes: Int, format: VideoFormat, rate: Double,
        width: Int, height: Int, hasSound: Bool, hasPoses: Bool
    ) {
        (self.number, self.start, self.end, self.camera) = (number, start, end, camera)
        (self.bytes, self.format, self.rate) = (bytes, format, rate)
        (self.width, self.height, self.hasSound, self.hasPoses) = (width, height, hasSound, hasPoses)
    }

    /// Its place in time, or nil if it has no length.
    public var range: TimeRange? { TimeRange(start: start, end: end) }
}
