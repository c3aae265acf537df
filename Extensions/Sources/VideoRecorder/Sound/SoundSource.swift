/// Where sound comes from: a device of ALSA, which ffmpeg opens.
public struct SoundSource: Sendable, Equatable {
    /// Its name, as people set it: "default", "hw:1,0", "pulse".
    public let name: String
    /// The words of ffmpeg that open it.
    let input: [String]

    /// The samples a second of all recorded sound.
    static let rate = 48_000
    /// The samples in a packet, 25 ms.
    static let packet = 1200
    /// The descriptor of the program to which it writes a line for each packet.
    static let times: Int32 = 3

    /// The word of the setting for no sound.
    public static let off = "off"
    /// The forms of the setting, for messages.
    public static let forms = "\"off\", \"default\", or a device of ALSA such as \"plughw:1,0\" or \"pulse\""

    /// Creates a source. The result is nil if the name cannot be one: at most 100 printable letters of ASCII without
    /// blanks, of which the first is no hyphen.
    public init?(device name: String) {
        guard (1...100).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            name.utf8.first != 0x2D, name != Self.off
        else { return nil }
        // `-ac` and `-ar` set the options of the device in all versions of ffmpeg.
        self.init(name: name, input: ["-f", "alsa", "-ac", "1", "-ar", "\(Self.rate)", "-i", name])
    }

    /// Creates a source from other words of ffmpeg. Its stamps must be Unix time, as those of a device are.
    init(name: String, input: [String]) { (self.name, self.input) = (name, input) }

    /// Returns the words of the program that captures: samples on standard output, and on `times` a line for each
    /// packet with its time and its size.
    ///
    /// `-copyts` keeps the stamps of the device. Packets of one size wake us less often than the periods of a device,
    /// which may have less than a millisecond.
    func capture(_ program: String) -> [String] {
        let filters = [
            "aformat=sample_fmts=s16:sample_rates=\(Self.rate):channel_layouts=mono",
            "asetnsamples=n=\(Self.packet):p=0", "asplit=2[times][samples]",
        ]
        return [program, "-nostdin", "-hide_banner", "-loglevel", "error", "-copyts"] + input
            + ["-filter_complex", "[0:a:0]" + filters.joined(separator: ",")]
            + Self.output("[times]", "framecrc", to: Self.times) + Self.output("[samples]", "s16le", to: 1)
    }

    private static func output(_ name: String, _ format: String, to descriptor: Int32) -> [String] {
        ["-map", name, "-c:a", "pcm_s16le", "-flush_packets", "1", "-f", format, "pipe:\(descriptor)"]
    }
}

/// Whether sound is captured now.
public enum SoundState: Sendable, Equatable {
    /// No sound is wanted by the settings.
    case off
    /// The device is closed, because no recording is wanted.
    case closed
    /// The device is open, or is being opened.
    case open
    /// The device gives no sound, for this reason. It is tried again.
    case failed(String)
}
