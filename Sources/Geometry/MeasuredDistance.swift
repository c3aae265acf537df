/// How far a subject is, as a program with a depth camera has measured it, and until when that counts.
public struct MeasuredDistance: Sendable, Equatable {
    /// The number of the subject.
    public var id: Int
    /// The distance in metres, above 0, at most `SubjectDistance.farthest`.
    public var metres: Double
    /// CLOCK_MONOTONIC of the moment from which it no longer counts.
    public var until: Seconds

    /// Creates a measured distance.
    public init(id: Int, metres: Double, until: Seconds) {
        (self.id, self.metres, self.until) = (id, metres, until)
    }
}
