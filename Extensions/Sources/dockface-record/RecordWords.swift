import ControlProtocol
import DockTypes
import ExtensionKit
import FacePrivacy
import VideoRecorder

/// What the recorder says of itself.
enum RecordWords {
    /// What it says at its start: what it records, where, how much room there is, and how to stop.
    static func beginning(
        _ settings: RecordSettings, _ limits: RecorderSettings, _ folder: ChunkFolder
    ) throws(DockError) -> [String] {
        let summary = try FolderSummary(folder)
        let age = settings.hours > 0 ? ", for at most \(number(settings.hours)) hours" : ""
        let free = summary.space.map { ", \(ByteSize.words($0.free)) free on the disk" } ?? ""
        let begin = settings.standby ? "; it waits for the shutter button" : ""
        let warning = settings.needsScreen ? [] : ["it records also where no screen shows it: tell the people there"]
        let sound =
            limits.sound.map { "with sound from \($0.name): \(voices); " } ?? "without sound: "
        return [
            "records the camera's pictures, \(sound)\(settings.privacy.words)\(begin)",
            "keeps them in \(folder.path), at most \(ByteSize.words(limits.limits.budget))\(age) "
                + "(\(ByteSize.words(summary.bytes)) used\(free)); stop it with Ctrl-C",
        ] + warning
    }

    /// Which encoder was found.
    static func encoder(_ codec: EncoderSettings.Codec, _ refusals: [HardwareEncoder.Refusal]) -> [String] {
        guard codec == .x264 else { return ["encodes with \(codec.rawValue), in hardware"] }
        let reasons = refusals.map { "\($0.codec.rawValue): \($0.reason)" }.joined(separator: "; ")
        return ["encodes with x264, because no encoder in hardware works (\(reasons))"]
    }

    /// What is done to voices.
    static let voices = "voices are not changed"

    /// What the daemon shows of it.
    static func report(
        _ status: RecorderStatus, _ settings: RecordSettings, hasCamera problem: String?
    ) -> (ExtensionState, String) {
        switch status.state {
        case .off: (.ready, "waits for the shutter button")
        case .waiting: (.trying, problem.map(short) ?? "no pictures")
        case .blocked(.disk(let reason)), .blocked(.encoder(let reason)), .blocked(.indicator(let reason)):
            (.fault, short(reason))
        case .recording: (.ready, recording(status))
        }
    }

    /// "recording with sound, 12 files, 3 frames lost; all covered: the detector is late".
    private static func recording(_ status: RecorderStatus) -> String {
        let sound = status.sound == .open ? " with sound" : ""
        var words = "recording\(sound), \(status.chunks) file" + (status.chunks == 1 ? "" : "s")
        let lost = status.tally.lost + status.overrun
        if lost > 0 { words += ", \(lost) frames lost" }
        let counts = status.verdicts
        if counts.wholes * 2 > counts.total, let reason = counts.mainReason {
            words += "; all covered: \(reason.words)"
        }
        if case .failed(let reason) = status.sound { words += "; no sound: \(reason)" }
        return words
    }

    /// Returns at most 80 bytes, as indicators and reports have.
    static func short(_ text: String) -> String { PlainLine.of(text, bytes: 80) }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}
