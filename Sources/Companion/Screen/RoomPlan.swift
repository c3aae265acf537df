internal import FaceTracker
internal import Geometry
internal import Glibc
internal import RobotFace

/// A plan of the room as text: the head from above, what its camera sees, and the people in view.
///
/// The head is at the top and looks down, toward the person in front of the screen. The robot's right is therefore at
/// the left of the plan, where that person also sees it.
struct RoomPlan: Equatable {
    /// A person in view.
    struct Person: Equatable {
        /// The direction from the head, in radians, positive to the robot's right.
        var pan: Double
        /// The distance from the head, in metres.
        var distance: Double
        var isFollowed: Bool
    }

    /// The direction of the head, in radians.
    var pan: Double
    /// Half the camera's horizontal field of view, in radians.
    var halfView: Double
    var people: [Person] = []

    /// The size of the plan, in cells. A cell has 2 x 4 dots.
    static let columns = 26, rows = 9
    /// The distance at the plan's lower edge, in metres. People who are farther away are shown at the edge.
    static let range = 3.0

    /// Creates the plan of a tracked frame. The result is nil if the pose of the head or its camera is unknown.
    init?(_ frame: TrackedFrame) {
        guard let pose = frame.pose, let camera = frame.camera else { return nil }
        pan = pose.pan
        halfView = camera.horizontalFieldOfView / 2
        people = frame.subjects.filter { !$0.coasting }.map { subject in
            Person(
                pan: camera.world(of: subject.rect.center, from: pose).pan,
                distance: frame.distance(of: subject)?.metres ?? Self.range,
                isFollowed: subject.id == frame.followed?.id)
        }
    }

    init(pan: Double, halfView: Double, people: [Person] = []) {
        self.pan = pan
        self.halfView = halfView
        self.people = people
    }

    /// The rows of the plan, `columns` characters each.
    var lines: [String] {
        var dots = DotCanvas(columns: Self.columns, rows: Self.rows)
        let reach = Double(Self.rows * 4 - 3)
        for edge in [pan - halfView, pan + halfView] {
            for step in stride(from: 4.0, through: reach, by: 1) { dots.set(dot(edge, step / reach * Self.range)) }
        }
        // The end of the range that the plan shows, as far as the camera's view reaches.
        for share in stride(from: -1.0, through: 1, by: 0.08) { dots.set(dot(pan + share * halfView, Self.range)) }
        var text = dots.text
        text[0][Self.columns / 2] = "◆"
        for person in people.sorted(by: { !$0.isFollowed && $1.isFollowed }) {
            let place = dot(person.pan, min(person.distance, Self.range))
            let (column, row) = (place.x / 2, place.y / 4)
            guard text.indices.contains(row), text[row].indices.contains(column) else { continue }
            text[row][column] = person.isFollowed ? "●" : "○"
        }
        return text.map { String($0) }
    }

    /// Returns the dot at a direction (radians) and a distance (metres) from the head.
    private func dot(_ pan: Double, _ distance: Double) -> (x: Int, y: Int) {
        let length = distance / Self.range * Double(Self.rows * 4 - 3)
        return (
            Int((Double(Self.columns) - length * sin(pan)).rounded()), Int((2 + length * cos(pan)).rounded())
        )
    }

    /// Returns the plan's first column on a screen of this width, in cells.
    static func left(columns: Int) -> Int { columns - Self.columns - 1 }

    /// Returns labels for the lower right corner of a screen, above its status line; none if the screen is too small. A
    /// label covers only what it draws, so that the face stays visible between the dots.
    func labels(columns: Int, rows: Int) -> [TextOverlay.Label] {
        guard columns >= 2 * Self.columns, rows >= Self.rows + 6 else { return [] }
        let left = Self.left(columns: columns), top = rows - Self.rows - 1
        return lines.enumerated().flatMap { row, line in
            line.split(separator: " ").map { part in
                let column = left + line.distance(from: line.startIndex, to: part.startIndex)
                return TextOverlay.Label(
                    x: Double(column) / Double(columns - 1), y: Double(top + row) / Double(rows - 1),
                    text: String(part))
            }
        }
    }
}

/// A picture of 2 x 4 dots a cell, in braille characters.
private struct DotCanvas {
    private let columns: Int, rows: Int
    private var cells: [UInt8]

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: 0, count: columns * rows)
    }

    /// The bits of a cell's dots, from the top, left and right.
    private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    mutating func set(_ dot: (x: Int, y: Int)) {
        guard (0..<columns * 2).contains(dot.x), (0..<rows * 4).contains(dot.y) else { return }
        cells[dot.y / 4 * columns + dot.x / 2] |= Self.bits[dot.y % 4][dot.x % 2]
    }

    /// The characters of each row.
    var text: [[Character]] {
        (0..<rows).map { row in
            (0..<columns).map { column in
                let bits = cells[row * columns + column]
                return bits == 0 ? " " : Character(UnicodeScalar(0x2800 + UInt32(bits)) ?? " ")
            }
        }
    }
}
