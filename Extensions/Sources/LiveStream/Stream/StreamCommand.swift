internal import Geometry

/// What a stream is like.
public struct StreamSettings: Sendable, Equatable {
    /// Where it goes.
    public var address: StreamAddress
    /// Pictures a second.
    public var rate = 30.0
    /// The program: its path, or a name that is looked up in PATH.
    public var program = "ffmpeg"

    /// Creates the usual settings.
    public init(_ address: StreamAddress) { self.address = address }
}

/// The command line of ffmpeg for a stream.
enum StreamCommand {
    /// x264's constant quality, 0...51; lower is better. A room where little moves then takes few bits.
    static let quality = 26
    /// The descriptor from which ffmpeg reads secret options.
    static let options: Int32 = 3

    /// Returns the words: raw pictures on standard input, H.264 to the address, its progress on standard output.
    ///
    /// A picture has the time at which ffmpeg reads it, and the filter makes an even rate of that. Without B frames and
    /// with a key frame a second a viewer sees the robot at once, and is behind it by the network only.
    ///
    /// - Parameter target: the address for ffmpeg.
    static func words(_ settings: StreamSettings, to target: String, width: Int, height: Int) -> [String] {
        let rate = String(Int(settings.rate.rounded())), bits = bitRate(settings, width: width, height: height)
        var words = [settings.program, "-nostdin", "-hide_banner", "-loglevel", "error", "-progress", "pipe:1"]
        words += ["-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", "\(width)x\(height)"]
        words += ["-framerate", "1000", "-use_wallclock_as_timestamps", "1", "-i", "pipe:0"]
        if !settings.address.hidden.isEmpty { words += ["-fpre", "/dev/fd/\(options)"] }
        words += ["-vf", "fps=\(rate),crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,format=yuv420p", "-an"]
        words += ["-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-bf", "0", "-g", rate]
        words += ["-crf", "\(quality)", "-maxrate", "\(bits)", "-bufsize", "\(bits / 2)", "-threads", "2"]
        switch settings.address.scheme {
        case .rtsp: words += ["-f", "rtsp", "-rtsp_transport", "tcp"]
        case .srt: words += ["-f", "mpegts", "-flush_packets", "1", "-muxdelay", "0"]
        }
        return words + [target]
    }

    /// A quarter of a bit a pixel at most: 2.3 Mbit/s for 640 x 480 at 30 pictures a second.
    private static func bitRate(_ settings: StreamSettings, width: Int, height: Int) -> Int {
        max(200_000, Int(Double(width * height) * settings.rate / 4))
    }

    /// The file of the secret options.
    static func secretOptions(_ address: StreamAddress) -> [UInt8] {
        Array(address.hidden.map { "\($0.key)=\($0.value)\n" }.joined().utf8)
    }
}

/// Why a stream has ended, in words.
enum StreamComplaint {
    /// What ffmpeg and its libraries write, and what it means.
    private static let table: [(sign: String, words: String)] = [
        ("Incorrect passphrase", "the receiver does not accept the passphrase"),
        ("401 Unauthorized", "the server does not accept the user or the password"),
        ("authorization failed", "the server does not accept the user or the password"),
        ("403 Forbidden", "the server does not permit this stream"),
        ("404 Not Found", "the server does not know this path"),
        ("Failed to resolve hostname", "the name of the server is unknown"),
        ("Connection refused", "no program listens there"),
        ("timed out", "there was no answer"), ("No route to host", "there is no route to the host"),
        ("Network is unreachable", "there is no route to the host"),
        ("Protocol not found", "this ffmpeg does not know the protocol"),
        ("Unknown encoder", "this ffmpeg has no libx264"),
        ("Broken pipe", "the receiver has ended the connection"),
        ("Connection reset", "the receiver has ended the connection"),
        ("Connection to srt", "no connection could be made"),
        ("Input/output error", "the connection was lost"),
    ]

    /// Returns the reason, from the lines that it wrote and how it ended.
    static func words(_ lines: [String], _ ending: String, _ address: StreamAddress) -> String {
        let text = lines.joined(separator: "\n")
        if let row = table.first(where: { text.contains($0.sign) }) { return row.words }
        let first = lines.first.map { address.redacted($0) }
        return first.map { "\($0) (\(ending))" } ?? "ffmpeg has ended (\(ending))"
    }
}

/// When a stream is begun again, as a pure value: after half a second, then after longer pauses.
struct StreamPauses: Sendable, Equatable {
    static let first: Seconds = 0.5, longest: Seconds = 30
    /// After so long without a failure, the pauses begin again.
    static let proven: Seconds = 10

    private var pause: Seconds = 0

    /// Records that a stream which lasted so long has ended. Returns the seconds until the next one.
    mutating func next(after lasted: Seconds) -> Seconds {
        pause = pause == 0 || lasted >= Self.proven ? Self.first : min(Self.longest, pause * 2)
        return pause
    }
}
