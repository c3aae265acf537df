import ArgumentParser
import ExtensionKit

/// The extension `depth`: it receives pictures with depth.
@main
struct DockfaceDepth: AsyncParsableCommand {
    static let identity = ExtensionIdentity(name: "depth", version: "0.2.0")

    static let configuration = CommandConfiguration(
        commandName: "dockface depth",
        abstract: "Receive pictures with depth from a phone or another program.",
        discussion: """
            A sender connects to this program, and sends JPEG pictures and depth as 16-bit PNG. It listens only on \
            this machine unless you name another address: the stream is neither encrypted nor authenticated. Nothing \
            is kept, except by `save`. docs/DEPTH.md has the format, and a sender of twelve lines. \
            `dockface depth serve --help` lists the options.
            """,
        version: identity.version,
        subcommands: [ServeVerb.self, CameraVerb.self, ShowVerb.self, SaveVerb.self, SendVerb.self],
        defaultSubcommand: ServeVerb.self)
}
