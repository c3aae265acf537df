import ArgumentParser
import DockTypes
import ExtensionKit
import FacePrivacy
import VideoRecorder

struct RunVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Record until it is stopped (Ctrl-C). The default verb.",
        discussion: """
            It waits for the daemon and its camera, and goes on when they return. Settings are read from record.toml \
            in ~/.config/dockface and /etc/dockface, and from variables such as DOCKFACE_RECORD_BUDGET; options take \
            precedence. The shutter button of the dock ends and begins a recording, too.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var place: RecordPlace

    @Option(help: ArgumentHelp("Room for all recordings. The oldest go first. Default: 16 GB.", valueName: "amount"))
    var budget: String?

    @Option(
        help: ArgumentHelp(
            "What is covered: faces, or the whole picture, or none. Default: faces.", valueName: "what"),
        transform: mode)
    var privacy: PrivacyMode?

    @Option(
        help: ArgumentHelp(
            "Where sound comes from: off, default, or a device of ALSA. Voices are not changed. Default: off.",
            valueName: "device"))
    var sound: String?

    @Option(help: ArgumentHelp("Length of a file, in seconds. Default: 30.", valueName: "seconds"))
    var length: Double?

    @Flag(inversion: .prefixedNo, help: "Wait for the shutter button instead of recording at once.")
    var standby: Bool?

    private static func mode(_ word: String) throws -> PrivacyMode {
        if let mode = PrivacyMode(rawValue: word) { return mode }
        throw ValidationError(
            "what is covered is one of: " + PrivacyMode.allCases.map(\.rawValue).joined(separator: ", "))
    }

    func validate() throws {
        guard length.map((2...600).contains) ?? true else { throw ValidationError("a file has 2 to 600 seconds") }
        guard budget.map({ ByteSize.bytes($0) != nil }) ?? true else {
            throw ValidationError("the budget must be an amount, as in \(ByteSize.forms)")
        }
        guard sound.map({ $0 == SoundSource.off || SoundSource(device: $0) != nil }) ?? true else {
            throw ValidationError("sound comes from \(SoundSource.forms)")
        }
    }

    /// Tries encoders in hardware, if one is wanted.
    private static func withEncoder(_ limits: RecorderSettings, _ settings: RecordSettings) -> RecorderSettings {
        guard settings.wantsHardware else { return limits }
        var limits = limits
        let choice = HardwareEncoder.choose(limits.encoder)
        limits.encoder = choice.settings
        for line in RecordWords.encoder(choice.settings.codec, choice.refusals) { RecordPlace.log.note(line) }
        return limits
    }

    func run() async throws {
        let (settings, limits, path) = try await RecordPlace.reporting { () throws(DockError) in
            var settings = try RecordPlace.settings()
            settings.budget = budget ?? settings.budget
            settings.privacy = privacy ?? settings.privacy
            settings.sound = sound ?? settings.sound
            settings.length = length ?? settings.length
            settings.standby = standby ?? settings.standby
            return (settings, Self.withEncoder(try settings.recorder(), settings), try place.path(settings))
        }
        let ending = await ExtensionHost(DockfaceRecord.identity, options).run { session in
            try await RecordDesk.run(session, settings, limits, in: path)
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }
}
