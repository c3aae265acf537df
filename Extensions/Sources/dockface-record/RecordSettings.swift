import DockTypes
import FacePrivacy
import Files
import Geometry
import VideoRecorder

/// What a person can set: in `record.toml`, in `DOCKFACE_RECORD_*`, and on the command line.
struct RecordSettings: Sendable, Equatable {
    /// The folder of the recordings; empty for the usual one.
    var folder = ""
    /// The room for all files, as people write it.
    var budget = "16 GB"
    /// The age at which recordings are deleted, in hours; 0 for none.
    var hours = 72.0
    /// The length of a file, in seconds.
    var length = 30.0
    /// What is covered.
    var privacy = PrivacyMode.faces
    /// How it is covered.
    var cover = PictureCover.Style.blocks
    /// Where the camera is mounted.
    var mount = CameraMount.head
    /// Where sound comes from: "off", "default", or a device of ALSA.
    var sound = SoundSource.off
    /// Whether it is kept where the head pointed in each frame.
    var poses = true
    /// Whether an encoder in hardware is used if one works.
    var wantsHardware = false
    /// How hard x264 works.
    var preset = EncoderSettings.Preset.veryfast
    /// x264's constant quality; lower is better.
    var quality = 28.0
    /// Whether finished files are copied so that they begin with their index.
    var fastStart = true
    /// Whether recording begins with the shutter button, not with the program.
    var standby = false
    /// Whether nothing is recorded unless a screen shows it.
    var needsScreen = true
    /// What a server may do.
    var server = ServerSettings()

    /// The keys of `record.toml`.
    static let rows: [FileRow<RecordSettings>] =
        [
            FileRow("folder", .text, get: { $0.folder.isEmpty ? nil : .text($0.folder) }) { $0.folder = $1.text },
            FileRow("budget", .text, get: { .text($0.budget) }) { $0.budget = $1.text },
            FileRow("hours", .number(0...87_600), get: { .number($0.hours) }) { $0.hours = $1.number },
            FileRow("length", .number(2...600), get: { .number($0.length) }) { $0.length = $1.number },
            FileRow("privacy", .oneOf(PrivacyMode.allCases.map(\.rawValue)), get: { .text($0.privacy.rawValue) }) {
                $0.privacy = PrivacyMode(rawValue: $1.text) ?? .faces
            },
            FileRow("cover", .oneOf(PictureCover.Style.allCases.map(\.rawValue)), get: { .text($0.cover.rawValue) }) {
                $0.cover = PictureCover.Style(rawValue: $1.text) ?? .blocks
            },
            FileRow("mount", .oneOf(CameraMount.allCases.map(\.rawValue)), get: { .text($0.mount.rawValue) }) {
                $0.mount = CameraMount(rawValue: $1.text) ?? .head
            },
            FileRow("sound", .text, get: { .text($0.sound) }) { $0.sound = $1.text },
            FileRow("poses", .flag, get: { .flag($0.poses) }) { $0.poses = $1.flag },
            FileRow("encoder", .oneOf(["x264", "hardware"]), get: { .text($0.wantsHardware ? "hardware" : "x264") }) {
                $0.wantsHardware = $1.text == "hardware"
            },
            FileRow(
                "preset", .oneOf(EncoderSettings.Preset.allCases.map(\.rawValue)), get: { .text($0.preset.rawValue) }
            ) { $0.preset = EncoderSettings.Preset(rawValue: $1.text) ?? .veryfast },
            FileRow("quality", .whole(0...51), get: { .number($0.quality) }) { $0.quality = $1.number },
            FileRow("faststart", .flag, get: { .flag($0.fastStart) }) { $0.fastStart = $1.flag },
            FileRow("standby", .flag, get: { .flag($0.standby) }) { $0.standby = $1.flag },
            FileRow("sign", .oneOf(["screen", "none"]), get: { .text($0.needsScreen ? "screen" : "none") }) {
                $0.needsScreen = $1.text != "none"
            },
        ] + ServerSettings.rows

    /// Returns what the recorder is to do.
    /// - Throws: `configuration` if the budget is no amount, or if the sound comes from no device.
    func recorder() throws(DockError) -> RecorderSettings {
        guard let bytes = ByteSize.bytes(budget), bytes >= 10_000_000 else {
            throw DockError(
                .configuration, "the budget \"\(budget)\" is not an amount of at least 10 MB",
                hint: "write it as \(ByteSize.forms)")
        }
        var settings = RecorderSettings()
        settings.sound = try source()
        settings.limits.budget = bytes
        settings.limits.age = hours > 0 ? Int(hours * 3_600_000) : nil
        (settings.length, settings.copies, settings.keepsPoses) = (length, fastStart, poses)
        (settings.privacy.mode, settings.privacy.style, settings.privacy.policy.mount) = (privacy, cover, mount)
        (settings.encoder.preset, settings.encoder.quality) = (preset, Int(quality))
        return settings
    }

    /// Returns where sound comes from, or nil for none.
    private func source() throws(DockError) -> SoundSource? {
        guard sound != SoundSource.off else { return nil }
        if let source = SoundSource(device: sound) { return source }
        throw DockError(
            .configuration, "\"\(sound)\" is not a source of sound", hint: "write it as \(SoundSource.forms)")
    }
}
