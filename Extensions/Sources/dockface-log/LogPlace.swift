import ArgumentParser
import DockTypes
import EventLog
import ExtensionKit
import Files

/// The options of all verbs: where the records are.
struct LogPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the records. Default: $XDG_STATE_HOME/dockface/log, else ~/.local/state/dockface/log.",
            valueName: "path"))
    var folder: String?

    /// The path of the folder.
    func path() throws(DockError) -> String {
        if let folder { return folder }
        return try LogFolder.usual()
    }

    /// Opens the folder to read it. The result is nil, with a note, if there is none yet.
    func existing() throws(DockError) -> LogFolder? {
        let path = try path()
        guard LogFolder.exists(path) else {
            Self.log.note("nothing is recorded in \(path) yet; `dockface log` starts recording")
            return nil
        }
        return try LogFolder.open(path, makes: false)
    }

    /// The settings of files and variables.
    static func settings() throws(DockError) -> LogSettings {
        var settings = LogSettings()
        do throws(FileError) {
            try ExtensionSettings("log").read(LogSettings.rows, into: &settings)
        } catch {
            throw DockError(error)
        }
        return settings
    }

    static let log = ExtensionLog(DockfaceLog.identity.name)

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
