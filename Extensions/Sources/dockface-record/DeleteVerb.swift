import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import VideoRecorder

struct DeleteVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete the recordings in a range of time, after a question.",
        usage: "dockface record delete (<range> | --all) [--yes]",
        discussion: """
            A file with any picture of that time goes as a whole, also the one that is being written; a running \
            recorder then begins another one. A range is written as \(RangeWords.forms).
            """)

    @OptionGroup var place: RecordPlace

    @OptionGroup var range: RecordRange

    @Flag(help: "Delete all recordings.")
    var all = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Print one JSON line.")
    var json = false

    func validate() throws {
        if range.isEmpty != all { throw ValidationError("name a range, as in \(RangeWords.forms), or pass --all") }
    }

    func run() async throws {
        try await RecordPlace.reporting { () throws(DockError) in
            let range = try range.typed() ?? .all
            guard let folder = try place.existing() else { return }
            let summary = try FolderSummary(folder)
            let chunks = summary.chunks.filter { range.contains($0.record.name) }
            let open = folder.unfinished(summary.open, in: range)
            guard !chunks.isEmpty || !open.isEmpty else { return report(0, 0) }
            let what = Self.words(chunks, isOpen: !open.isEmpty)
            let agrees = yes ? true : try RecordPlace.agrees("Delete \(what)?", otherwise: "pass --yes")
            guard agrees else { return RecordPlace.log.note("nothing was deleted") }
            let (count, bytes) = try folder.delete(range)
            report(count, bytes)
        }
    }

    private static func words(_ chunks: [FolderSummary.Chunk], isOpen: Bool) -> String {
        let bytes = chunks.reduce(0) { $0 + $1.bytes }
        let range =
            zip(chunks.first.map { [$0] } ?? [], chunks.last.map { [$0] } ?? []).map {
                ", \(ChunkText.date($0.record.name.start)) to \(ChunkText.date($1.record.name.end))"
            }.first ?? ""
        let count = "\(chunks.count) recording" + (chunks.count == 1 ? "" : "s")
        return "\(count) (\(ByteSize.words(bytes))\(range))" + (isOpen ? " and the one that is being written" : "")
    }

    private func report(_ count: Int, _ bytes: Int) {
        guard !json else {
            let line = JSONValue.object(["files": .number(count), "bytes": .number(bytes)])
            TextOutput.put(String(decoding: line.bytes, as: UTF8.self) + "\n")
            return
        }
        let words = "\(count) recording" + (count == 1 ? "" : "s")
        RecordPlace.log.note(count == 0 ? "there are no such recordings" : "deleted \(words), \(ByteSize.words(bytes))")
    }
}
