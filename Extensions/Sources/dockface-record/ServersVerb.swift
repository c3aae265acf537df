import AllSpark
import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import Networking
import VideoUpload

struct ServersVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "servers", abstract: "Look for servers on the local network.",
        discussion: "The only thing that is sent to them is a query for servers. `dockface record join` chooses one.")

    @OptionGroup var place: RecordPlace

    @Option(help: ArgumentHelp("How long to look, 1 to 60. Default: 3.", valueName: "seconds"))
    var seconds = 3.0

    @Flag(help: "Print JSON Lines.")
    var json = false

    func validate() throws {
        guard (1...60).contains(seconds) else { throw ValidationError("--seconds must be 1 to 60") }
    }

    func run() async throws {
        try await RecordPlace.reporting { () throws(DockError) in
            let path = try place.path(RecordPlace.settings())
            let chosen = try ServerFile(folder: path).read()
            let found = await ServerSearch().servers(within: seconds)
            for service in found {
                let isChosen = chosen?.service == service.name
                let text =
                    json
                    ? String(decoding: Self.json(service, isChosen).bytes, as: UTF8.self)
                    : Self.text(service, isChosen)
                guard TextOutput.put(text + "\n") else { return }
            }
            if found.isEmpty, !json {
                RecordPlace.log.note("no server answers; `dockface record join HOST:PORT` needs no search")
            }
        }
    }

    private static func text(_ service: FoundService, _ isChosen: Bool) -> String {
        let place = service.addresses.first.map { "\($0):\(service.port)" } ?? service.host
        return "\(service.name)  \(place)" + (isChosen ? "  chosen" : "")
    }

    private static func json(_ service: FoundService, _ isChosen: Bool) -> JSONValue {
        .object([
            "name": .string(service.name), "host": .string(service.host), "port": .number(service.port),
            "addresses": .array(service.addresses.map(JSONValue.string)), "chosen": .bool(isChosen),
        ])
    }
}
