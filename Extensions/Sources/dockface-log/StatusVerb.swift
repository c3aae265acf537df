import ArgumentParser
import ControlProtocol
import DockTypes
import EventLog
import ExtensionKit

struct StatusVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the folder, its size and its budget.")

    @OptionGroup var place: LogPlace

    @Flag(help: "Print one JSON line.")
    var json = false

    func run() async throws {
        let summary = try await LogPlace.reporting { () throws(DockError) in
            let settings = try LogPlace.settings(), path = try place.path()
            guard LogFolder.exists(path) else {
                return LogSummary(folder: path, days: [:], budget: settings.bytes, isRecording: false)
            }
            let folder = try LogFolder.open(path, makes: false)
            return LogSummary(
                folder: folder.path, days: try folder.days(), budget: settings.bytes,
                isRecording: LogLock.isHeld(folder))
        }
        TextOutput.put((json ? String(decoding: summary.json.bytes, as: UTF8.self) : summary.text) + "\n")
    }
}
