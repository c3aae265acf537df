import DepthStream
import ExtensionKit
import Glibc
import PlainText
import Synchronization

/// The terminal of `show`. Without a terminal, pictures follow each other, 80 columns wide.
final class ShowScreen: Sendable {
    private struct State {
        var last = -Double.infinity
        var shown = 0
        var isOpen = false
        /// The state of the stream, and the last thing that happened.
        var state = "", note = ""
    }

    private let period: Double, count: Int?
    private let isTerminal = TextOutput.isTerminal(1)
    private let shared = Mutex(State())

    init(rate: Double, count: Int?) { (period, self.count) = (1 / rate, count) }

    /// Shows a picture, unless the last one was shown a moment ago. Returns false after the last one, or if the reader is
    /// gone.
    func show(_ frame: DepthFrame) -> Bool {
        show(at: frame.packet.arrival) { columns, rows in
            HalfBlocks.lines(frame.picture, beside: frame.depth, columns: columns, rows: rows)
                + Self.legend(frame.depth, columns: columns)
        }
    }

    /// Shows the depth that another program receives. Returns false as above.
    func show(_ depth: DepthMap, now: Double) -> Bool {
        show(at: now) { columns, rows in
            HalfBlocks.lines(depth, columns: columns, rows: rows) + Self.legend(depth, columns: columns)
        }
    }

    /// What the colours of the depth mean, if there is room for it.
    private static func legend(_ depth: DepthMap?, columns: Int) -> [String] {
        guard let depth, columns >= DepthLegend.columns else { return [] }
        return [DepthLegend.line(of: depth)]
    }

    private func show(at time: Double, _ lines: (_ columns: Int, _ rows: Int) -> [String]) -> Bool {
        shared.withLock { shared in
            guard time - shared.last >= period else { return true }
            (shared.last, shared.shown) = (time, shared.shown + 1)
            let size = isTerminal ? Self.size : (columns: 80, rows: 30)
            let lines = lines(size.columns, max(1, size.rows - 3))
            let hasReader = put(lines, &shared)
            return hasReader && count.map { shared.shown < $0 } ?? true
        }
    }

    /// Sets the state of the stream.
    func state(_ text: String) {
        shared.withLock { shared in
            shared.state = text
            if isTerminal { _ = put([], &shared) }
        }
    }

    /// Sets what has happened.
    func note(_ text: String) {
        shared.withLock { $0.note = text }
        if !isTerminal { TextOutput.put("depth: " + ForeignText.line(text) + "\n", to: 2) }
    }

    /// Returns to the screen as it was.
    func end() {
        shared.withLock { shared in
            if shared.isOpen { TextOutput.draw("\u{1B}[?25h\u{1B}[?1049l") }
            shared.isOpen = false
        }
    }

    private func put(_ lines: [String], _ shared: inout State) -> Bool {
        guard isTerminal else { return TextOutput.draw(lines.joined(separator: "\n") + "\n\n") }
        var text = ""
        if !shared.isOpen {
            // Another screen without a cursor; the old one comes back at the end.
            text += "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
            shared.isOpen = true
        }
        let rows = Self.size.rows
        text += "\u{1B}[H" + lines.map { $0 + "\u{1B}[K\r\n" }.joined()
        for (place, line) in [(rows - 1, shared.state), (rows, shared.note)] {
            text += "\u{1B}[\(max(1, place));1H" + ForeignText.line(line, longest: max(8, Self.size.columns - 1))
            text += "\u{1B}[K"
        }
        return TextOutput.draw(text)
    }

    /// The size of the terminal in characters.
    private static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 30) }
        return (min(Int(size.ws_col), 400), min(Int(size.ws_row), 200))
    }
}
