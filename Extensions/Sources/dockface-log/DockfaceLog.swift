import ArgumentParser
import EventLog
import ExtensionKit

/// The extension `log`: it keeps what happens at the dock, and shows it.
@main
struct DockfaceLog: AsyncParsableCommand {
    static let identity = ExtensionIdentity(name: "log", version: "0.2.0")

    static let configuration = CommandConfiguration(
        commandName: "dockface log",
        abstract: "Keep what happens at the dock, in daily files, and show it.",
        discussion: """
            It keeps events at the dock, its states and faults, who was seen from when to when (numbers, no pictures), \
            changes of the battery, and what programs indicate. docs/LOG.md describes the records. \
            `dockface log run --help` lists the options. With one of the options of `show`, such as `--since 1h` or \
            `--follow`, it shows records.
            """,
        version: identity.version, subcommands: [RunVerb.self, ShowVerb.self, StatusVerb.self, DeleteVerb.self],
        defaultSubcommand: RunVerb.self)

    /// The options that only `show` has.
    private static let optionsOfShow = ["--since", "--until", "--kind", "--follow", "--json"]

    static func main() async {
        var words = Array(CommandLine.arguments.dropFirst())
        if let first = words.first?.split(separator: "=").first, optionsOfShow.contains(String(first)) {
            words.insert("show", at: 0)
        }
        await main(words)
    }
}
