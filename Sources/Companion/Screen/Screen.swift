internal import Geometry
internal import RobotFace

/// The contents of a terminal besides the eyes: the help page, one row of text, and labels over the face.
struct Screen: Sendable {
    /// A part of the screen that a person can switch on and off. `taps`: a click on a face follows it.
    enum Part: Sendable, Hashable { case help, status, overlay, plan, taps }

    /// The terminal's size, in cells, or nil if unknown.
    var size: (columns: Int, rows: Int)?
    /// The page of the part `help`.
    private(set) var page = HelpPage.keys
    private var parts: Set<Part> = [.taps]
    private var message: (text: String, until: Seconds)?
    private var hasGreeted = false
    private var lastRow = ""
    private var lastLabels: [TextOverlay.Label] = []
    private var lastDrawing = OverlayDrawing.empty

    /// How long an answer and the first hint stay on the screen, in seconds.
    static let messageTime: Seconds = 3, greetingTime: Seconds = 8

    func shows(_ part: Part) -> Bool { parts.contains(part) }

    /// Shows or hides a part.
    mutating func show(_ part: Part, _ on: Bool) {
        if on { parts.insert(part) } else { parts.remove(part) }
        // The status uses the row that shows messages.
        if part == .status { message = nil }
    }

    /// Opens a page of help. If the command words are already open, opens their next page.
    mutating func open(_ new: HelpPage) {
        if shows(.help), case .words(let number) = page, case .words = new {
            page = .words(page: number + 1)
        } else {
            page = new
        }
        show(.help, true)
    }

    /// The lines of the open page; none if it is closed.
    var pageLines: [String] {
        guard shows(.help) else { return [] }
        return page.lines(columns: size?.columns ?? 80, rows: size?.rows ?? 24)
    }

    /// Shows a text in the row for three seconds.
    mutating func say(_ text: String, now: Seconds) { message = (text, now + Self.messageTime) }

    /// Advances the time: the first row names the most important keys, and an old message disappears.
    mutating func tick(now: Seconds) {
        if !hasGreeted {
            hasGreeted = true
            if message == nil { message = ("?  help     q  quit", now + Self.greetingTime) }
        }
        if let message, now >= message.until { self.message = nil }
    }

    /// The answer of the last three seconds, or nil if there is none.
    var messageText: String? { message?.text }

    /// Returns what has changed on the screen.
    mutating func refresh(
        row: String, labels: [TextOverlay.Label], drawing: OverlayDrawing = .empty
    ) -> [FaceChange] {
        var changes: [FaceChange] = []
        if row != lastRow {
            lastRow = row
            changes.append(FaceChange(statusLine: row))
        }
        if labels != lastLabels {
            lastLabels = labels
            changes.append(FaceChange(labels: labels))
        }
        if drawing != lastDrawing {
            lastDrawing = drawing
            changes.append(FaceChange(drawing: drawing))
        }
        return changes
    }

    /// Returns the point of the frame that a cell of the overlay shows, or nil if the size is not known.
    func point(column: Int, row: Int) -> Point? {
        guard let size, size.columns > 1, size.rows > 1 else { return nil }
        return Point(
            x: (Double(column) / Double(size.columns - 1)).clamped(to: 0...1),
            y: (Double(row) / Double(size.rows - 1)).clamped(to: 0...1))
    }
}
