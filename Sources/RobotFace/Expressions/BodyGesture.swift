public import Geometry

/// A small motion of the head that goes with an expression, for a robot whose head can turn and nod.
///
/// A closed curve: it ends where it began, so a robot that makes a hundred of them still looks where it looked. It begins and
/// ends at rest and flows through its keys, 1.5 s and 12 degrees at most.
public struct BodyGesture: Sendable, Equatable {
    /// Where the head is at a time, relative to where it was.
    public struct Key: Sendable, Equatable {
        /// From the beginning.
        public let time: Seconds
        /// Degrees; + = to the robot's right, which is the left of the screen.
        public let pan: Double
        /// Degrees; + = up.
        public let tilt: Double
    }

    /// In order of time; the first is at 0, and the first and the last are where the head was.
    public let keys: [Key]

    /// How long it takes.
    public var duration: Seconds { keys.last?.time ?? 0 }

    /// Seconds, pan, tilt; the first key, at 0, goes without saying.
    init(_ rows: (Seconds, Double, Double)...) {
        keys = [Key(time: 0, pan: 0, tilt: 0)] + rows.map { Key(time: $0.0, pan: $0.1, tilt: $0.2) }
    }
}
