import ArgumentParser
import ControlProtocol
import DockTypes
import EventLog
import ExtensionKit
import Geometry

struct ShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show records, one line each.",
        discussion: "Times: \(TimeWords.forms).")

    @OptionGroup var place: LogPlace

    @Option(help: ArgumentHelp("The first time. Default: 24h; with --follow: now.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("The last time. Default: none.", valueName: "time"))
    var until: String?

    @Option(
        help: ArgumentHelp(
            "Only these kinds, with commas: " + LogKind.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "kinds"))
    var kind: String?

    @Flag(help: "Continue with new records until it is stopped (Ctrl-C).")
    var follow = false

    @Flag(help: "Print the records as JSON Lines.")
    var json = false

    func run() async throws {
        try await LogPlace.reporting { () throws(DockError) in
            let range = try range()
            guard let folder = try place.existing() else { return }
            let reader = LogReader(folder, range)
            var isEmpty = true
            while true {
                let records = try reader.next()
                for record in records where !print(record) { return }
                isEmpty = isEmpty && records.isEmpty
                guard records.isEmpty else { continue }
                guard follow else { break }
                // A cancelled task must not read the folder without a pause.
                guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { return }
            }
            if reader.damaged > 0 { LogPlace.log.warning("\(reader.damaged) damaged lines were skipped") }
            if isEmpty, !json { LogPlace.log.note("no such records; `dockface log status` shows what there is") }
        }
    }

    private func range() throws(DockError) -> LogRange {
        let zone = LocalZone.system, now = zone.wall(SystemTime.unix)
        let standard = follow ? "now" : until == nil ? "24h" : nil
        var range = LogRange()
        if let text = since ?? standard { range.since = try TimeWords.moment(text, .since, now: now, in: zone) }
        if let until { range.until = try TimeWords.moment(until, .until, now: now, in: zone) }
        if let kind { range.kinds = try LogKind.named(in: kind) }
        return range
    }

    private func print(_ record: StoredRecord) -> Bool {
        TextOutput.put((json ? String(decoding: record.json.bytes, as: UTF8.self) : RecordText.line(record)) + "\n")
    }
}
