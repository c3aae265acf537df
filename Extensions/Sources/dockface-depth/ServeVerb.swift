import ArgumentParser
import DockTypes
import ExtensionKit

struct ServeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Receive until it is stopped (Ctrl-C), and say what arrives. The default verb.",
        discussion: """
            Settings are read from depth.toml in ~/.config/dockface and /etc/dockface, and from variables such as \
            DOCKFACE_DEPTH_LISTEN; options take precedence. `dockface status` shows rate, size, unit, age and losses.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: DepthOptions

    func run() async throws {
        let run = try DepthRun(choices, control: options.control)
        let ending = await ExtensionHost(DockfaceDepth.identity, options).run { session in
            try await run.work(session) { _ in true }
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }
}
