internal import Geometry
internal import Glibc

/// How likely the thing is in each part of the room, and which parts were seen.
struct SearchMap: Sendable, Equatable {
    private struct Cell: Sendable, Equatable {
        var bearing: Bearing
        /// The direction of the bearing.
        var direction: SIMD3<Double>
        /// The part of the room, and the probability that the thing is there; neither is normalised.
        var size: Double, probability: Double
        var isSeen = false
    }

    private var cells: [Cell] = []
    private let eye: FinderEye

    /// The size of a cell, in radians.
    private static let side = Double.degrees(10)
    /// The chance that a detector names a thing that is whole in the picture, and one that the edge may cut.
    static let chance = 0.7, edgeChance = 0.25
    /// The part of the picture at its edges where it may be cut.
    private static let margin = 0.1
    /// The probability that a thing is where it was seen last.
    private static let stays = 0.7

    /// Creates the map of what the head can see from a range of poses.
    init(_ range: PoseRange, eye: FinderEye, memory: Remembrance?) {
        self.eye = eye
        let pans = Self.steps(range.pan, whole: true), tilts = Self.steps(range.tilt, whole: false)
        for tilt in tilts {
            for pan in pans {
                let bearing = Bearing(pan: pan, tilt: tilt), size = cos(tilt)
                cells.append(
                    Cell(
                        bearing: bearing, direction: bearing.direction, size: size,
                        probability: size * Self.usual(tilt)))
            }
        }
        guard let memory else { return }
        // Each look that has not shown it where it was makes it less likely there.
        let share = Self.stays * memory.certainty
        expect(at: memory.bearing, within: max(memory.spread, .degrees(5)), share: share)
    }

    /// The middles of the cells of an axis. A head that turns almost all the way round sees behind its stop, too.
    private static func steps(_ range: ClosedRange<Double>, whole: Bool) -> [Double] {
        let span = min(range.upperBound - range.lowerBound, 2 * .pi)
        let count = min(max(1, Int((span / side).rounded())), 72)
        return (0..<count).map { range.lowerBound + (Double($0) + 0.5) * span / Double(count) }
    }

    /// How usual a height is: things stand on tables and floors, seldom above a person's head.
    private static func usual(_ tilt: Double) -> Double {
        let off = (tilt - .degrees(-5)) / .degrees(25)
        return 0.3 + exp(-off * off / 2)
    }

    /// Moves a share of the probability to a place.
    mutating func expect(at bearing: Bearing, within spread: Double, share: Double) {
        let total = cells.reduce(0) { $0 + $1.probability }
        let weights = cells.map { cell in
            let off = cell.bearing.angle(to: bearing) / max(spread, Self.side / 2)
            return exp(-off * off / 2)
        }
        let sum = weights.reduce(0, +)
        guard sum > 1e-6, total > 0 else { return }
        for place in cells.indices {
            cells[place].probability = cells[place].probability * (1 - share) + weights[place] / sum * share * total
        }
    }

    /// Returns how much of the probability a look from a pose would remove.
    func gain(at pose: PanTilt) -> Double {
        let glance = eye.glance(at: pose), ahead = pose.direction
        return cells.reduce(0) { $0 + $1.probability * Self.chance($1, glance, ahead) }
    }

    /// Receives that a look from a pose has not shown the thing: the place keeps what a detector may have missed.
    mutating func looked(at pose: PanTilt) {
        let glance = eye.glance(at: pose), ahead = pose.direction
        for place in cells.indices {
            let chance = Self.chance(cells[place], glance, ahead)
            guard chance > 0 else { continue }
            cells[place].probability *= 1 - chance
            cells[place].isSeen = true
        }
    }

    private static func chance(_ cell: Cell, _ glance: FinderEye.Glance, _ ahead: SIMD3<Double>) -> Double {
        // Most cells are behind the camera, which is quick to see.
        guard (cell.direction * ahead).sum() > 0 else { return 0 }
        let depth = glance.depth(of: cell.direction)
        return depth >= margin ? chance : depth >= 0 ? edgeChance : 0
    }

    /// All that is left of the probability.
    var left: Double { cells.reduce(0) { $0 + $1.probability } }

    /// The share of the room that was seen, 0...1.
    var share: Double {
        let all = cells.reduce(0) { $0 + $1.size }
        return all > 0 ? cells.reduce(0) { $0 + ($1.isSeen ? $1.size : 0) } / all : 1
    }
}
