public import ControlProtocol
public import Geometry
internal import Glibc
public import SpatialModel

/// A thing as the screen shows it. Its colour is never alone: each has its own mark before the label.
public struct FinderBox: Sendable, Equatable {
    /// What is known of the thing.
    public enum State: String, Sendable, CaseIterable {
        /// It was seen.
        case new
        /// The verifier was asked about it.
        case waiting
        /// It was confirmed once.
        case likely
        /// It is what was searched.
        case found
        /// It is another thing.
        case rejected

        /// The mark before the label.
        public var mark: String {
            switch self {
            case .new: "?"
            case .waiting: "..."
            case .likely: "~"
            case .found: "="
            case .rejected: "x"
            }
        }

        /// Its place in a drawing: the higher, the later.
        var layer: Int {
            switch self {
            case .rejected: 0
            case .new: 1
            case .waiting: 2
            case .likely: 3
            case .found: 4
            }
        }

        /// The colour of its outline.
        public var colour: LayerColour {
            switch self {
            case .new: .yellow
            case .waiting: .blue
            case .likely: .magenta
            case .found: .green
            case .rejected: .red
            }
        }
    }

    /// What is known of it.
    public var state: State
    /// What the detector calls it.
    public var label: String
    /// Where it is, in radians.
    public var bearing: PanTilt
    /// How large it looks, in radians.
    public var width: Double, height: Double

    /// Whether both look the same on a screen: to within a quarter of a degree, a third of a terminal's column.
    func looksLike(_ other: FinderBox) -> Bool {
        let near = Double.degrees(0.25)
        return state == other.state && label == other.label && bearing.angle(to: other.bearing) < near
            && abs(width - other.width) < near && abs(height - other.height) < near
    }

    /// How far away outlines are drawn, in metres: how far away things are is not known.
    private static let distance = 2.0

    /// Returns the outline in the space of the dock, as a closed path of the world.
    /// - Parameter foot: the place of the dock in the world.
    public func outline(from foot: RigidTransform) -> LayerItem {
        let ahead = bearing.direction, right = SIMD3(cos(bearing.pan), 0, sin(bearing.pan))
        let up = SIMD3(
            right.y * ahead.z - right.z * ahead.y, right.z * ahead.x - right.x * ahead.z,
            right.x * ahead.y - right.y * ahead.x)
        let (across, along) = (right * tan(min(width, 2) / 2), up * tan(min(height, 2) / 2))
        let corners = [(-1.0, 1.0), (1, 1), (1, -1), (-1, -1), (-1, 1)].map { x, y in
            foot.place((ahead + across * x + along * y) * Self.distance)
        }
        // The mark is in the label only: a line of many question marks hides what is behind it.
        let place = state == .found ? ", \(PlaceWords.of(bearing))" : ""
        return .path(corners, text: "\(state.mark) \(label)\(place)", colour: state.colour)
    }
}

extension Finder {
    /// The last picture of the thing that was found, CLOCK_MONOTONIC, its number, and where in it the thing is; nil if it
    /// was not found.
    public var foundPicture: (time: Seconds, sequence: Int?, rect: Rect)? {
        found.flatMap { things[$0]?.box }.map { ($0.time, $0.sequence, $0.rect) }
    }

    /// Returns what to draw: things that a picture of the last 0.4 s has shown, and the one that was found.
    public func boxes(now: Seconds) -> [FinderBox] {
        let boxes = things.all.compactMap { thing -> FinderBox? in
            let isDrawn = thing.drawnBox(now: now) != nil || thing.id == found || settings.mutant == .keepsStaleBoxes
            guard isDrawn else { return nil }
            return FinderBox(
                state: state(of: thing, now: now), label: thing.labels.usual, bearing: thing.bearing,
                width: thing.width, height: thing.height)
        }
        // The later ones are drawn over the earlier ones, so what matters most comes last.
        return boxes.sorted { $0.state.layer < $1.state.layer }
    }

    private func state(of thing: Thing, now: Seconds) -> FinderBox.State {
        if thing.id == found { return .found }
        if desk.book.open(about: thing.id) != nil { return .waiting }
        if !thing.verdicts.matches.isEmpty { return .likely }
        return thing.verdicts.isRejected(now: now) ? .rejected : .new
    }
}
