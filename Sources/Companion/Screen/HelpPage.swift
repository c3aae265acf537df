/// The help on the screen: the keys, or the command words.
enum HelpPage: Sendable, Equatable {
    /// The keys.
    case keys
    /// The command words, starting with this page.
    case words(page: Int)

    /// Returns the lines for a screen of this size, in cells. A screen that is too narrow for the long page gets a
    /// short one, whose first lines are the most urgent ones.
    func lines(columns: Int, rows: Int) -> [String] {
        switch self {
        case .keys:
            let long = Self.allKeys
            let fits = long.count <= rows && (long.map(\.count).max() ?? 0) <= columns - 4
            return fits ? long : Array(Self.fewKeys.prefix(max(rows, 1)))
        case .words(let page):
            let pages = Self.pages(columns: columns, rows: rows)
            let place = page % pages.count
            let more = pages.count > 1 ? "   :help again shows the next page" : ""
            return pages[place] + ["", "page \(place + 1) of \(pages.count), Esc leaves\(more)"]
        }
    }

    /// Returns the command words, in pages that fit. A page that is too short for a whole word holds a part of it.
    private static func pages(columns: Int, rows: Int) -> [[String]] {
        let width = max(columns - 4, 20), height = max(rows - 4, 1)
        let long = CommandWords.help
        let fits = (long.map(\.count).max() ?? 0) <= width
        var pages: [[String]] = [[]]
        for word in fits ? long.map({ [$0] }) : CommandWords.rows.map({ lines(of: $0, width: width) }) {
            let last = pages.count - 1
            if !pages[last].isEmpty, pages[last].count + word.count > height { pages.append([]) }
            for line in word {
                if pages[pages.count - 1].count == height { pages.append([]) }
                pages[pages.count - 1].append(line)
            }
        }
        return pages
    }

    /// The column at which effects begin on a screen that is too narrow for `CommandWords.help`.
    private static let effectColumn = 28

    /// Returns a word and its effect, in one line if they fit, otherwise with the effect indented below.
    private static func lines(of row: CommandWords.Row, width: Int) -> [String] {
        if row.usage.count < effectColumn - 1, effectColumn + row.does.count <= width {
            return [row.usage + String(repeating: " ", count: effectColumn - row.usage.count) + row.does]
        }
        return wrapped(row.usage, indent: "", width: width) + wrapped(row.does, indent: "    ", width: width)
    }

    /// Divides a text at its spaces. Lines after the first one are indented by four columns.
    private static func wrapped(_ text: String, indent: String, width: Int) -> [String] {
        var lines: [String] = [], line = indent, isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                (line, isEmpty) = ("    ", true)
            }
            if !isEmpty { line += " " }
            line += word
            isEmpty = false
        }
        return lines + [line]
    }

    private static let allKeys = [
        "arrows      turn the dock (manual); with shift three times as fast",
        "space       stop now              x   emergency stop, latched",
        "C C         clear a latched stop  h   home",
        "m           next mode             f   next framing",
        "g           after a stop: give the dock back to programs",
        "y n w k     yes, nope, wakeup, kapow",
        "[ ]         speed of manual motion",
        "Tab, Enter  next face             r   random faces",
        "o           subjects: click one, or drag a region",
        "t           clicks follow or not  i   status line",
        "p           plan of the room",
        "1 ... 9     presets, saved by :preset save 1",
        ":           command words (:help) ?   this page",
        "            (Esc leaves; until then only Ctrl-C stops the dock)",
        "q           stop the dock and quit",
    ]

    /// Short help with at most 34 characters per line.
    private static let fewKeys = [
        "space stop    x   emergency stop",
        "q     quit    C C clear the stop",
        "arrows turn   h   home",
        "m     mode    f   framing",
        "y n w k       animations",
        "Tab   face    r   random faces",
        "o     people  p   plan of the room",
        "i     status  g   give back",
        "[ ]   speed   1-9 presets",
        ":     words   Esc leaves",
        "t     clicks follow or not",
    ]
}
