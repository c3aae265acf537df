import ArgumentParser
import DockTypes
import ExtensionKit
import Voice

struct RunVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Speak until it is stopped (Ctrl-C). The default verb.",
        discussion: """
            Settings are read from voice.toml in ~/.config/dockface and /etc/dockface, and from DOCKFACE_VOICE_NIGHT and \
            the like; options take precedence.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: VoiceChoices

    func run() async throws {
        try await choices.run(options) { _ throws(DockError) in }
    }
}

struct ServeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "The same for a service: it speaks only if voice.toml has `speak = true`.")

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: VoiceChoices

    func run() async throws {
        try await choices.run(options) { configuration throws(DockError) in
            guard !configuration.speak else { return }
            throw DockError(
                .configuration, "nothing is spoken, because no one has asked for it",
                hint: "write `speak = true` to voice.toml, and start this again")
        }
    }
}

/// The options of a voice.
struct VoiceChoices: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Where the listener stands: front or behind. Default: front, face to face.", valueName: "place"))
    var viewpoint: String?

    @Option(
        help: ArgumentHelp(
            "The hours without speech and sounds, or none. Default: 22:00-07:00.", valueName: "hh:mm-hh:mm"))
    var night: String?

    @Flag(help: "Write what would be said and played, and play nothing.")
    var dryRun = false

    @Flag(help: "Print what is said, played and left out as JSON Lines.")
    var json = false

    func validate() throws {
        guard viewpoint.map({ Viewpoint(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("--viewpoint must be front or behind")
        }
        guard night.map({ $0 == "none" || QuietHours($0) != nil }) ?? true else {
            throw ValidationError("--night must be hours such as 22:00-07:00, or none")
        }
    }

    /// Reads the settings, checks them, and speaks until the end.
    func run(
        _ options: ExtensionOptions, check: (VoiceConfiguration) throws(DockError) -> Void
    ) async throws {
        let log = ExtensionLog(VoiceTool.identity.name), work: VoiceWork
        do throws(DockError) {
            var configuration = try VoiceConfiguration.read()
            try check(configuration)
            if let viewpoint { configuration.viewpoint = Viewpoint(rawValue: viewpoint) ?? .front }
            if let night { configuration.night = night }
            work = VoiceWork(
                configuration: configuration, settings: try configuration.settings(), isDry: dryRun, isJSON: json)
        } catch {
            throw ExitCode(log.failure(error))
        }
        let ending = await ExtensionHost(VoiceTool.identity, options).run { try await work.run($0) }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }
}
