import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import VideoRecorder

struct ExportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Join the recordings in a range of time into one film.",
        usage: "dockface record export <range> --to <file>",
        discussion: """
            The pictures are copied, not encoded again. The film begins at most a second before the range. A range is \
            written as \(RangeWords.forms). Where nothing was recorded, the film goes on with what comes next. The \
            file that is still being written is left out.
            """)

    @OptionGroup var place: RecordPlace

    @OptionGroup var range: RecordRange

    @Option(name: .customLong("to"), help: ArgumentHelp("The film, which must not exist yet.", valueName: "file"))
    var output: String

    @Flag(help: "Print one JSON line.")
    var json = false

    func validate() throws {
        try range.mustBeNamed()
    }

    func run() async throws {
        try await RecordPlace.reporting { () throws(DockError) in
            let range = try range.typed() ?? .all
            guard let folder = try place.existing() else { return }
            let export = FilmExport(folder), plan = try export.plan(range)
            guard !plan.parts.isEmpty else {
                throw DockError(
                    .cannotOpen, "nothing was recorded in that time",
                    hint: "see `dockface record list`; a file that is being written is not complete yet")
            }
            let files = FilmExport.files(plan, output: output)
            try export.write(plan, to: files)
            report(plan, files)
        }
    }

    private func report(_ plan: ExportPlan, _ files: [String]) {
        guard !json else {
            let gaps = plan.gaps.map { JSONValue.array([.number($0.from), .number($0.to)]) }
            let line = JSONValue.object([
                "files": .array(files.map(JSONValue.string)), "duration": .number(plan.length), "gaps": .array(gaps),
            ])
            TextOutput.put(String(decoding: line.bytes, as: UTF8.self) + "\n")
            return
        }
        let log = RecordPlace.log
        log.note("\(ChunkText.seconds(plan.length)) in \(files.joined(separator: ", "))")
        if files.count > 1 {
            log.note("there are several films, because the pictures, the sound or the encoder changed meanwhile")
        }
        let missing = plan.gaps.reduce(0) { $0 + $1.to - $1.from }
        if missing > 0 {
            log.note("\(ChunkText.seconds(missing)) were not recorded, at \(plan.gaps.count) places")
        }
    }
}
