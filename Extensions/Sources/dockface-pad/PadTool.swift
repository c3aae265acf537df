internal import ArgumentParser
internal import DockTypes
internal import ExtensionKit

/// The program: it reads its options and settings, and starts its work.
@main
struct PadTool: AsyncParsableCommand {
    static let identity = ExtensionIdentity(name: "pad", version: "0.2.0")

    static let configuration = CommandConfiguration(
        commandName: "dockface pad", abstract: "Drive the head with a gamepad.",
        discussion: """
            Nothing moves unless the dead-man (LB) is held. B stops, Start and Back together are the emergency stop. \
            `--map` shows all buttons. docs/PAD.md describes the settings.
            """, version: identity.version)

    @Flag(help: "List the gamepads, with the reason why one cannot be used.") var list = false
    @Flag(help: "Show what each button does, and what is pressed. Nothing moves.") var map = false
    @Flag(help: "Write what would be done. Nothing moves.") var dryRun = false
    @Option(help: ArgumentHelp("The device, or a part of its name.", valueName: "path|name")) var device: String?
    @Option(help: ArgumentHelp("The greatest speed, 1...100 % of the rig's own.", valueName: "percent"))
    var speed: Double?
    @OptionGroup var options: ExtensionOptions

    func validate() throws {
        guard speed.map((1...100).contains) ?? true else { throw ValidationError("--speed must be 1 to 100") }
    }

    func run() async throws {
        let status: Int32
        do throws(DockError) {
            status = try await work()
        } catch {
            status = ExtensionLog(Self.identity.name).failure(error)
        }
        if status != 0 { throw ExitCode(status) }
    }
}
