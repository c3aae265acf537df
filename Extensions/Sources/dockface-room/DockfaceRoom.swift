import ArgumentParser
import ExtensionKit

/// The program `dockface-room`: a server for the robots of a room.
@main
struct DockfaceRoom: AsyncParsableCommand {
    static let identity = ExtensionIdentity(name: "room", version: "0.2.0")

    static let configuration = CommandConfiguration(
        commandName: "dockface room",
        abstract: "Serve a room: take skeletons of several robots, and report where people are.",
        discussion: """
            Robots connect with `dockface uplink`. A robot must sign with the secret of this room; the first start \
            makes one. The server keeps no pictures. docs/ROOM.md has the steps for two robots. \
            `dockface room run --help` lists the options.
            """,
        version: identity.version, subcommands: [RunVerb.self], defaultSubcommand: RunVerb.self)
}
