internal import RobotFace

/// A line of command words that a person types on the screen: editing, the last lines, and completion. It is a value.
struct TypedLine: Sendable {
    /// The text, or nil if nothing is being typed.
    private(set) var text: String?
    /// What the last Tab found: the words that fit, or how the word is used; empty if there is no hint.
    private(set) var hint = ""
    /// The lines that were entered, the newest last.
    private var history: [String] = []
    /// The line of the history that is shown, or nil if the person's own line is shown.
    private var place: Int?
    /// The person's own line, while another one is shown.
    private var draft = ""

    /// The maximum length of a line, in characters, and the number of lines that are kept.
    static let longest = 200, kept = 50

    /// Shown until the first key: letters are text here.
    static let firstHint = "Esc leaves; then x or space stops"

    /// Returns the line with the cursor and the hint, or nil if nothing is being typed. Of a line that is longer than
    /// the row, the end is shown, where the cursor is.
    func row(columns: Int) -> String? {
        guard let text else { return nil }
        let line = ":" + text + "▏"
        guard line.count <= columns else { return "…" + line.suffix(max(0, columns - 1)) }
        return (line + (hint.isEmpty ? "" : "   " + hint)).clipped(to: columns)
    }

    /// Begins an empty line.
    mutating func begin() {
        (text, hint, place, draft) = ("", Self.firstHint, nil, "")
    }

    /// Handles a key. Returns the line if the key entered one.
    mutating func handle(_ key: Key, _ modifiers: KeyModifiers) -> String? {
        hint = ""
        switch key {
        case .enter: return enter()
        case .escape: text = nil
        case .backspace:
            if text?.isEmpty == true { text = nil } else { text?.removeLast() }
        case .space: append(" ")
        case .tab: complete()
        case .up: browse(-1)
        case .down: browse(1)
        case .character("u") where modifiers.contains(.control): text = ""
        case .character("w") where modifiers.contains(.control): removeWord()
        case .character where modifiers.contains(.control): break
        case .character(let letter):
            append(modifiers.contains(.shift) ? String(letter).uppercased() : String(letter))
        default: break
        }
        return nil
    }

    private mutating func enter() -> String? {
        let line = text ?? ""
        text = nil
        guard !line.isEmpty else { return nil }
        if history.last != line { history.append(line) }
        if history.count > Self.kept { history.removeFirst() }
        return line
    }

    private mutating func append(_ letters: String) {
        if (text?.count ?? 0) < Self.longest { text?.append(letters) }
    }

    /// Removes the last word and the spaces after it.
    private mutating func removeWord() {
        guard let typed = text else { return }
        let trimmed = typed.reversed().drop { $0 == " " }.drop { $0 != " " }
        text = String(trimmed.reversed())
    }

    private mutating func browse(_ step: Int) {
        let here = place ?? history.count
        let next = min(max(here + step, 0), history.count)
        guard next != here else { return }
        if place == nil { draft = text ?? "" }
        place = next == history.count ? nil : next
        text = place.map { history[$0] } ?? draft
    }

    /// Completes the first word as far as it is certain. Shows which words fit, or how the word is used.
    private mutating func complete() {
        let typed = text ?? ""
        guard !typed.contains(" ") else {
            hint = CommandWords.usage(of: String(typed.prefix { $0 != " " })) ?? ""
            return
        }
        let fitting = CommandWords.names(beginningWith: typed.lowercased())
        guard let first = fitting.first else { return hint = "no such word; type help" }
        if fitting.count == 1 {
            text = first + " "
            hint = CommandWords.usage(of: first) ?? ""
        } else {
            text = fitting.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
            hint = fitting.joined(separator: " ")
        }
    }
}

extension String {
    /// Returns the letters with which both texts begin.
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}

extension String {
    /// Returns the text, with "…" at its end if it is longer than a row of `columns` characters.
    func clipped(to columns: Int) -> String { count <= columns ? self : prefix(max(0, columns - 1)) + "…" }
}
