internal import ArgumentParser
internal import DockTypes
internal import ExtensionKit
internal import Files
internal import Teleop

/// The program: it reads its options and settings, and starts its work.
@main
struct TeleopTool: AsyncParsableCommand {
    static let identity = ExtensionIdentity(name: "teleop", version: "0.2.0")

    static let configuration = CommandConfiguration(
        commandName: "dockface teleop", abstract: "Drive the head with a hand that another program tracks.",
        discussion: """
            The sender connects and sends lines: <Start>, <Track> and <End> with a pose (x y z qw qx qy qz). The head \
            turns by as much as the hand moves, and holds when the hand lets go or nothing comes. The stream is neither \
            encrypted nor authenticated: every program that may connect may turn the head. docs/TELEOP.md describes the commands.
            """, version: identity.version)

    @Option(help: ArgumentHelp("Address and port to listen on. Default: 127.0.0.1:6789.", valueName: "address:port"))
    var listen: String?
    @Option(help: ArgumentHelp("Address that may connect. Repeatable. Default: all.", valueName: "address"))
    var allow: [String] = []
    @Flag(help: "Read the commands from standard input, and listen to no port.") var stdin = false
    @Flag(help: "Write what would be done. Nothing moves.") var dryRun = false
    @Option(help: ArgumentHelp("How far the head turns for each degree of the hand, 0.1...3.", valueName: "factor"))
    var gain: Double?
    @Flag(help: "Turn to the other side, for an operator who faces the camera.") var mirror = false
    @OptionGroup var options: ExtensionOptions

    func validate() throws {
        guard gain.map(TeleopSettings.gains.contains) ?? true else { throw ValidationError("--gain must be 0.1 to 3") }
        guard !stdin || listen == nil && allow.isEmpty else {
            throw ValidationError("--stdin listens to no port: leave out --listen and --allow")
        }
    }

    func run() async throws {
        let log = ExtensionLog(Self.identity.name), configuration: TeleopConfiguration
        do throws(DockError) { configuration = try chosen() } catch { throw ExitCode(log.failure(error)) }
        let work = TeleopWork(configuration, readsInput: stdin, isDry: dryRun)
        let ending = await ExtensionHost(Self.identity, options).run { try await work.run($0) }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }

    private func chosen() throws(DockError) -> TeleopConfiguration {
        var configuration = TeleopConfiguration()
        do throws(FileError) {
            try ExtensionSettings(Self.identity.name).read(TeleopConfiguration.rows, into: &configuration)
        } catch {
            throw DockError(error)
        }
        if let listen { configuration.listen = listen }
        if !allow.isEmpty { configuration.allowed = allow }
        if let gain { configuration.settings.gain = gain }
        if mirror { configuration.settings.isMirrored = true }
        try configuration.readGripper()
        return configuration
    }
}
