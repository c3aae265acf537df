internal import ControlProtocol
internal import ExtensionKit
internal import PlainText

/// Records as lines for people.
public enum RecordText {
    /// Returns one line without its end: "2026-11-27 14:05:03  fault      latched: stall".
    public static func line(_ record: StoredRecord) -> String {
        let pad = String(repeating: " ", count: max(1, 10 - record.kind.count))
        return "\(record.time.day.text) \(record.time.clock)  \(record.kind)\(pad)\(words(record))"
    }

    private static func words(_ record: StoredRecord) -> String {
        let reader = Reader(json: record.json)
        switch LogKind(rawValue: record.kind) {
        case .person, .object:
            guard let first = reader.time("first"), let last = reader.time("last") else { break }
            let days = first.day == last.day ? "" : " (\(first.day.text))"
            return [
                "\(reader.text("label") ?? record.kind) \(reader.text("subject") ?? "?")",
                "from \(first.clock)\(days) to \(last.clock), \(reader.duration("seconds"))",
                reader.flag("followed") ? "followed" : nil,
            ].compactMap { $0 }.joined(separator: ", ")
        case .battery:
            let level = reader.number("level").map { " \(Int(($0 * 100).rounded())) %" } ?? ""
            let notes = [
                reader.text("charge") == "charging" ? "charging" : nil, reader.flag("critical") ? "critical" : nil,
                reader.flag("low") && !reader.flag("critical") ? "low" : nil,
            ].compactMap { $0 }
            return (reader.text("name") ?? "supply") + level + notes.map { ", \($0)" }.joined()
        case .message: return "\(record.what): \(reader.text("text") ?? "")"
        case .daemon where record.what == "away", .recorder where record.what == "gap":
            guard let from = reader.time("from"), let to = reader.time("to") else { break }
            return "\(record.what) from \(from.day.text) \(from.clock) to \(to.day.text) \(to.clock), "
                + reader.duration("seconds") + (reader.text("reason").map { ": \($0)" } ?? "")
        default: break
        }
        return record.what + reader.rest
    }

    /// Reads the members of a record, each made plain.
    private struct Reader {
        let json: JSONValue

        /// The members that every record has.
        private static let common: Set<String> = ["time", "order", "kind", "what"]
        /// The members whose value says enough without their name, in the order of the line.
        private static let nameless = ["reason", "by", "name", "text"]

        func text(_ name: String) -> String? { json[name].flatMap(Self.words) }
        func number(_ name: String) -> Double? { json[name]?.number }
        func flag(_ name: String) -> Bool { json[name]?.bool ?? false }
        func time(_ name: String) -> WallTime? { json[name]?.string.flatMap { WallTime(iso: $0) } }

        /// "3 h 20 min", "4 min 10 s", "12 s".
        func duration(_ name: String) -> String {
            guard let seconds = number(name), (0..<1e12).contains(seconds) else { return "?" }
            let whole = Int(seconds.rounded())
            if whole >= 3600 { return "\(whole / 3600) h \(whole / 60 % 60) min" }
            return whole >= 60 ? "\(whole / 60) min \(whole % 60) s" : "\(whole) s"
        }

        /// All members that are not in every record: ": stall", ", version 0.2.0".
        var rest: String {
            let names = (json.object ?? [:]).keys.filter { !Self.common.contains($0) }.sorted()
            let short = Self.nameless.compactMap(text).filter { !$0.isEmpty }
            let long = names.filter { !Self.nameless.contains($0) }.compactMap { name in
                text(name).map { "\(PlainLine.of(name, bytes: 40)) \($0)" }
            }
            let all = (short + long).joined(separator: ", ")
            return all.isEmpty ? "" : ": \(all)"
        }

        private static func words(_ value: JSONValue) -> String? {
            switch value {
            case .null: nil
            case .string(let text): ForeignText.line(text)
            case .bool(let flag): flag ? "yes" : "no"
            default: ForeignText.line(String(decoding: value.bytes.prefix(400), as: UTF8.self))
            }
        }
    }
}
