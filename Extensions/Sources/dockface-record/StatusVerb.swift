import ArgumentParser
import ControlProtocol
import DockTypes
import ExtensionKit
import FacePrivacy
import VideoRecorder
import VideoUpload

struct StatusVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether it records, and how much room there is.")

    @OptionGroup var place: RecordPlace

    @Flag(help: "Print one JSON line.")
    var json = false

    func run() async throws {
        let (summary, settings, server) = try await RecordPlace.reporting { () throws(DockError) in
            let settings = try RecordPlace.settings(), path = try place.path(settings)
            let limits = try settings.recorder()
            guard ChunkFolder.exists(path) else { return (FolderSummary(folder: path), limits, String?.none) }
            let server = Self.server(path, settings.server)
            return (try FolderSummary(ChunkFolder.open(path, makes: false)), limits, server)
        }
        let text =
            json
            ? String(decoding: Self.json(summary, settings, server).bytes, as: UTF8.self)
            : Self.text(summary, settings, server)
        TextOutput.put(text + "\n")
    }

    /// The server in words, or nil if none was chosen. A damaged file must not hide the rest of the status.
    private static func server(_ folder: String, _ settings: ServerSettings) -> String? {
        do throws(DockError) {
            return try ServerFile(folder: folder).read().map { "\($0.name) (\($0.url)): \(settings.words)" }
        } catch {
            return "unknown, and nothing is uploaded: \(error.message); \(error.hint)"
        }
    }

    private static func text(_ summary: FolderSummary, _ settings: RecorderSettings, _ server: String?) -> String {
        var rows = [
            ("folder", summary.folder),
            ("recording", activity(summary)),
            ("recordings", recordings(summary)),
            ("size", "\(ByteSize.words(summary.bytes)) of \(ByteSize.words(settings.limits.budget))"),
        ]
        if let rate = RecordingRate(summary, settings.limits) { rows.append(("rate", rate.words)) }
        if let space = summary.space { rows.append(("disk", "\(ByteSize.words(space.free)) free")) }
        if let frames = ChunkText.words(summary.tally) { rows.append(("frames", frames)) }
        rows.append(("privacy", settings.privacy.mode.words))
        rows.append(("sound", sound(summary, settings)))
        rows.append(("server", server ?? "none; nothing leaves this machine"))
        return rows.map { $0.0 + String(repeating: " ", count: 12 - $0.0.count) + $0.1 }.joined(separator: "\n")
    }

    /// What a running recorder does. Without one, what the settings say.
    private static func sound(_ summary: FolderSummary, _ settings: RecorderSettings) -> String {
        let device = summary.isRecording ? summary.sound : settings.sound?.name
        return device.map { "recorded from \($0): \(RecordWords.voices)" } ?? "not recorded"
    }

    private static func activity(_ summary: FolderSummary) -> String {
        guard summary.isRecording else { return "no; `dockface record` starts it" }
        guard let open = summary.open.last else { return "no; the recorder waits" }
        return "yes, this file since " + ChunkText.date(open.start)
    }

    private static func recordings(_ summary: FolderSummary) -> String {
        guard let first = summary.chunks.first, let last = summary.chunks.last else { return "none yet" }
        let count = "\(summary.chunks.count) file" + (summary.chunks.count == 1 ? "" : "s")
        return "\(count), \(ChunkText.seconds(summary.length)), from \(ChunkText.date(first.record.name.start)) to "
            + ChunkText.date(last.record.name.end)
    }

    /// What an hour takes, in bytes, and the hours of recording until the oldest files go; null if that is not known.
    private static func rate(_ summary: FolderSummary, _ settings: RecorderSettings) -> JSONValue {
        guard let rate = RecordingRate(summary, settings.limits) else { return .null }
        return .object([
            "bytesPerHour": .number(rate.bytesPerHour), "hoursInAll": .number(rate.capacity),
            "hoursLeft": .number(rate.left),
        ])
    }

    private static func json(
        _ summary: FolderSummary, _ settings: RecorderSettings, _ server: String?
    ) -> JSONValue {
        .object([
            "folder": .string(summary.folder), "running": .bool(summary.isRecording),
            "recording": .bool(summary.isRecording && !summary.open.isEmpty), "files": .number(summary.chunks.count),
            "bytes": .number(summary.bytes), "budget": .number(settings.limits.budget),
            "duration": .number(summary.length), "unsent": .number(summary.unsent), "rate": rate(summary, settings),
            "free": .number(orNull: summary.space.map { Double($0.free) }),
            "first": .number(orNull: summary.chunks.first.map { Double($0.record.name.start) }),
            "last": .number(orNull: summary.chunks.last.map { Double($0.record.name.end) }),
            "frames": ChunkText.frames(summary.tally), "privacy": .string(settings.privacy.mode.rawValue),
            "server": .string(orNull: server),
            "sound": .string(orNull: summary.isRecording ? summary.sound : settings.sound?.name),
        ])
    }
}
