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
            `dockface log run --help` lists the options.
            """,
        version: identity.version, subcommands: [RunVerb.self, ShowVerb.self, StatusVerb.self, DeleteVerb.self],
        defaultSubcommand: RunVerb.self)
}
