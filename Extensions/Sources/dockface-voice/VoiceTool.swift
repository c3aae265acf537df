import ArgumentParser
import ExtensionKit

/// The extension `voice`: it speaks what programs say, and plays their sounds.
@main
struct VoiceTool: AsyncParsableCommand {
    static let identity = ExtensionIdentity(name: "voice", version: "0.2.0")

    static let configuration = CommandConfiguration(
        commandName: "dockface voice",
        abstract: "Speak what programs say, and play their sounds.",
        discussion: """
            `dockface voice` speaks until Ctrl-C: the finder's sentences, and those of every program that uses `say`. It is \
            quiet at night, never repeats itself soon, and names sides as the listener sees them. docs/VOICE.md has the rules. \
            `dockface voice run --help` lists the options.
            """,
        version: identity.version,
        subcommands: [RunVerb.self, ServeVerb.self, TestVerb.self, SoundsVerb.self, DoctorVerb.self],
        defaultSubcommand: RunVerb.self)
}
