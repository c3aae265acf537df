import ArgumentParser
import DepthStream
import DockTypes
import ExtensionKit

struct CameraVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera", abstract: "Receive, and pass the pictures to the program that started it.",
        discussion: """
            It is started by `dockface run --camera "exec:dockface depth camera"`. Pictures go to standard output as \
            raw RGB. Before each, descriptor 3 gets a line with its time, width and height.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: DepthOptions

    func run() async throws {
        let output = try DepthOptions.reporting { () throws(DockError) in try CameraOutput() }
        let run = try DepthRun(choices)
        let ending = await ExtensionHost(DockfaceDepth.identity, options).run { session in
            try await run.work(session) { frame in
                await output.write(frame.picture, time: frame.facts.exposure)
            }
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }
}
