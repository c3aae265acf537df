import ArgumentParser
import ExtensionKit

/// The extension `find`: it looks for a thing, points at it, and remembers where it is.
@main
struct DockfaceFind: AsyncParsableCommand {
    static let identity = ExtensionIdentity(name: "find", version: "0.2.0")

    static let configuration = CommandConfiguration(
        commandName: "dockface find",
        abstract: "Look for a thing, point at it, and remember where it is.",
        discussion: """
            `dockface find cup` turns the head until a detector of the daemon names a cup in two looks, points at it, \
            and remembers the place. --photo, --text and --describe say which cup. Ctrl-C, `dockface find stop`, and any \
            key or stop of a person at the robot, end the search. \
            docs/FIND.md shows a search in ten minutes. `dockface find search --help` lists the options of a search.
            """,
        version: identity.version,
        subcommands: [SearchVerb.self, StopVerb.self, ThingsVerb.self, LookVerb.self, ForgetVerb.self],
        defaultSubcommand: SearchVerb.self)
}
