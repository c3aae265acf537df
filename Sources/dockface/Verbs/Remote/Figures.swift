import Companion
import ControlProtocol
import DockClient
import Geometry
import Glibc
import PlainText

extension DaemonEvent {
    /// The same values with safe texts, for people.
    var plain: DaemonEvent {
        var event = self
        (event.topic, event.data) = (ForeignText.name(topic), data.plain)
        return event
    }
}

extension JSONValue {
    /// The same values with safe texts, for people: a daemon's answer comes from outside. Only the answer to `help`
    /// keeps its line ends.
    var plain: JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(ForeignText.line(text))
        case .array(let values): .array(values.map(\.plain))
        case .object(let members):
            .object(
                Dictionary(
                    members.map { name, value in
                        if name == "answer", let text = value.string, text.hasPrefix("help\n") {
                            return (name, .string(ForeignText.lines(text)))
                        }
                        return (ForeignText.name(name), value.plain)
                    }, uniquingKeysWith: { first, _ in first }))
        }
    }

    /// Returns the member, or null.
    func member(_ name: String) -> JSONValue { self[name] ?? .null }
    /// Returns the text of a member, or a placeholder.
    func word(_ name: String, else none: String = "?") -> String { self[name]?.string ?? none }
    /// Returns "on" or "off", or "?" if it is not reported.
    func switched(_ name: String) -> String { self[name]?.bool.map { $0 ? "on" : "off" } ?? "?" }
    /// Returns radians, shown as degrees.
    func degrees(_ name: String, _ decimals: Int = 1, isSigned: Bool = true) -> String {
        guard let radians = self[name]?.number else { return "?" }
        return fixed(radians.inDegrees, decimals, isSigned: isSigned)
    }
    /// Returns "pan +12.3 tilt -4.0" and the unit, or nil if unknown.
    func pair(_ name: String, _ unit: String) -> String? {
        guard let pair = self[name], pair["pan"]?.number != nil else { return nil }
        return "pan \(pair.degrees("pan")) tilt \(pair.degrees("tilt")) \(unit)"
    }
}
