import ArgumentParser
import ExtensionKit

/// The extension `uplink`: it sends pictures with the place of their camera to a server, and draws the people that the
/// server reports.
@main
struct DockfaceUplink: AsyncParsableCommand {
    static let identity = ExtensionIdentity(name: "uplink", version: "0.2.0")

    static let configuration = CommandConfiguration(
        commandName: "dockface uplink",
        abstract: "Send pictures and skeletons to a room server, and draw the people that it reports.",
        discussion: """
            Nothing is sent until you have named a server and a secret, and the robot shows LIVE while it may send. \
            A server that cannot prove that it knows the secret gets nothing. docs/ROOM.md has the steps for two \
            robots. `dockface uplink run --help` lists the options.
            """,
        version: identity.version, subcommands: [RunVerb.self, CheckVerb.self, DoctorVerb.self],
        defaultSubcommand: RunVerb.self)
}
