import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import VideoRecorder
import VideoUpload

struct AuditVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show what has left this machine, when, and to which server.",
        discussion: "A range is written as \(RangeWords.forms).")

    @OptionGroup var place: RecordPlace

    @OptionGroup var range: RecordRange

    @Flag(help: "Print the lines as JSON.")
    var json = false

    func run() async throws {
        try await RecordPlace.reporting { () throws(DockError) in
            let range = try range.typed() ?? .all
            guard let folder = try place.existing() else { return }
            var count = 0
            for line in try AuditFile(folder).lines() where Self.isIn(line, range) {
                count += 1
                let text = json ? String(decoding: line.bytes, as: UTF8.self) : AuditText.line(line)
                guard TextOutput.put(text + "\n") else { return }
            }
            if count == 0, !json { RecordPlace.log.note("nothing has left this machine in that time") }
        }
    }

    private static func isIn(_ line: JSONValue, _ range: DateRange) -> Bool {
        guard let time = line["time"]?.string.flatMap(AuditText.milliseconds) else { return range == .all }
        return time >= range.from && time < range.to
    }
}

/// A line of the audit file, for people.
enum AuditText {
    /// "2026-11-27 14:05:03  sent  chunk_1795788303000.mp4  2.1 MB  to lab (10.0.0.2:8080)  Video uploaded successfully".
    static func line(_ line: JSONValue) -> String {
        func text(_ key: String) -> String? { line[key]?.string.map { PlainLine.of($0, bytes: 200) } }
        let date = text("time").flatMap(milliseconds).map(ChunkText.date) ?? text("time") ?? "?"
        var words = [date, text("what") ?? "?"]
        if let file = text("file") { words.append(file) }
        if let bytes = line["bytes"]?.integer { words.append(ByteSize.words(bytes)) }
        if let from = text("from").flatMap(milliseconds), let to = text("to").flatMap(milliseconds) {
            words.append("of \(ChunkText.date(from)) to \(ChunkText.date(to))")
        }
        let lock = text("certificate") == nil ? ", not encrypted" : ""
        words.append("to \(text("server") ?? "?") (\(text("address") ?? "?")\(lock))")
        if let result = text("result") { words.append(result) }
        return words.joined(separator: "  ")
    }

    /// Reads "2026-11-27T14:05:03Z", in milliseconds since 1970; nil if it is no such time.
    static func milliseconds(_ text: String) -> Int? {
        guard text.utf8.count == 20, text.hasSuffix("Z") else { return nil }
        return try? RangeWords.range(String(text.dropLast()) + "..", now: 1e11, in: .utc).from
    }
}
