import ArgumentParser
import DockTypes
import EventLog
import ExtensionKit

struct RunVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Record until it is stopped (Ctrl-C). The default verb.",
        discussion: """
            It waits for the daemon, and goes on when the daemon is started again. Settings are read from log.toml in \
            ~/.config/dockface and /etc/dockface, and from DOCKFACE_LOG_BUDGET and DOCKFACE_LOG_PEOPLE; options take \
            precedence.
            """)

    @OptionGroup var options: ExtensionOptions
    @OptionGroup var place: LogPlace

    @Option(
        help: ArgumentHelp("Room for all files, in MB. The oldest day is deleted first. Default: 64.", valueName: "mb"))
    var budget: Double?

    @Flag(inversion: .prefixedNo, help: "Keep who was seen from when to when. Default: yes.")
    var people: Bool?

    func validate() throws {
        guard budget.map(LogSettings.budgets.contains) ?? true else {
            throw ValidationError("the budget must be a number from 1 to 1000000 (MB)")
        }
    }

    func run() async throws {
        let (settings, path) = try await LogPlace.reporting { () throws(DockError) in
            var settings = try LogPlace.settings()
            settings.budget = budget ?? settings.budget
            settings.people = people ?? settings.people
            return (settings, try place.path())
        }
        let ending = await ExtensionHost(DockfaceLog.identity, options).run { session in
            let folder = try LogFolder.open(path, makes: true)
            let recorder = try LogRecorder(session, settings, folder)
            let people = settings.people ? ", who was seen" : ""
            session.log.note(
                "keeps events, faults, states\(people), battery and indicators in \(folder.path), "
                    + "at most \(LogSummary.size(settings.bytes)); stop it with Ctrl-C")
            try await recorder.run()
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }
}
