import ArgumentParser
import DepthStream
import DockTypes
import ExtensionKit
import Networking
import Synchronization

struct SaveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Receive, and save the newest picture with its depth.",
        discussion: """
            It writes picture.jpg as it arrived, and depth.png in millimetres: 0 was not measured, and 65535 is too far. \
            With --count, the names have numbers. Faces are visible in both.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: DepthOptions

    @Option(help: ArgumentHelp("Folder for the files. It is created if it is missing.", valueName: "folder"))
    var out: String

    @Option(help: ArgumentHelp("Number of pictures. Default: 1.", valueName: "number"))
    var count = 1

    func validate() throws {
        guard (1...100_000).contains(count) else { throw ValidationError("the count is 1 to 100000") }
    }

    func run() async throws {
        let (place, choice) = try choices.receiver()
        let folder = try DepthOptions.reporting { () throws(DockError) in try PairFolder(making: out) }
        let count = count
        let ending = await ExtensionHost(DockfaceDepth.identity, options).run { session in
            let desk = DepthDesk(place, choice) { text, isWarning in
                if isWarning { session.log.warning(text) } else { session.log.note(text) }
            }
            let server = try await desk.listen()
            place.announce(port: server.port, session.log)
            let saved = Mutex(0), failure = Mutex<DockError?>(nil)
            try await desk.run(server) { frame in
                do throws(DockError) {
                    let number = saved.withLock {
                        $0 += 1; return $0
                    }
                    try folder.write(frame, number: count == 1 ? nil : number)
                    return number < count
                } catch {
                    failure.withLock { $0 = error }
                    return false
                }
            }
            if let error = failure.withLock({ $0 }) { throw error }
            session.log.note("saved \(saved.withLock { $0 }) in \(folder.path)")
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }
}
