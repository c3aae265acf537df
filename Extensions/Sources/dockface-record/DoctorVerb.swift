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
            daemon for its camera, its detectors and its screen, and connects to the server if one was chosen. The \
            exit status is 1 if recording cannot work.
            """)

    @OptionGroup var place: RecordPlace
    @OptionGroup var options: ExtensionOptions

    @Flag(help: "Print JSON Lines.")
    var json = false

    func run() async throws {
        let findings = try await RecordPlace.reporting { () async throws(DockError) in
            let settings = try RecordPlace.settings(), limits = try settings.recorder()
            var findings = Self.tools(limits)
            if settings.wantsHardware { findings.append(Self.hardware(limits)) }
            let path = try place.path(settings)
            findings += Self.folder(path, limits.limits)
            findings += await Self.daemon(options.control, settings)
            findings += await Self.server(path)
            return findings
        }
        for finding in findings { TextOutput.put((json ? finding.json : finding.text) + "\n") }
        if findings.contains(where: { $0.level == .fault }) { throw ExitCode(1) }
    }

    private static func tools(_ limits: RecorderSettings) -> [Finding] {
        var findings: [Finding] = []
        let install = "install it: apt-get install ffmpeg"
        findings.append(
            Finding("encoder", ToolCheck.encoder(limits.encoder), install, fine: "ffmpeg encodes with x264"))
        if let problem = ToolCheck.prober() {
            findings.append(
                Finding(.warning, "times", "a server cannot have the times of pictures: \(problem)", install))
        }
        if let sound = limits.sound {
            let problem = ToolCheck.sound(sound, program: limits.encoder.program)
            findings.append(
                Finding(
                    "sound", problem.map { "\(sound.name) gives no sound: \($0)" },
                    "see `arecord -L` for the devices, and set `sound`",
                    fine: "\(sound.name) gives sound; \(RecordWords.voices)"))
        }
        return findings
    }

    private static func hardware(_ limits: RecorderSettings) -> Finding {
        let choice = HardwareEncoder.choose(limits.encoder)
        let words = RecordWords.encoder(choice.settings.codec, choice.refusals).joined()
        return choice.settings.codec == .x264
            ? Finding(.warning, "hardware", words, "check the driver, or set `encoder = \"x264\"`")
            : Finding(.ok, "hardware", words)
    }

    private static func folder(_ path: String, _ limits: RingLimits) -> [Finding] {
        guard ChunkFolder.exists(path) else {
            return [Finding(.note, "folder", "\(path) does not exist yet; the recorder makes it")]
        }
        do throws(DockError) {
            let folder = try ChunkFolder.open(path, makes: false)
            if let problem = ToolCheck.folder(folder) {
                return [
                    Finding(
                        .fault, "folder", "\(path): \(problem)", "give it to this user, or name another with --folder")
                ]
            }
            let mark = try FolderMark()
            if mark.isRemembered(path) { try mark.check(folder) }
            let summary = try FolderSummary(folder)
            var findings = [Finding(.ok, "folder", path)]
            if let space = summary.space, space.free + summary.bytes < limits.budget {
                findings.append(
                    Finding(
                        .note, "room",
                        "the disk has \(ByteSize.words(space.free)) free, less than the budget of \(ByteSize.words(limits.budget))",
                        "the oldest recordings go earlier; 5 % of the disk are never used"))
            }
            if let rate = RecordingRate(summary, limits) { findings.append(Finding(.ok, "rate", rate.words)) }
            return findings
        } catch {
            return [Finding(.fault, "folder", error.message, error.hint)]
        }
    }

    private static func daemon(_ control: String?, _ settings: RecordSettings) async -> [Finding] {
        do throws(DockError) {
            let dock = try await Dock.connect(path: control, reconnects: false)
            defer { dock.close() }
            let status = try await dock.status(), detector = status.json["detector"]
            var findings = [Finding(.ok, "daemon", "version \(status.version)")]
            let camera = detector?["camera"]?["state"]?.string
            findings.append(
                camera == nil
                    ? Finding(
                        .fault, "camera", "the daemon has no camera",
                        "start it with --camera, as in `dockface run --camera /dev/video0`")
                    : Finding(.ok, "camera", "\(detector?["camera"]?["name"]?.string ?? "") \(camera ?? "")"))
            let sources = (detector?["sources"]?.array ?? []).compactMap { $0["name"]?.string }
            if settings.privacy == .faces {
                findings.append(
                    sources.isEmpty
                        ? Finding(
                            .warning, "detector", "there is none, so every picture is covered as a whole",
                            "start the daemon with --detector")
                        : Finding(.ok, "detector", sources.joined(separator: ", ")))
            }
            return findings
        } catch {
            return [Finding(.note, "daemon", "\(error.message); the recorder waits for it", error.hint)]
        }
    }

    private static func server(_ path: String) async -> [Finding] {
        do throws(DockError) {
            guard ChunkFolder.exists(path), let server = try ServerFile(folder: path).read() else {
                return [Finding(.ok, "server", "none; nothing leaves this machine")]
            }
            let answer = await ServerCheck.problem(of: server)
            return [
                Finding(
                    "server", answer.map { "\(server.name): \($0)" },
                    "check the server, or choose it again with `dockface record join`",
                    fine: "\(server.name) (\(server.url)) answers", level: .warning)
            ]
        } catch {
            return [Finding(.warning, "server", error.message, error.hint)]
        }
    }
}

/// A row of `doctor`.
struct Finding: Sendable, Equatable {
    enum Level: String, Sendable { case ok, note, warning, fault }

    var level: Level
    var subject: String
    var what: String
    var hint: String

    init(_ level: Level, _ subject: String, _ what: String, _ hint: String = "") {
        (self.level, self.subject, self.what, self.hint) = (level, subject, what, hint)
    }

    /// Describes a trial: it has this problem, or it is fine.
    init(_ subject: String, _ problem: String?, _ hint: String, fine: String, level: Level = .fault) {
        self.init(problem == nil ? .ok : level, subject, problem ?? fine, problem == nil ? "" : hint)
    }

    var text: String {
        let word = level.rawValue + String(repeating: " ", count: 9 - level.rawValue.count)
        return word + subject + ": " + what + (hint.isEmpty ? "" : "\n         -> " + hint)
    }

    var json: String {
        let members: [String: JSONValue] = [
            "level": .string(level.rawValue), "subject": .string(subject), "text": .string(what),
            "hint": .string(orNull: hint.isEmpty ? nil : hint),
        ]
        return String(decoding: JSONValue.object(members).bytes, as: UTF8.self)
    }
}
