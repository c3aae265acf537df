import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import VideoRecorder

struct VerifyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that recordings are whole.",
        discussion: """
            It compares each file with its name and with the list of its day. With --decode, every picture is decoded, \
            too. The exit status is 1 if a file is damaged.
            """)

    @OptionGroup var place: RecordPlace

    @OptionGroup var range: RecordRange

    @Flag(help: "Decode every picture. This takes about a second for a minute.")
    var decode = false

    @Flag(help: "Print JSON Lines.")
    var json = false

    func run() async throws {
        let damaged = try await RecordPlace.reporting { () throws(DockError) in
            let range = try range.typed() ?? .all
            guard let folder = try place.existing() else { return 0 }
            let chunks = try FolderSummary(folder).chunks.filter { range.contains($0.record.name) }
            var damaged = 0
            for chunk in chunks {
                let problem = folder.problem(of: chunk.record, decodes: decode)
                if problem != nil { damaged += 1 }
                print(chunk, problem)
            }
            if !json { RecordPlace.log.note("\(chunks.count) checked, \(damaged) damaged") }
            return damaged
        }
        if damaged > 0 { throw ExitCode(1) }
    }

    private func print(_ chunk: FolderSummary.Chunk, _ problem: String?) {
        if json {
            let line = JSONValue.object([
                "file": .string(chunk.record.name.file), "problem": .string(orNull: problem),
            ])
            TextOutput.put(String(decoding: line.bytes, as: UTF8.self) + "\n")
        } else if let problem {
            TextOutput.put("\(chunk.record.name.file): \(problem)\n")
        }
    }
}
