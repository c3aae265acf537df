import ControlProtocol
import VideoRecorder

/// A chunk as verbs show it.
enum ChunkText {
    /// "2026-11-27 14:05:03   30.0 s   2.1 MB  covered  640x480".
    static func line(_ chunk: FolderSummary.Chunk) -> String {
        let record = chunk.record
        var words = [
            date(record.name.start), right(seconds(record.name.duration), 8), right(ByteSize.words(chunk.bytes), 9),
            record.name.verdict.rawValue,
        ]
        if let size = record.size { words.append("\(size.width)x\(size.height)") }
        if record.hasSound { words.append("sound") }
        if record.hasPoses { words.append("poses") }
        if record.tally.lost > 0 { words.append("\(record.tally.lost) frames lost") }
        if record.isRepaired { words.append("repaired") }
        if record.sentAt != nil { words.append("sent") }
        if record.isKept { words.append("kept") }
        if !record.isDated { words.append("date unknown") }
        return words.joined(separator: "  ")
    }

    /// The members for programs.
    static func json(_ chunk: FolderSummary.Chunk) -> JSONValue {
        let record = chunk.record, tally = record.tally
        return .object([
            "file": .string(record.name.file), "start": .number(record.name.start),
            "duration": .number(record.name.duration), "bytes": .number(chunk.bytes),
            "verdict": .string(record.name.verdict.rawValue),
            "size": record.size.map { .array([.number($0.width), .number($0.height)]) } ?? .null,
            "exposures": record.exposures.map { .array([.number($0.lowerBound), .number($0.upperBound)]) } ?? .null,
            "frames": frames(tally), "sound": .bool(record.hasSound), "poses": .bool(record.hasPoses),
            "repaired": .bool(record.isRepaired),
            "dated": .bool(record.isDated),
            "sent": .number(orNull: record.sentAt.map(Double.init)), "kept": .bool(record.isKept),
            "run": .number(record.run),
        ])
    }

    /// The counts of frames by what was done to them.
    static func frames(_ tally: ChunkTally) -> JSONValue {
        .object([
            "clear": .number(tally.clear), "covered": .number(tally.covered), "whole": .number(tally.whole),
            "visible": .number(tally.visible), "lost": .number(tally.lost),
        ])
    }

    /// The same in words, or nil if nothing is known.
    static func words(_ tally: ChunkTally) -> String? {
        let rows = [
            (tally.clear, "without a face"), (tally.covered, "with faces covered"),
            (tally.whole, "covered as a whole"), (tally.visible, "with faces visible"), (tally.lost, "lost"),
        ]
        let words = rows.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// "2026-11-27 14:05:03", local, of milliseconds since 1970.
    static func date(_ milliseconds: Int) -> String {
        let time = LocalZone.system.time(milliseconds / 1000)
        return "\(time.date) \(time.clock)"
    }

    /// "30.0 s", "12 min 30 s", "1 h 5 min", of milliseconds.
    static func seconds(_ milliseconds: Int) -> String {
        let tenths = milliseconds / 100, whole = milliseconds / 1000
        if whole < 60 { return "\(tenths / 10).\(tenths % 10) s" }
        if whole < 3600 { return "\(whole / 60) min" + (whole % 60 > 0 ? " \(whole % 60) s" : "") }
        return "\(whole / 3600) h" + (whole / 60 % 60 > 0 ? " \(whole / 60 % 60) min" : "")
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
