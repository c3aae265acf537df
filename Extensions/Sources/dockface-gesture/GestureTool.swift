internal import ArgumentParser
internal import DockTypes
internal import ExtensionKit
internal import Geometry

/// The program: it reads its options, and starts its work.
@main
struct GestureTool: AsyncParsableCommand {
    static let identity = ExtensionIdentity(name: "gesture", version: "0.2.0")

    static let configuration = CommandConfiguration(
        commandName: "dockface gesture", abstract: "Stop and move the head with a hand.",
        discussion: """
            The start arms it; a minute without a gesture ends it. An open palm stops the head. Hold it beside your face for \
            a second and close the hand: the head follows it until it opens. The daemon needs a detector that reports \
            hands (--detector hands). docs/GESTURE.md has all gestures.
            """, version: identity.version)

    @Flag(help: "Write what would be done. Nothing moves.") var dryRun = false
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "End after this time, in seconds. Default: only after a minute without use.", valueName: "seconds"))
    var limit: Double?
    @OptionGroup var options: ExtensionOptions

    func validate() throws {
        guard limit.map({ $0 > 0 && $0 <= 86_400 }) ?? true else {
            throw ValidationError("--for must be above 0 and at most 86400 seconds")
        }
    }

    func run() async throws {
        let work = GestureWork(isDry: dryRun, limit: limit)
        let ending = await ExtensionHost(Self.identity, options).run { try await work.run($0) }
        if ending.exitStatus != 0 { throw ExitCode(ending.exitStatus) }
    }
}
