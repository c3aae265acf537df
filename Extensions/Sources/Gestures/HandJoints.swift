public import Geometry

/// The joints of a hand in a picture, in picture heights: x to the right, y down. Distances in it are alike in all directions.
public struct HandJoints: Sendable, Equatable {
    /// A joint in MediaPipe's order. `base` is a finger's knuckle, and `middle` the joint after it.
    enum Joint: Int {
        case wrist = 0
        case thumbBase = 2
        case thumbEnd, thumbTip
        case indexBase, indexMiddle, indexEnd, indexTip
        case middleBase, middleMiddle, middleEnd, middleTip
        case ringBase, ringMiddle, ringEnd, ringTip
        case littleBase, littleMiddle, littleEnd, littleTip
    }

    /// The number of joints.
    public static let count = 21
    /// The smallest palm in picture heights. Below, the joints are noise.
    static let leastPalm = 0.01

    private let points: [Point]
    /// The distance from the wrist to the middle knuckle, in picture heights; above 0.
    public let palm: Double
    /// The middle of the palm, in picture heights.
    public let middle: Point

    /// Creates a hand.
    /// - Parameters:
    ///   - points: 21 joints, normalised.
    ///   - aspect: the picture's width divided by its height.
    /// - Returns: nil if these are not the joints of a hand.
    public init?(_ points: [Point], aspect: Double) {
        guard points.count == Self.count, aspect.isFinite, (0.1...10).contains(aspect),
            points.allSatisfy({ $0.x.isFinite && $0.y.isFinite && abs($0.x) < 10 && abs($0.y) < 10 })
        else { return nil }
        self.points = points.map { Point(x: $0.x * aspect, y: $0.y) }
        let corners = [0, 5, 17].map { [points = self.points] in points[$0] }
        middle = Point(x: corners.map(\.x).reduce(0, +) / 3, y: corners.map(\.y).reduce(0, +) / 3)
        palm = Self.distance(self.points[0], self.points[9])
        guard palm >= Self.leastPalm else { return nil }
    }

    subscript(joint: Joint) -> Point { points[joint.rawValue] }

    /// The distance of two joints, in palms.
    func distance(_ a: Joint, _ b: Joint) -> Double { Self.distance(self[a], self[b]) / palm }

    /// How much farther from the wrist a joint is than another, in palms.
    func reach(of tip: Joint, beyond joint: Joint) -> Double { distance(tip, .wrist) - distance(joint, .wrist) }

    static func distance(_ a: Point, _ b: Point) -> Double {
        ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
    }
}
