import ArgumentParser
import DepthStream
import DockTypes
import ExtensionKit

struct CameraVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera", abstract: "Receive, and pass the pictures to the program that started it.",
        discussion: """
            It is started by `dockface run --camera "exec:dockface depth camera"`. Pictures go to standard output as \
            they arrived, in Matroska, each with the time of its exposure. The faces that the daemon tracks in them are \
            measured in the depth, and the daemon learns how far they are. While no sender is connected, it says so on \
            standard error, and the daemon waits.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: DepthOptions

    func run() async throws {
        let output = try DepthOptions.reporting { () throws(DockError) in try CameraOutput() }
        let run = try DepthRun(choices, control: options.control)
        let ending = await ExtensionHost(DockfaceDepth.identity, options).run { session in
            let distances = DistanceDesk()
            let reporting = Task { await distances.run(session) }
            defer { reporting.cancel() }
            let onWait: @Sendable (String) -> Void = { line in TextOutput.put(line + "\n", to: 2) }
            try await run.work(session, onWait: onWait) { frame in
                // First, because the daemon may ask for this frame's depth as soon as it has the picture.
                distances.add(frame)
                switch await output.write(frame) {
                case .written: return true
                case .resized: session.log.note("the pictures have another size now, which needs a new start")
                case .ended: break
                }
                return false
            }
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }
}
