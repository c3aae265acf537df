public import ControlProtocol
public import Geometry
internal import Glibc

/// Where a thing is that the picture does not show: an arrow at the picture's edge, and how far the head must turn.
public struct FinderArrow: Sendable, Equatable {
    /// The place of the text in the picture, normalised.
    public var point: Point
    /// The arrow, the thing's mark and name, and the angle: "→ = cup 64°".
    public var text: String
    /// The colour.
    public var colour: LayerColour

    /// How far from the edges the text is, in picture widths and heights; at the bottom are a legend and messages.
    private static let margin = (side: 0.02, top: 0.12, bottom: 0.16)
    /// A terminal has at least this many columns, so that the text does not end beyond the right edge.
    private static let columns = 80.0
    /// The longest name, in characters.
    private static let longest = 24
    /// The arrows, clockwise from the right.
    private static let arrows: [Character] = ["→", "↘", "↓", "↙", "←", "↖", "↑", "↗"]

    /// Creates the arrow for a way that the head must turn, in radians. The result is nil if there is no way.
    init?(way: PanTilt, mark: String, name: String, colour: LayerColour) {
        guard way.magnitude > 1e-6, way.magnitude.isFinite else { return nil }
        // To the edge of the picture on the side to which the head must turn.
        let share = 0.5 / way.magnitude, eighths = Int((atan2(-way.tilt, way.pan).inDegrees / 45).rounded())
        let arrow = Self.arrows[(eighths + Self.arrows.count) % Self.arrows.count]
        let angle = Int((way.pan * way.pan + way.tilt * way.tilt).squareRoot().inDegrees.rounded())
        text = "\(arrow) \(mark) \(name.prefix(Self.longest)) \(angle)°"
        let right = 1 - Self.margin.side - Double(text.count) / Self.columns
        point = Point(
            x: (0.5 + way.pan * share).clamped(to: Self.margin.side...max(Self.margin.side, right)),
            y: (0.5 - way.tilt * share).clamped(to: Self.margin.top...(1 - Self.margin.bottom)))
        self.colour = colour
    }

    /// The arrow as an item of the picture.
    public var item: LayerItem { .label(text, at: SIMD3(point.x, point.y, 0), colour: colour) }
}

extension Finder {
    /// Returns the arrow to the thing that was found, or, on the first way, to where it is remembered. The result is nil
    /// if there is no such place, the picture shows it, or the pose of the head is unknown.
    public var arrow: FinderArrow? {
        guard let pose = trail.pose, let target = pointed, !settings.eye.shows(target.bearing, at: pose) else {
            return nil
        }
        let way = settings.eye.pose(toward: target.bearing) - pose
        return FinderArrow(way: way, mark: target.state.mark, name: wish.label, colour: target.state.colour)
    }

    private var pointed: (bearing: PanTilt, state: FinderBox.State)? {
        if let found { return things[found].map { ($0.bearing, .found) } }
        guard phase == .searching, times.looks == 0, let memory = settings.memory else { return nil }
        return (memory.bearing, .new)
    }
}
