/// How pictures are compressed.
public struct EncoderSettings: Sendable, Equatable {
    /// How hard x264 works. `veryfast` makes files a quarter as large, for twice the work.
    public enum Preset: String, Sendable, CaseIterable {
        /// About 6 % of a core for 640 x 480 at 30 pictures a second, and 2.2 Mbit/s.
        case ultrafast
        /// About 10 % of a core, and 0.5 Mbit/s; without pictures that depend on later ones.
        case veryfast

        /// How finely x264 looks for motion. With its own 2, `veryfast` needs half as much again of the processor, to
        /// save about a tenth of the room.
        var subpixels: Int { self == .veryfast ? 1 : 0 }
    }

    /// What encodes H.264.
    public enum Codec: String, Sendable, CaseIterable {
        /// x264, in software. It works everywhere.
        case x264 = "libx264"
        /// The encoder of a Raspberry Pi 4 and of other small boards.
        case video4Linux = "h264_v4l2m2m"
        /// That of an NVIDIA card.
        case nvidia = "h264_nvenc"
        /// That of an Intel processor.
        case quickSync = "h264_qsv"
    }

    /// What encodes. Hardware is used only if `HardwareEncoder` has found that it works.
    public var codec = Codec.x264
    /// How hard x264 works.
    public var preset = Preset.veryfast
    /// x264's constant quality, 0...51; lower is better. With the options below, 28 is as good as x264's own 23 with
    /// `veryfast`, and takes no more room.
    public var quality = 28
    /// Pictures between two that stand alone. Each fragment may begin with any picture, so this is for seeking only.
    public var keyInterval = 30
    /// The program: its path, or a name that is looked up in PATH.
    public var program = "ffmpeg"

    /// Creates the default settings.
    public init() {}
}

/// The container of a film.
public enum FilmContainer: String, Sendable, CaseIterable {
    case mp4, mov

    /// Returns the container that a file's name asks for: MOV if it ends with `.mov`.
    init(file: String) { self = file.hasSuffix(".mov") ? .mov : .mp4 }
}

/// The command lines of ffmpeg for chunks.
public enum EncoderCommand {
    /// The length of a fragment, in microseconds: what a killed encoder or a power cut may cost.
    static let fragment = 1_000_000

    /// How sound is compressed.
    private static let sound = ["-c:a", "aac", "-b:a", "64k"]

    /// Returns the words of an encoder: Matroska on standard input, fragments of MP4 on standard output.
    ///
    /// `-fps_mode passthrough` and `-enc_time_base -1` keep every frame with its own time. `delay_moov` permits an edit
    /// list, without which the padding of AAC would move the first picture by 19.4 ms. The crop does nothing unless a
    /// side is odd, which yuv420p of x264 cannot have. x264 does not look ahead: it would keep ten pictures, which a
    /// kill would cost, and at five pictures a second that is two seconds.
    public static func encode(_ settings: EncoderSettings, hasSound: Bool = false) -> [String] {
        film(settings, from: ["-f", "matroska", "-i", "pipe:0"], hasSound: hasSound)
    }

    /// Returns the words that encode two seconds of a test pattern as a recording is encoded.
    static func trial(_ settings: EncoderSettings) -> [String] { film(settings, from: pattern, hasSound: false) }

    /// Returns the words that compare the pictures of a trial (standard input) with the test pattern, and write the
    /// likeness (SSIM) of each to standard output.
    static func comparison(_ program: String) -> [String] {
        [program, "-nostdin", "-hide_banner", "-loglevel", "error", "-xerror", "-f", "mp4", "-i", "pipe:0"] + pattern
            + ["-lavfi", "[0:v][1:v]ssim=stats_file=-:shortest=1", "-f", "null", "-"]
    }

    /// The pictures of a trial.
    static let trialFrames = 60
    private static let pattern = ["-f", "lavfi", "-i", "testsrc2=size=640x480:rate=30:duration=2"]

    private static func film(_ settings: EncoderSettings, from input: [String], hasSound: Bool) -> [String] {
        var words = [settings.program, "-nostdin", "-hide_banner", "-loglevel", "error"]
        words += input + ["-map", "0:v:0"]
        if hasSound { words += ["-map", "0:a:0"] }
        words += ["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0", "-c:v", settings.codec.rawValue]
        words += coding(settings)
        words += ["-bf", "0", "-g", "\(settings.keyInterval)", "-threads", "1", "-pix_fmt", "yuv420p"]
        words += ["-fps_mode", "passthrough", "-enc_time_base", "-1", "-video_track_timescale", "90000"]
        if hasSound { words += sound }
        words += ["-movflags", "+empty_moov+default_base_moof+delay_moov", "-frag_duration", "\(fragment)"]
        return words + ["-flush_packets", "1", "-f", "mp4", "pipe:1"]
    }

    /// The words for quality and speed. The scales of hardware are like x264's, except that V4L2 knows only a rate.
    private static func coding(_ settings: EncoderSettings) -> [String] {
        switch settings.codec {
        case .x264:
            ["-preset", settings.preset.rawValue, "-crf", "\(settings.quality)"]
                + ["-x264-params", "rc-lookahead=0:sync-lookahead=0:mbtree=0:subme=\(settings.preset.subpixels)"]
        case .video4Linux: ["-b:v", "2M"]
        case .nvidia: ["-rc", "vbr", "-cq", "\(settings.quality)", "-b:v", "0", "-delay", "0"]
        case .quickSync: ["-global_quality", "\(settings.quality)", "-async_depth", "1"]
        }
    }

    /// Returns the words that copy a film into one that begins with its index, as every player wants it. The two options
    /// about times keep them exact. Both paths begin with a slash.
    public static func remux(
        _ program: String, from source: String, to target: String, as container: FilmContainer = .mp4
    ) -> [String] {
        [program, "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-copyts", "-i", "file:" + source]
            + ["-map", "0", "-c", "copy", "-avoid_negative_ts", "disabled", "-movflags", "+faststart"]
            + ["-f", container.rawValue, "file:" + target]
    }

    /// Returns the words that join the films of a list (standard input) into one that begins with its index. The path
    /// begins with a slash.
    ///
    /// Pictures are copied. Sound is encoded again: each film has up to 21 ms before its beginning and behind its end,
    /// because AAC has packets of 1024 samples. The filter cuts that off. Otherwise sound would be later after each
    /// border.
    public static func join(
        _ program: String, to target: String, as container: FilmContainer = .mp4
    ) -> [String] {
        [program, "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-f", "concat", "-safe", "0"]
            + ["-protocol_whitelist", "file,pipe", "-i", "pipe:0", "-c:v", "copy"]
            + ["-af", "aresample=async=1:min_hard_comp=0.002"] + sound + ["-movflags", "+faststart"]
            + ["-video_track_timescale", "90000", "-f", container.rawValue, "file:" + target]
    }
}
