import Geometry
import Glibc

@testable import Gestures

/// A hand whose joints are where a camera sees them.
struct DrawnHand {
    var shape = HandShape.palm
    /// Its wrist, in picture heights.
    var wrist = Bench.beside
    /// The distance from the wrist to the middle knuckle, in picture heights.
    var palm = 0.12
    /// How far it is turned clockwise, in radians.
    var turn = 0.0
    var isMirrored = false
    var aspect = 4.0 / 3

    private static let bases: [(Double, Double)] = [(-0.27, 0.97), (-0.02, 1.0), (0.2, 0.93), (0.41, 0.8)]
    private static let ways = [-14.0, -2, 9, 22].map { Double.degrees($0) }
    private static let lengths = [[0.46, 0.27, 0.22], [0.51, 0.31, 0.23], [0.47, 0.29, 0.22], [0.36, 0.21, 0.19]]
    private static let straight: [HandShape: [Bool]] = [
        .palm: [true, true, true, true], .fist: [false, false, false, false], .point: [true, false, false, false],
        .pinch: [false, true, true, true], .thumbUp: [false, false, false, false],
        .thumbDown: [false, false, false, false], .victory: [true, true, false, false],
        .none: [false, true, true, false],
    ]

    /// The joints in palms from the wrist: right, up.
    private var drawn: [(Double, Double)] {
        var points: [(Double, Double)] = [(0, 0)]
        switch shape {
        case .palm: points += [(-0.28, 0.22), (-0.53, 0.45), (-0.75, 0.65), (-0.95, 0.82)]
        case .pinch: points += [(-0.28, 0.22), (-0.5, 0.5), (-0.6, 0.8), (-0.6, 0.98)]
        case .thumbUp, .thumbDown: points += [(-0.28, 0.22), (-0.55, 0.35), (-0.85, 0.42), (-1.1, 0.45)]
        default: points += [(-0.28, 0.22), (-0.25, 0.48), (-0.05, 0.6), (0.15, 0.63)]
        }
        let straight = Self.straight[shape] ?? []
        for finger in 0..<4 {
            var place = Self.bases[finger]
            points.append(place)
            if shape == .pinch, finger == 0 {
                points += [(-0.40, 1.25), (-0.50, 1.2), (-0.55, 1.05)]
                continue
            }
            for length in straight[finger] ? Self.lengths[finger] : [0.12, -0.28, -0.12] {
                let way = Self.ways[finger]
                place = (place.0 + length * sin(way), place.1 + length * cos(way))
                points.append(place)
            }
        }
        return points
    }

    /// The joints, normalised.
    var points: [Point] {
        // Fingers point sideways where a thumb points up or down.
        let turn = self.turn + (shape == .thumbUp ? .pi / 2 : shape == .thumbDown ? -.pi / 2 : 0)
        let sine = sin(turn), cosine = cos(turn)
        return drawn.map { right, up in
            let x = (right * cosine + up * sine) * (isMirrored ? -1 : 1), y = right * sine - up * cosine
            return Point(x: (wrist.x + x * palm) / aspect, y: wrist.y + y * palm)
        }
    }

    var seen: SeenHand { SeenHand(points: points) }

}
