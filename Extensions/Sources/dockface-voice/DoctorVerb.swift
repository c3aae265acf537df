import ArgumentParser
import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import Voice

struct DoctorVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check everything that a voice needs. No sound is played.",
        discussion: "The exit status is 1 if nothing can be heard.")

    @OptionGroup var options: ExtensionOptions

    @Flag(help: "Print JSON Lines.")
    var json = false

    func run() async throws {
        let log = ExtensionLog(VoiceTool.identity.name), findings: [VoiceFinding]
        do throws(DockError) {
            let configuration = try VoiceConfiguration.read(), settings = try configuration.settings()
            findings =
                [Self.speech(configuration), Self.player(configuration), Self.night(settings)]
                + [Self.service(configuration), await Self.daemon(options.control)]
        } catch {
            throw ExitCode(log.failure(error))
        }
        for finding in findings { TextOutput.put((json ? finding.json : finding.text) + "\n") }
        if findings.contains(where: { $0.level == .fault }) { throw ExitCode(1) }
    }

    private static func speech(_ configuration: VoiceConfiguration) -> VoiceFinding {
        guard configuration.speech != .none else {
            return VoiceFinding(.note, "speech", "`speech = \"none\"`: nothing is spoken")
        }
        let speech = VoicePrograms.speech(configuration.speech)
        if let problem = speech.problem { return VoiceFinding(.fault, "speech", problem, VoicePrograms.speechHint) }
        return VoiceFinding(.ok, "speech", speech.name ?? "")
    }

    private static func player(_ configuration: VoiceConfiguration) -> VoiceFinding {
        guard configuration.sounds else { return VoiceFinding(.note, "sounds", "`sounds = false`: none are played") }
        guard let player = VoicePrograms.players.first else {
            return VoiceFinding(
                .fault, "sounds", "no program that plays them is installed", VoicePrograms.playerHint)
        }
        return VoiceFinding(.ok, "sounds", "\(player.name) (\(player.path)); `dockface voice test` plays one")
    }

    private static func night(_ settings: VoiceSettings) -> VoiceFinding {
        guard let night = settings.night else { return VoiceFinding(.ok, "night", "it speaks at all hours") }
        let isQuiet = night.contains(LocalClock.moment().minute)
        return VoiceFinding(
            isQuiet ? .note : .ok, "night", "quiet \(night.text)" + (isQuiet ? ", so now" : ""),
            isQuiet ? "`dockface voice --night none` speaks now" : "")
    }

    private static func service(_ configuration: VoiceConfiguration) -> VoiceFinding {
        configuration.speak
            ? VoiceFinding(.ok, "service", "`speak = true`: it speaks as a service, too")
            : VoiceFinding(.note, "service", "as a service it does not speak", "write `speak = true` to voice.toml")
    }

    private static func daemon(_ control: String?) async -> VoiceFinding {
        do throws(DockError) {
            let dock = try await Dock.connect(path: control, reconnects: false)
            defer { dock.close() }
            return VoiceFinding(.ok, "daemon", "version \(try await dock.status().version)")
        } catch {
            return VoiceFinding(.note, "daemon", "\(error.message); the voice waits for it", error.hint)
        }
    }
}

/// A row of `doctor`.
struct VoiceFinding: Sendable, Equatable {
    enum Level: String, Sendable { case ok, note, fault }

    var level: Level
    var subject: String, what: String, hint: String

    init(_ level: Level, _ subject: String, _ what: String, _ hint: String = "") {
        (self.level, self.subject, self.what, self.hint) = (level, subject, what, hint)
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
