/// The meaning of one line of a detection stream.
public enum DetectionEvent: Sendable, Equatable {
    /// The detections of a frame are in `decoder.frame`, until the next call.
    case frame
    /// The same for a frame that must not steer. Its exposure is not a number if it is unknown. Only if the options ask
    /// for it.
    case dropped(DropReason)
    /// The stream's hello.
    case hello(StreamHello)
    /// The stream does not continue the previous frames: a new hello, or a media clock that jumped back.
    case newEpoch
    /// A line that is not a detection: command words, or JSON-RPC. It is whole, without its line end.
    case command(String)
    /// The detector reports its own state.
    case status(level: String, code: String, text: String)
    /// The detector ends.
    case bye(reason: String)
    /// An error in the stream, reported at most once a second.
    case problem(DecoderProblem)
    /// The stream has another version (as it was written). Everything until a hello with version 1 is ignored.
    case refused(version: String)
    /// Ten frames in a row came from the future: the stream's clock is not the declared one, and the source is stale.
    case clockMismatch
}

/// Why a frame is not used.
public enum DropReason: String, Sendable, CaseIterable {
    /// It has the time or the number of the frame before it.
    case repeated
    /// It was taken before the last one.
    case outOfOrder
    /// It arrived too late.
    case tooOld
    /// Its time has not come yet.
    case future
}

/// A line, or a part of it, that could not be used: the location, the reason, and what to do.
public struct DecoderProblem: Sendable, Equatable {
    /// The number of the line, where 1 is the stream's first.
    public var line: Int
    /// The reason.
    public var reason: Reason
    /// The number of problems that this report covers: this one and those held back since the last report.
    public var count: Int

    /// The reason why a line or a part of it cannot be used.
    public enum Reason: Sendable, Equatable {
        /// Invalid JSON from this byte on (1 is the line's first).
        case syntax(byte: Int)
        /// The line is longer than 64 KiB.
        case oversize
        /// The line has neither `type` nor `faces`.
        case noType
        /// `faces` is missing or not a list.
        case noFaces
        /// `t` is not a finite number.
        case badTime
        /// There are rectangles in pixels without a frame size.
        case noPictureSize
        /// A face's rectangle is missing, not finite, or has no size.
        case badFace
        /// A face lies far outside the frame and is not used, or all faces so far lie outside.
        case faceOutside
        /// The hello gives this key an unknown value.
        case unknownValue(key: String)
        /// It is not a detection, and this source may not send commands.
        case noCommandsHere
    }

    /// The reason and what to do about it, in one sentence.
    public var text: String {
        switch reason {
        case .syntax(let byte): "not valid JSON at byte \(byte): send one complete JSON object per line"
        case .oversize: "line is longer than 65536 bytes: send fewer faces or fewer decimals"
        case .noType: "neither \"type\" nor \"faces\": send {\"faces\":[{\"rect\":[x,y,w,h]}]}"
        case .noFaces: "\"faces\" is not a list: send \"faces\":[] for a frame without faces"
        case .badTime: "\"t\" is not a number: send seconds, or omit it"
        case .noPictureSize:
            "rectangles are in pixels but the frame size is unknown: add \"image\":{\"w\":..,\"h\":..} to hello"
        case .badFace: "a face without a usable \"rect\": send [x,y,w,h] with w and h above 0"
        case .faceOutside:
            "faces outside the frame: send 0...1, or declare \"units\":\"px\" and \"image\" in hello"
        case .unknownValue(let key): "hello gives \"\(key)\" an unknown value: see docs/DETECTORS.md"
        case .noCommandsHere:
            "not a detection: write logs to standard error; only `dockface run` accepts commands, on standard input"
        }
    }
}

/// The counts of a decoder since its creation.
public struct DecoderCounters: Sendable, Equatable {
    /// The number of lines, including empty and bad ones.
    public var lines = 0
    /// The number of frames returned.
    public var frames = 0
    /// The number of faces returned.
    public var faces = 0
    /// The number of faces dropped from otherwise valid frames.
    public var facesDropped = 0
    /// The number of lines that could not be used, including oversize ones.
    public var badLines = 0
    /// The number of bad lines since the last good one.
    public var consecutiveBadLines = 0
    /// The number of answers to pings.
    public var pongs = 0
    /// The number of lines over 64 KiB.
    public var oversize = 0
    /// The number of frames returned although they were older than half of the maximum age.
    public var late = 0
    /// The number of frames dropped because they repeat the last exposure.
    public var repeated = 0
    /// The number of frames dropped because their exposure precedes the last one's.
    public var outOfOrder = 0
    /// The number of frames dropped because they are too old.
    public var tooOld = 0
    /// The number of frames dropped because they are from the future.
    public var future = 0

    /// Creates counts of zero.
    public init() {}

    /// The number of frames that were understood but dropped.
    public var framesDropped: Int { repeated + outOfOrder + tooOld + future }
}
