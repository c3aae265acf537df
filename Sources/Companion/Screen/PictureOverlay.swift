internal import Geometry
internal import RobotFace

/// The camera's frame on the screen: its border, the faces' rectangles, and a legend of the marks. The frame fills the
/// screen.
struct PictureOverlay {
    /// The size of the screen, in cells.
    let columns: Int, rows: Int

    /// The border, which consists of corners and the middle of each side, because labels that cover the whole screen
    /// would hide the face.
    var border: [TextOverlay.Label] {
        let right = columns - 1, bottom = rows - 1
        return [
            label("┏━━", 0, 0), label("━━┓", right - 2, 0), label("━━", columns / 2 - 1, 0), label("┃", 0, rows / 2),
            label("┃", right, rows / 2), label("┗━━", 0, bottom - 1), label("━━┛", right - 2, bottom - 1),
        ]
    }

    /// The explanations of the marks of faces and of the parts of their labels, longest first.
    private static let faces = [
        "camera's frame   + aim   [#1] followed   #2 another one   ~2.0 m distance, estimated   96 % sure   "
            + "? lost, expected there   click: follow   drag: region",
        "+ aim  [#1] followed  #2 other  ~2.0 m estimated  96 % sure  ? lost  click: follow  drag: region",
        "+ aim  [#1] followed  #2 other  ~2.0 m estimated  96 % sure  ? lost",
        "+ aim  [#1] followed  ~ estimated  96 % sure  ? lost", "[#1] followed  ~ estimated  ? lost",
        "[#1] followed",
    ]
    /// The explanations while things are shown, whose marks matter then.
    private static let things = [
        "camera's frame   + aim   [#1] followed   ? lost   "
            + "things: ? seen   ... asked   ~ matched once   = found   x another one",
        "+ aim  [#1] followed  things: ? seen  ... asked  ~ matched once  = found  x another",
        "things: ? seen  ... asked  ~ matched once  = found  x another", "things: ? seen  = found  x other",
        "= found  x other",
    ]

    /// Returns the legend of the marks, in the second row from the bottom, because the last one belongs to messages.
    /// - Parameters:
    ///   - things: whether things are shown.
    ///   - besidePlan: whether the plan of the room covers the end of the row.
    func legend(things: Bool, besidePlan: Bool) -> TextOverlay.Label {
        // The border's corners take four columns at each end. Two columns stay free beside the plan.
        let room = (besidePlan ? RoomPlan.left(columns: columns) - 2 : columns - 4) - 4
        let texts = things ? Self.things : Self.faces
        let text = texts.first { $0.count <= room } ?? texts[texts.count - 1]
        return label(text, 4 + max((room - text.count) / 2, 0), rows - 2)
    }

    /// Returns a face's rectangle (normalised), cut off at the screen's edge. It is empty if the rectangle is smaller
    /// than a cell.
    func box(_ rect: Rect, isFollowed: Bool) -> [TextOverlay.Label] {
        let left = column(rect.x), right = column(rect.maxX), top = row(rect.y), bottom = row(rect.maxY)
        guard right > left, bottom > top else { return [] }
        let line = String(repeating: isFollowed ? "━" : "─", count: right - left - 1)
        let side = isFollowed ? "┃" : "│"
        var labels = [
            label((isFollowed ? "┏" : "┌") + line + (isFollowed ? "┓" : "┐"), left, top),
            label((isFollowed ? "┗" : "└") + line + (isFollowed ? "┛" : "┘"), left, bottom),
        ]
        for row in (top + 1)..<max(bottom, top + 1) {
            labels.append(label(side, left, row))
            labels.append(label(side, right, row))
        }
        return labels
    }

    private func column(_ x: Double) -> Int { Int((x.clamped(to: 0...1) * Double(columns - 1)).rounded()) }

    private func row(_ y: Double) -> Int { Int((y.clamped(to: 0...1) * Double(rows - 1)).rounded()) }

    /// Returns a text at a cell.
    private func label(_ text: String, _ column: Int, _ row: Int) -> TextOverlay.Label {
        TextOverlay.Label(
            x: Double(column) / Double(max(columns - 1, 1)), y: Double(row) / Double(max(rows - 1, 1)), text: text)
    }
}
