/// Which motions others have ended, as a pure value. Topic `motion` repeats the last endings in every update.
public struct MotionEndings: Sendable {
    private var newest: Int?

    /// The outcomes that mean that another user or program, or a fault, has ended a motion.
    static let foreign: Set<String> = ["stopped", "emergencyStopped", "faulted", "unplugged", "takenOver"]

    /// Creates a value before the first update.
    public init() {}

    /// Returns the foreign outcomes that are new in an update, each once.
    /// - Parameter endings: the last endings with the motions' numbers, newest last.
    public mutating func foreign(in endings: [(id: Int, outcome: String)]) -> Set<String> {
        defer { newest = endings.last?.id ?? newest ?? 0 }
        // Before the first update everything is old. A new daemon counts from 1 again.
        guard let newest, let last = endings.last, last.id > newest else { return [] }
        return Set(endings.filter { $0.id > newest }.map(\.outcome)).intersection(Self.foreign)
    }
}
