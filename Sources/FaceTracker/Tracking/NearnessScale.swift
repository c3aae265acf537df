/// How large the people of a frame would look if all had faces of the same size, for salience: a child near by looks
/// smaller than an adult farther away. It compares known distances; without them sizes stay as they are.
public struct NearnessScale: Sendable {
    /// The largest size times distance of a person who has a distance.
    private var largest = 0.0

    /// The factor by which a size grows at most: heads differ by less, and a wrong distance must not decide alone.
    static let most = 2.0

    /// Creates a scale for a frame without people.
    public init() {}

    /// Adds a person with a size, as a fraction of the frame, and the distance in metres if it is known.
    public mutating func add(size: Double, distance: Double?) {
        if let distance { largest = max(largest, size * distance) }
    }

    /// Returns the size that the largest face of the frame would have at this distance, or the size itself without one.
    public func size(_ size: Double, distance: Double?) -> Double {
        guard let distance, distance > 0 else { return size }
        return min(max(size, largest / distance), Self.most * size)
    }
}
