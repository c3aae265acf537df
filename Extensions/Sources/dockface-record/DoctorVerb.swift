import AllSpark
import ArgumentParser
import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import FacePrivacy
import Networking
import VideoRecorder
import VideoUpload

struct DoctorVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check everything that a recording needs. Nothing is recorded.",
        discussion: """
            It encodes a second of a test pattern, opens the microphone for a moment if sound is wanted, asks the \
            daemon for its camera and its detectors, shows a mark on its screen for a moment, and asks the server \
            how it is if one was chosen. The exit status is 1 if recording cannot work.
            """)

    @OptionGroup var place: RecordPlace
    @OptionGroup var options: ExtensionOptions

    @Flag(help: "Print JSON Lines.")
    var json = false

    func run() async throws {
        let findings = try await RecordPlace.reporting { () async throws(DockError) in
            let settings = try RecordPlace.settings(), limits = try settings.recorder(), path = try place.path(settings)
            return Self.encoder(limits, settings) + Self.sound(limits, path) + Self.folder(path, limits.limits)
                + (await RobotCheck(settings).findings(options.control)) + (await Self.server(path))
        }
        for finding in findings { TextOutput.put((json ? finding.json : finding.text) + "\n") }
        if findings.contains(where: { $0.level == .fault }) { throw ExitCode(1) }
    }

    private static func encoder(_ limits: RecorderSettings, _ settings: RecordSettings) -> [Finding] {
        let install = "install it: apt-get install ffmpeg"
        var findings: [Finding] = [], usesHardware = false
        if settings.wantsHardware {
            let choice = HardwareEncoder.choose(limits.encoder)
            usesHardware = choice.settings.codec != .x264
            let words = RecordWords.encoder(choice.settings.codec, choice.refusals).joined()
            findings.append(
                usesHardware
                    ? Finding(.ok, "hardware", words)
                    : Finding(.warning, "hardware", words, "check the driver, or set `encoder = \"x264\"`"))
        }
        findings.append(
            Finding(
                "encoder", ToolCheck.encoder(limits.encoder), install, fine: "ffmpeg encodes with x264",
                level: usesHardware ? .warning : .fault))
        if let problem = ToolCheck.prober() {
            findings.append(
                Finding(.warning, "times", "a server cannot have the times of pictures: \(problem)", install))
        }
        return findings
    }

    private static func sound(_ limits: RecorderSettings, _ path: String) -> [Finding] {
        guard let sound = limits.sound else { return [] }
        if let folder = try? ChunkFolder.open(path, makes: false), RecorderLock.isHeld(folder) {
            return [Finding(.note, "sound", "\(sound.name) was not tried: a recorder may use it now")]
        }
        return [
            Finding(
                "sound",
                ToolCheck.sound(sound, program: limits.encoder.program).map { "\(sound.name) gives no sound: \($0)" },
                "see `arecord -L` for the devices, and set `sound`",
                fine: "\(sound.name) gives sound; \(RecordWords.voices)")
        ]
    }

    private static func folder(_ path: String, _ limits: RingLimits) -> [Finding] {
        guard ChunkFolder.exists(path) else {
            return [Finding(.note, "folder", "\(path) does not exist yet; the recorder makes it")]
        }
        do throws(DockError) {
            let folder = try ChunkFolder.open(path, makes: false)
            if let problem = ToolCheck.folder(folder) {
                let hint = "give it to this user, or name another one with --folder"
                return [Finding(.fault, "folder", "\(path): \(problem)", hint)]
            }
            let mark = try FolderMark()
            if mark.isRemembered(path) { try mark.check(folder) }
            return [Finding(.ok, "folder", path)] + room(try FolderSummary(folder), limits)
        } catch {
            return [Finding(.fault, "folder", error.message, error.hint)]
        }
    }

    private static func room(_ summary: FolderSummary, _ limits: RingLimits) -> [Finding] {
        var findings: [Finding] = []
        if let space = summary.space, space.free + summary.bytes < limits.budget {
            let free = ByteSize.words(space.free), budget = ByteSize.words(limits.budget)
            findings.append(
                Finding(
                    .note, "room", "the disk has \(free) free, less than the budget of \(budget)",
                    "the oldest recordings go earlier; 5 % of the disk are never used"))
        }
        if let rate = RecordingRate(summary, limits) { findings.append(Finding(.ok, "rate", rate.words)) }
        return findings
    }

    private static func server(_ path: String) async -> [Finding] {
        do throws(DockError) {
            guard ChunkFolder.exists(path), let server = try ServerFile(folder: path).read() else {
                return [Finding(.ok, "server", "none; nothing leaves this machine")]
            }
            let problem = await ServerCheck.problem(of: server)
            return [
                Finding(
                    "server", problem.map { "\(server.name): \($0)" },
                    "check the server, or choose it again with `dockface record join`",
                    fine: "\(server.name) (\(server.url)) answers", level: .warning)
            ]
        } catch {
            return [Finding(.warning, "server", error.message, error.hint)]
        }
    }
}

/// Asks the daemon for what a recording needs of the robot.
struct RobotCheck: Sendable {
    private let settings: RecordSettings

    init(_ settings: RecordSettings) { self.settings = settings }

    /// `control`: the daemon's socket, or nil for the usual one.
    func findings(_ control: String?) async -> [Finding] {
        do throws(DockError) {
            let dock = try await Dock.connect(path: control, reconnects: false)
            defer { dock.close() }
            let status = try await dock.status(), detector = status.json["detector"]
            return [
                Finding(.ok, "daemon", "version \(status.version)"),
                Finding.camera(detector?["camera"], waiter: "the recorder"),
            ]
                + detectors(detector?["sources"]?.array ?? []) + [try await screen(dock)]
        } catch {
            return [Finding(.note, "daemon", "\(error.message); the recorder waits for it", error.hint)]
        }
    }

    private func detectors(_ sources: [JSONValue]) -> [Finding] {
        guard settings.privacy == .faces else { return [] }
        guard !sources.isEmpty else {
            let words = "there is none, so every picture is covered as a whole"
            return [Finding(.warning, "detector", words, "start the daemon with --detector")]
        }
        return sources.map { source in
            let state = source["state"]?.string ?? "unknown", words = "\(source["name"]?.string ?? ""): \(state)"
            guard state != "running" else { return Finding(.ok, "detector", words) }
            let problem = source["problem"]?.string.map { ", \($0)" } ?? ""
            return Finding(
                .warning, "detector", words + problem, "until it works, pictures are covered as a whole")
        }
    }

    /// Shows a mark for a moment, as the recorder does as long as it records.
    private func screen(_ dock: Dock) async throws(DockError) -> Finding {
        let isShown = try await dock.setIndicator("record", .trying, text: "doctor")
        _ = try await dock.setIndicator("record", .off, text: "")
        if isShown { return Finding(.ok, "screen", "it can show that pictures are recorded") }
        guard settings.needsScreen else {
            return Finding(.note, "screen", "there is none, and `sign = \"none\"` records without one")
        }
        let hint = "run the daemon in a terminal, or set `sign = \"none\"` in record.toml and tell the people there"
        return Finding(.fault, "screen", "there is none, so nothing is recorded", hint)
    }
}
