import AllSpark
import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import VideoRecorder
import VideoUpload

struct UploadVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Send the recordings in a range of time to the server, after a question.",
        usage: "dockface record upload <range> [--yes]",
        discussion: """
            Each file with any picture of that time is sent as a whole; the one that is being written is not. The \
            recorder need not run. A range is written as \(RangeWords.forms).
            """)

    @OptionGroup var place: RecordPlace

    @OptionGroup var range: RecordRange

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Print one JSON line.")
    var json = false

    func validate() throws {
        try range.mustBeNamed()
    }

    func run() async throws {
        let isComplete = try await RecordPlace.reporting { () async throws(DockError) in
            let range = try range.typed() ?? .all
            let settings = try RecordPlace.settings(), limits = try settings.recorder()
            guard let folder = try place.existing() else { return true }
            guard let server = try ServerFile(folder).read() else {
                throw DockError(
                    .configuration, "no server was chosen", hint: "choose one with `dockface record join`")
            }
            let chunks = try FolderSummary(folder).chunks.filter { range.contains($0.record.name) }
            guard let first = chunks.first, let last = chunks.last else {
                RecordPlace.log.note("there are no such recordings")
                return true
            }
            if !yes, try !RecordPlace.agrees(Self.question(chunks, server), otherwise: "pass --yes") {
                RecordPlace.log.note("nothing was sent")
                return true
            }
            guard
                let time = TimeRange(
                    start: Double(first.record.name.start) / 1000, end: Double(last.record.name.end) / 1000 + 0.001)
            else { return true }
            var terms = settings.server.terms(limits)
            // The recorder's own connection is there for what the server wants.
            (terms.answersRequests, terms.announcesChunks, terms.allowsRecording) = (false, false, false)
            let desk = UploadDrive(folder, chunks, isQuiet: json)
            let sent = try await desk.send(time, to: server, terms, settings.server.naming)
            report(sent, of: chunks.count, to: server)
            return sent == chunks.count
        }
        if !isComplete { throw ExitCode(1) }
    }

    private static func question(_ chunks: [FolderSummary.Chunk], _ server: ChosenServer) -> String {
        let bytes = chunks.reduce(0) { $0 + $1.bytes }
        let count = "\(chunks.count) recording" + (chunks.count == 1 ? "" : "s")
        let range =
            (chunks.first.map { ChunkText.date($0.record.name.start) } ?? "") + " to "
            + (chunks.last.map { ChunkText.date($0.record.name.end) } ?? "")
        let visible = chunks.count { $0.record.name.verdict == .visible }
        let faces = visible > 0 ? "; \(visible) of them show faces" : ""
        let lock = server.isEncrypted ? "" : ", without encryption"
        return "Send \(count) (\(ByteSize.words(bytes)), \(range)\(faces)) to \(server.name)\(lock)?"
    }

    private func report(_ sent: Int, of wanted: Int, to server: ChosenServer) {
        guard !json else {
            let line = JSONValue.object(["sent": .number(sent), "of": .number(wanted), "to": .string(server.name)])
            TextOutput.put(String(decoding: line.bytes, as: UTF8.self) + "\n")
            return
        }
        RecordPlace.log.note("\(server.name) has received \(sent) of \(wanted)")
    }
}
