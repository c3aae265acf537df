import ArgumentParser
import DockTypes
import ExtensionKit
import Files
import Geometry
import VideoRecorder

/// The options of all verbs: where the recordings are.
struct RecordPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Folder of the recordings. Default: $XDG_DATA_HOME/dockface/recordings, else \
            ~/.local/share/dockface/recordings.
            """, valueName: "path"))
    var folder: String?

    /// The path of the folder.
    func path(_ settings: RecordSettings) throws(DockError) -> String {
        if let folder { return folder }
        return settings.folder.isEmpty ? try ChunkFolder.usual() : settings.folder
    }

    /// Opens the folder to read it. The result is nil, with a note, if there is none yet.
    func existing() throws(DockError) -> ChunkFolder? {
        let path = try path(Self.settings())
        guard ChunkFolder.exists(path) else {
            Self.log.note("nothing is recorded in \(path) yet; `dockface record` starts recording")
            return nil
        }
        return try ChunkFolder.open(path, makes: false)
    }

    /// Opens the folder, which is created if there is none yet.
    func made() throws(DockError) -> ChunkFolder { try ChunkFolder.open(try path(Self.settings()), makes: true) }

    /// The settings of files and variables.
    static func settings() throws(DockError) -> RecordSettings {
        var settings = RecordSettings()
        do throws(FileError) {
            try ExtensionSettings("record").read(RecordSettings.rows, into: &settings)
        } catch {
            throw DockError(error)
        }
        return settings
    }

    /// Asks a question at the terminal. Returns whether the answer is yes.
    /// - Throws: `invalidParameter` with this hint if there is no terminal.
    static func agrees(_ question: String, otherwise hint: String) throws(DockError) -> Bool {
        guard TextOutput.isTerminal(0) else {
            throw DockError(.invalidParameter, "the question needs a terminal", hint: hint)
        }
        TextOutput.put("\(question) [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    static let log = ExtensionLog(DockfaceRecord.identity.name)

    /// Runs a verb. An error is written to standard error, and becomes the exit status of its kind.
    static func reporting<Result>(_ body: () async throws(DockError) -> Result) async throws -> Result {
        do throws(DockError) {
            return try await body()
        } catch {
            guard error.code != .invalidParameter else { throw ValidationError("\(error.message); \(error.hint)") }
            throw ExitCode(log.failure(error))
        }
    }
}
