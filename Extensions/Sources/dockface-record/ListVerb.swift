import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import VideoRecorder

struct ListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the recordings, the oldest first.",
        discussion: "A range is written as \(RangeWords.forms).")

    @OptionGroup var place: RecordPlace

    @OptionGroup var range: RecordRange

    @Flag(help: "Print the recordings as JSON Lines.")
    var json = false

    func run() async throws {
        try await RecordPlace.reporting { () throws(DockError) in
            let range = try range.typed() ?? .all
            guard let folder = try place.existing() else { return }
            let summary = try FolderSummary(folder)
            let chunks = summary.chunks.filter { range.contains($0.record.name) }
            for chunk in chunks {
                let line = json ? String(decoding: ChunkText.json(chunk).bytes, as: UTF8.self) : ChunkText.line(chunk)
                guard TextOutput.put(line + "\n") else { return }
            }
            if chunks.isEmpty, !json { RecordPlace.log.note("there are no such recordings") }
        }
    }
}

struct ShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show everything that is known about the recordings in a range of time.",
        discussion: "Without a range, the last recording is shown. A range is written as \(RangeWords.forms).")

    @OptionGroup var place: RecordPlace

    @OptionGroup var range: RecordRange

    @Flag(help: "Print JSON Lines.")
    var json = false

    func run() async throws {
        try await RecordPlace.reporting { () throws(DockError) in
            let range = try range.typed()
            guard let folder = try place.existing() else { return }
            let all = try FolderSummary(folder).chunks
            let chunks = range.map { range in all.filter { range.contains($0.record.name) } } ?? all.suffix(1)
            for chunk in chunks {
                let text =
                    json ? String(decoding: ChunkText.json(chunk).bytes, as: UTF8.self) : Self.text(chunk, folder)
                guard TextOutput.put(text + "\n") else { return }
            }
            if chunks.isEmpty, !json { RecordPlace.log.note("there are no such recordings") }
        }
    }

    private static func text(_ chunk: FolderSummary.Chunk, _ folder: ChunkFolder) -> String {
        let record = chunk.record
        var rows = [
            ChunkText.line(chunk), "  file     " + folder.path(of: record.name.file),
            "  frames   " + (ChunkText.words(record.tally) ?? "not counted"),
        ]
        if record.hasPoses { rows.append("  poses    " + folder.path(of: PoseFile.name(record.name.start))) }
        return rows.joined(separator: "\n")
    }
}
