import ControlProtocol
import Voice

/// What the voice has done, as lines for people and programs.
struct VoiceWords: Sendable {
    let isJSON: Bool, isDry: Bool

    /// The line to print, or nil for none. Without an option nothing that was said is written down.
    func line(_ report: VoiceReport) -> String? {
        if isJSON { return String(decoding: json(report).bytes, as: UTF8.self) }
        return isDry ? text(report) : nil
    }

    private func text(_ report: VoiceReport) -> String {
        switch report {
        case .spoken(let sentence): "say (\(sentence.urgency.rawValue)): \(sentence.text)"
        case .played(let earcon, let side): "play \(earcon.name)\(Self.place(side))"
        case .dropped(let what, let why): "leave out \"\(what)\": \(why.rawValue)"
        case .trouble(let text): "trouble: \(text)"
        }
    }

    private func json(_ report: VoiceReport) -> JSONValue {
        switch report {
        case .spoken(let sentence):
            .object([
                "event": .string("say"), "text": .string(sentence.text), "urgency": .string(sentence.urgency.rawValue),
            ])
        case .played(let earcon, let side):
            .object(["event": .string("play"), "name": .string(earcon.name), "side": .number(Self.hundredths(side))])
        case .dropped(let what, let why):
            .object(["event": .string("drop"), "what": .string(what), "why": .string(why.rawValue)])
        case .trouble(let text): .object(["event": .string("trouble"), "text": .string(text)])
        }
    }

    private static func place(_ side: Double) -> String {
        let percent = Int((abs(side) * 100).rounded())
        return percent == 0 ? "" : ", \(percent) % to the \(side < 0 ? "left" : "right")"
    }

    private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
