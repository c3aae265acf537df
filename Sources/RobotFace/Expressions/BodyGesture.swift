public import Geometry

/// A small head motion that accompanies an expression, for a robot that can turn and nod.
///
/// It is a closed curve: it ends where it began, so the head does not drift however many gestures it makes. It starts
/// and ends at rest, passes smoothly through its keys, and takes at most 1.5 s and 12 degrees.
public struct BodyGesture: Sendable, Equatable {
    /// The head's position at a time, relative to its position at the start.
    public struct Key: Sendable, Equatable {
        /// The time from the start.
        public let time: Seconds
        /// The pan angle in degrees, positive to the robot's right, which is the left of the screen.
        public let pan: Double
        /// The tilt angle in degrees, positive upward.
        public let tilt: Double
    }

    /// The keys in order of time. The first is at 0, and the first and the last are at the start position.
    public let keys: [Key]

    /// The duration.
    public var duration: Seconds { keys.last?.time ?? 0 }

    /// Creates a gesture from seconds, pan and tilt. The first key, at 0, is implied.
    init(_ rows: (Seconds, Double, Double)...) {
        keys = [Key(time: 0, pan: 0, tilt: 0)] + rows.map { Key(time: $0.0, pan: $0.1, tilt: $0.2) }
    }
}
