/// What one line of a detection stream turned out to be.
public enum DetectionEvent: Sendable, Equatable {
    /// A picture's detections are in `decoder.frame`, until the next call.
    case frame
    /// The stream introduced itself.
    case hello(StreamHello)
    /// What came before does not continue: a new hello, or a media clock that jumped back.
    case newEpoch
    /// A line that is no detection: command words, or JSON-RPC; whole, without its line end.
    case command(String)
    /// The detector speaks about its own state.
    case status(level: String, code: String, text: String)
    /// The detector ends.
    case bye(reason: String)
    /// Something in the stream is wrong; told at most once a second.
    case problem(DecoderProblem)
    /// The stream speaks another version (told as it was written): everything until a hello with version 1 is ignored.
    case refused(version: String)
    /// Ten frames in a row came from the future: the stream's clock is not what it says, the source is stale.
    case clockMismatch
}

/// A line, or a part of it, that could not be used: where, why, and what to do.
public struct DecoderProblem: Sendable, Equatable {
    /// The number of the line, 1 = the stream's first.
    public var line: Int
    /// What is wrong.
    public var reason: Reason
    /// How many problems this report stands for: itself and those kept back since the last report.
    public var count: Int

    /// What can be wrong with a line.
    public enum Reason: Sendable, Equatable {
        /// Not JSON from this byte on (1 = the line's first).
        case syntax(byte: Int)
        /// The line is longer than 64 KiB.
        case oversize
        /// Neither `type` nor `faces`.
        case noType
        /// `faces` is missing or not a list.
        case noFaces
        /// `t` is not a finite number.
        case badTime
        /// Rectangles in pixels and no picture size.
        case noPictureSize
        /// A face's rectangle is missing, not finite, or has no size.
        case badFace
        /// A face lies far outside the picture.
        case faceOutside
        /// Hello declares this key with a value that is not known.
        case unknownValue(key: String)
        /// Not a detection, and this source may not command.
        case noCommandsHere
    }

    /// What is wrong and what to do about it, in one sentence of words.
    public var text: String {
        switch reason {
        case .syntax(let byte): "not valid JSON at byte \(byte): send one complete JSON object a line"
        case .oversize: "line is longer than 65536 bytes: send fewer faces or fewer decimals"
        case .noType: "neither \"type\" nor \"faces\": send {\"faces\":[{\"rect\":[x,y,w,h]}]}"
        case .noFaces: "\"faces\" is not a list: send \"faces\":[] for a picture without faces"
        case .badTime: "\"t\" is not a number: send seconds, or leave it out"
        case .noPictureSize:
            "rectangles are in pixels but the picture's size is unknown: add \"image\":{\"w\":..,\"h\":..} to hello"
        case .badFace: "a face without a usable \"rect\": send [x,y,w,h] with w and h above 0"
        case .faceOutside:
            "a face far outside the picture: send 0...1, or declare \"units\":\"px\" and \"image\" in hello"
        case .unknownValue(let key): "hello gives \"\(key)\" a value that is not known: see the stream's description"
        case .noCommandsHere: "not a detection: only standard input takes commands, so send logs to standard error"
        }
    }
}

/// What a decoder has seen since it was made.
public struct DecoderCounters: Sendable, Equatable {
    /// Lines, also empty and bad ones.
    public var lines = 0
    /// Frames handed out.
    public var frames = 0
    /// Faces handed out.
    public var faces = 0
    /// Faces dropped from frames that were otherwise good.
    public var facesDropped = 0
    /// Lines that could not be used, oversize ones too.
    public var badLines = 0
    /// Bad lines since the last good one.
    public var consecutiveBadLines = 0
    /// Answers to pings.
    public var pongs = 0
    /// Lines over 64 KiB.
    public var oversize = 0
    /// Frames handed out although older than half of what is allowed.
    public var late = 0
    /// Frames dropped: the same exposure again.
    public var repeated = 0
    /// Frames dropped: an exposure before the last one's.
    public var outOfOrder = 0
    /// Frames dropped: taken too long ago.
    public var tooOld = 0
    /// Frames dropped: taken in the future.
    public var future = 0

    /// Nothing seen.
    public init() {}

    /// Frames that were understood and still not handed out.
    public var framesDropped: Int { repeated + outOfOrder + tooOld + future }
}
