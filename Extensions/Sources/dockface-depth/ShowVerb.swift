import ArgumentParser
import DepthStream
import DockTypes
import ExtensionKit
import Networking

struct ShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show picture and depth in the terminal.",
        discussion: """
            While `dockface depth serve` or `camera` runs, it shows their depth. Otherwise it receives itself, and shows \
            picture and depth. Near is red, far is blue; dark is not measured, and grey is too far. It ends with Ctrl-C.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var choices: DepthOptions

    @Option(help: ArgumentHelp("Pictures a second, at most. Default: 4.", valueName: "number"))
    var rate = 4.0

    @Option(help: ArgumentHelp("End after this number of pictures. Default: never.", valueName: "number"))
    var count: Int?

    func validate() throws {
        guard (0.1...30).contains(rate) else { throw ValidationError("the rate is 0.1 to 30") }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("the count is at least 1") }
    }

    func run() async throws {
        let (place, choice) = try choices.receiver()
        let (rate, count) = (rate, count)
        let preview = choices.namesPlace ? nil : DepthPreview(control: options.control)
        let ending = await ExtensionHost(DockfaceDepth.identity, options).run { session in
            let screen = ShowScreen(rate: rate, count: count)
            if let preview {
                defer { screen.end() }
                return try await preview.run { screen.show($0, now: $1) }
            }
            let desk = DepthDesk(place, choice) { text, _ in screen.note(text) }
            let server = try await desk.listen()
            place.announce(port: server.port, session.log)
            defer { screen.end() }
            try await withThrowingTaskGroup { group in
                group.addTask { try await desk.run(server) { screen.show($0) } }
                group.addTask {
                    repeat {
                        screen.state(desk.words(port: server.port).text)
                    } while (try? await Task.sleep(for: .seconds(1)))
                        != nil
                }
                try await group.next()
                group.cancelAll()
            }
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }
}
