import ArgumentParser
import DockTypes
import EventLog
import ExtensionKit

struct DeleteVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete records, after a question.",
        discussion: "A running recorder continues with a new file.")

    @OptionGroup var place: LogPlace

    @Option(help: ArgumentHelp("Only the days before this one, as in 2026-11-27. Default: all.", valueName: "day"))
    var before: String?

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        var limit: Day?
        if let before {
            guard let day = Day(before) else { throw ValidationError("\"\(before)\" is not a day, as in 2026-11-27") }
            limit = day
        }
        try await LogPlace.reporting { () throws(DockError) in
            guard let folder = try place.existing() else { return }
            let days = try folder.days().filter { day, _ in limit.map { day < $0 } ?? true }
            guard let first = days.keys.min(), let last = days.keys.max() else {
                LogPlace.log.note("there are no such records")
                return
            }
            let what =
                "\(days.count) day\(days.count == 1 ? "" : "s") of records, \(first.text) to \(last.text), "
                + LogSummary.size(days.values.reduce(0, +))
            let agrees = yes ? true : try agrees(what)
            guard agrees else {
                LogPlace.log.note("nothing was deleted")
                return
            }
            for day in days.keys.sorted() { try folder.remove(day) }
            LogPlace.log.note("deleted \(what)")
        }
    }

    private func agrees(_ what: String) throws(DockError) -> Bool {
        guard TextOutput.isTerminal(0) else {
            throw DockError(.invalidParameter, "the question needs a terminal", hint: "pass --yes")
        }
        TextOutput.put("Delete \(what)? [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }
}
