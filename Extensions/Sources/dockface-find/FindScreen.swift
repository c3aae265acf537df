import ControlProtocol
import ExtensionKit
import Geometry
import ThingFinder

/// What a search prints: one line that changes in a terminal, a line for each change elsewhere, or JSON Lines.
struct FindScreen {
    private let wish: Wish, isJSON: Bool
    private let isTerminal = TextOutput.isTerminal(2)
    private var last = "", drawn: Seconds = -.infinity, width = 0

    /// How often the line of a terminal changes, in seconds, and how long it is.
    private static let period: Seconds = 0.25, columns = 79

    init(_ wish: Wish, isJSON: Bool) { (self.wish, self.isJSON) = (wish, isJSON) }

    /// Shows how far the search is.
    mutating func show(_ progress: FinderProgress, now: Seconds) {
        let change = progress.phase.rawValue + progress.reason
        if isJSON {
            if change != last { put(FindWords.json(wish, progress, bearing: nil)) }
        } else if isTerminal {
            guard now - drawn >= Self.period, TextOutput.hasRoom(2) else { return }
            drawn = now
            // A longer line would not be replaced as a whole.
            let line = String(PlainLine.of(FindWords.line(wish, progress)).prefix(Self.columns))
            TextOutput.draw("\r" + line + String(repeating: " ", count: max(0, width - line.count)), to: 2)
            width = line.count
        } else if change != last {
            FindPlace.log.note(FindWords.line(wish, progress))
        }
        last = change
    }

    /// Shows what verifiers have said.
    mutating func show(_ verdict: VerifierReply.Verdict) {
        guard !isJSON else { return put(FindWords.json(verdict)) }
        clear()
        FindPlace.log.note(FindWords.line(verdict))
    }

    /// Shows how the search ended.
    mutating func end(_ outcome: FinderOutcome, _ progress: FinderProgress, took: Seconds) {
        clear()
        guard !isJSON else {
            var bearing: PanTilt?
            if case .found(let place) = outcome { bearing = place }
            return put(FindWords.json(wish, progress, bearing: bearing))
        }
        TextOutput.put(FindWords.line(wish, outcome, progress, took: took) + "\n")
    }

    /// Ends the line of a terminal.
    mutating func clear() {
        if width > 0 { TextOutput.draw("\r" + String(repeating: " ", count: width) + "\r", to: 2) }
        width = 0
    }

    private func put(_ json: JSONValue) { TextOutput.put(String(decoding: json.bytes, as: UTF8.self) + "\n") }
}
