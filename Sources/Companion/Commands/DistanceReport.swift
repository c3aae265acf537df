public import Geometry

/// What a program with a depth camera has measured.
public struct DistanceReport: Sendable, Equatable {
    /// How far subjects are, by their number.
    public var distances: [Int: SubjectDistance] = [:]
    /// How far the nearest thing in front of the camera is, in metres, or nil if the program does not say.
    public var nearest: Double?

    /// Creates a report without distances.
    public init(nearest: Double? = nil) { self.nearest = nearest }
}
