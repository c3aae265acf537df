/// A hand in a detector's answer.
public struct DetectedHandReading: Record, Equatable {
    /// Its joints in MediaPipe's order, from the wrist to the tip of the little finger. x and y are normalised, and z is the
    /// distance behind the wrist in the unit of x.
    public var points: [SIMD3<Double>] = []
    /// The detector's confidence that this is a hand, 0...1.
    public var score = 1.0
    /// "left" or "right", the person's own.
    public var side = "right"

    /// The most hands of one answer.
    public static let most = 4
    /// The number of joints.
    public static let jointCount = 21
    /// The range of a joint's numbers. A joint may lie outside the frame.
    static let range = -2.0...3.0

    /// Creates a reading in which nothing is known.
    public init() {}

    /// Creates a reading of these joints.
    public init(points: [SIMD3<Double>], score: Double = 1, side: String = "right") {
        (self.points, self.score, self.side) = (points, score, side)
    }

    /// The members.
    public static let rows: [RecordRow<DetectedHandReading>] = [
        RecordRow(
            "points", .list(of: .list(of: .number(range), 3...3), jointCount...jointCount),
            get: { .array($0.points.map { .array([.number($0.x), .number($0.y), .number($0.z)]) }) }
        ) { $0.points = ($1.array ?? []).compactMap(Self.point) },
        RecordRow("score", .share, get: { .number($0.score) }) { $0.score = $1.number ?? 1 },
        RecordRow("side", .word(["left", "right"]), get: { .string($0.side) }) { $0.side = $1.string ?? "" },
    ]

    /// Reads the hands of an answer. Those beyond the most, and those that are damaged, are left out, because a hand with a
    /// joint too few is another gesture.
    static func list(_ json: JSONValue?) -> [DetectedHandReading] {
        (json?.array ?? []).prefix(most).compactMap { value in
            guard let hand = DetectedHandReading(json: value), hand.points.count == jointCount,
                ["left", "right"].contains(hand.side)
            else { return nil }
            return hand
        }
    }

    private static func point(_ json: JSONValue) -> SIMD3<Double>? {
        guard let numbers = json.array?.compactMap(\.number), json.array?.count == 3, numbers.count == 3,
            numbers.allSatisfy({ $0.isFinite && range.contains($0) })
        else { return nil }
        return SIMD3(numbers[0], numbers[1], numbers[2])
    }
}
