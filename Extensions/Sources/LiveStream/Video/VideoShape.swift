public import Geometry

/// What an encoder is started with.
public struct VideoShape: Sendable, Equatable {
    /// The picture's width in pixels, at most.
    public var width: Int
    /// The bits of a second, at most.
    public var bits: Int
    /// Pictures a second.
    public var rate: Int

    /// Creates a shape.
    public init(width: Int, bits: Int, rate: Int) { (self.width, self.bits, self.rate) = (width, bits, rate) }
}

/// Chooses the shape of a video from what the network takes, as a pure value.
///
/// ffmpeg cannot change an encoder that runs, so each change is a new one, which begins with a large picture. Less is
/// therefore sent soon, and more only after a while.
public struct VideoGovernor: Sendable, Equatable {
    /// The least time before less and before more is sent, in seconds.
    static let beforeLess: Seconds = 1, beforeMore: Seconds = 5
    /// The share of the bits below which less is sent, and above which more is.
    static let less = 0.7, more = 1.5
    /// The bits of a pixel at the best quality, and the least bits of a second.
    static let bitsPerPixel = 0.25, leastBits = 60_000

    private var current: (shape: VideoShape, since: Seconds)?

    /// Creates a governor before the first picture.
    public init() {}

    /// Returns the shape of the next picture.
    /// - Parameters:
    ///   - width: the width in pixels that the network takes now.
    ///   - height: the height of a picture of that width.
    ///   - quality: the quality that it takes now, 0...1, where 1 is the best.
    ///   - rate: the pictures a second that it takes now.
    public mutating func shape(width: Int, height: Int, quality: Double, rate: Double, now: Seconds) -> VideoShape {
        let bits = Double(width * height) * rate * Self.bitsPerPixel * quality * quality
        let wanted = VideoShape(width: width, bits: max(Self.leastBits, Int(bits)), rate: max(1, Int(rate.rounded())))
        guard let current else { return apply(wanted, now) }
        let share = Double(wanted.bits) / Double(current.shape.bits), age = now - current.since
        let isLess = share < Self.less && age >= Self.beforeLess, isMore = share > Self.more && age >= Self.beforeMore
        return isLess || isMore ? apply(wanted, now) : current.shape
    }

    private mutating func apply(_ shape: VideoShape, _ now: Seconds) -> VideoShape {
        current = (shape, now)
        return shape
    }

    /// Whether both are the same.
    public static func == (a: VideoGovernor, b: VideoGovernor) -> Bool {
        a.current?.shape == b.current?.shape && a.current?.since == b.current?.since
    }
}

/// The command line of ffmpeg for a video.
enum VideoCommand {
    /// Pictures between two key frames, unless one is wanted before.
    static let keyInterval = 300

    /// Returns the words: raw pictures on standard input, H.264 in FLV on standard output, each picture at once.
    static func words(_ program: String, width: Int, height: Int, bits: Int, rate: Int) -> [String] {
        var words = [program, "-nostdin", "-hide_banner", "-loglevel", "error", "-f", "rawvideo"]
        words += ["-pixel_format", "rgb24", "-video_size", "\(width)x\(height)", "-framerate", "\(rate)"]
        words += ["-i", "pipe:0"]
        words += ["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,format=yuv420p", "-fps_mode", "passthrough"]
        words += ["-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-bf", "0", "-threads", "1"]
        words += [
            "-g", "\(keyInterval)", "-crf", "\(StreamCommand.quality)", "-maxrate", "\(bits)", "-bufsize",
            "\(bits / 2)",
        ]
        return words + ["-flush_packets", "1", "-flvflags", "no_duration_filesize", "-f", "flv", "pipe:1"]
    }
}
