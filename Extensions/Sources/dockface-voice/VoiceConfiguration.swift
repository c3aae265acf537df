import DockTypes
import ExtensionKit
import Files
import Voice

/// What a person can set: in `voice.toml`, in `DOCKFACE_VOICE_*`, and on the command line.
struct VoiceConfiguration: Sendable, Equatable {
    /// Whether a service speaks.
    var speak = false
    /// Whether sounds are played.
    var sounds = true
    /// Where the listener stands.
    var viewpoint = Viewpoint.front
    /// The quiet hours as people write them, or "none".
    var night = "22:00-07:00"
    /// Which program speaks.
    var speech = SpeechChoice.auto
    /// The voice of espeak-ng.
    var voice = "en"
    /// How fast espeak-ng speaks, in words a minute.
    var rate = 160.0
    /// The volume of sounds, and of espeak-ng, 0...1.
    var volume = 1.0

    /// The keys of `voice.toml`.
    static let rows: [FileRow<VoiceConfiguration>] = [
        FileRow("speak", .flag, get: { .flag($0.speak) }) { $0.speak = $1.flag },
        FileRow("sounds", .flag, get: { .flag($0.sounds) }) { $0.sounds = $1.flag },
        FileRow("viewpoint", .oneOf(Viewpoint.allCases.map(\.rawValue)), get: { .text($0.viewpoint.rawValue) }) {
            $0.viewpoint = Viewpoint(rawValue: $1.text) ?? .front
        },
        FileRow("night", .text, get: { .text($0.night) }) { $0.night = $1.text },
        FileRow("speech", .oneOf(SpeechChoice.allCases.map(\.rawValue)), get: { .text($0.speech.rawValue) }) {
            $0.speech = SpeechChoice(rawValue: $1.text) ?? .auto
        },
        FileRow("voice", .text, get: { .text($0.voice) }) { $0.voice = $1.text },
        FileRow("rate", .whole(80...450), get: { .number($0.rate) }) { $0.rate = $1.number },
        FileRow("volume", .number(0...1), get: { .number($0.volume) }) { $0.volume = $1.number },
    ]

    /// Reads the files and the variables.
    /// - Throws: `configuration` with all mistakes.
    static func read() throws(DockError) -> VoiceConfiguration {
        var configuration = VoiceConfiguration()
        do throws(FileError) {
            try ExtensionSettings(VoiceTool.identity.name).read(rows, into: &configuration)
        } catch {
            throw DockError(error)
        }
        return configuration
    }

    /// Returns what the voice may do.
    /// - Throws: `configuration` if the hours or the name of the voice cannot be read.
    func settings() throws(DockError) -> VoiceSettings {
        var settings = VoiceSettings()
        settings.speaks = speech != .none
        (settings.sounds, settings.viewpoint) = (sounds, viewpoint)
        settings.night = try hours()
        let isName = voice.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-_".utf8.contains(byte)
        }
        guard isName, let first = voice.first, first != "-" else {
            throw DockError(
                .configuration, "voice: \"\(voice)\" is not a voice",
                hint: "`espeak-ng --voices` lists them, such as en-gb")
        }
        return settings
    }

    private func hours() throws(DockError) -> QuietHours? {
        guard night != "none" else { return nil }
        if let hours = QuietHours(night) { return hours }
        throw DockError(
            .configuration, "night: \"\(night)\" is not a time range", hint: "write 22:00-07:00, for instance, or none")
    }
}

/// Which program speaks.
enum SpeechChoice: String, Sendable, CaseIterable {
    /// Speech Dispatcher if it runs, else espeak-ng.
    case auto
    /// Speech Dispatcher.
    case dispatcher = "speech-dispatcher"
    /// espeak-ng.
    case espeak = "espeak-ng"
    /// Nothing is spoken.
    case none
}
