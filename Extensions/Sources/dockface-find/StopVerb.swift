import ArgumentParser
import DockTypes
import ExtensionKit

struct StopVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "End the running search, and give the head back.",
        discussion: """
            It ends every search that this user has started, as Ctrl-C does there, and returns when the head stands and \
            is free. Without a search it does nothing. `dockface stop` stops the head at once, whatever moves it.
            """)

    func run() async throws {
        let count = try await FindPlace.reporting { () async throws(DockError) -> Int in try await SearchLock.stopAll()
        }
        FindPlace.log.note(
            count == 0 ? "no search is running" : count == 1 ? "the search has ended" : "\(count) searches have ended")
    }
}
