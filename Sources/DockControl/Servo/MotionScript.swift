public import Geometry

/// A predefined motion of the head: DockKit's animations, as a series of keyframes.
///
/// Offsets are relative to the pose at the start, except that `level` pulls toward the home tilt. Between two keys the
/// head follows a minimum-jerk path, so it is at rest at every key. A motion that was taught by hand flows through its
/// keys. The eyes play the same names on the same clock.
public struct MotionScript: Sendable, Equatable {
    /// A keyframe: the time (seconds from the start), distance from the start pose (degrees), fraction of the way to
    /// level (0...1).
    public struct Key: Sendable, Equatable {
        /// The time in seconds from the start.
        public let time: Seconds
        /// The pan offset from the start, in degrees.
        public let pan: Double
        /// The tilt offset from the start, in degrees.
        public let tilt: Double
        /// The fraction of the way to the home tilt.
        public let level: Double

        /// Creates a key at a time (s) with offsets (degrees) and a fraction of the way to level.
        public init(time: Seconds, pan: Double, tilt: Double, level: Double = 0) {
            self.time = time
            self.pan = pan
            self.tilt = tilt
            self.level = level
        }
    }

    /// The manner in which the head moves from key to key.
    public enum Path: Sendable, Equatable {
        /// At rest at every key.
        case keyToKey
        /// Through the keys without stopping.
        case flowing
    }

    /// Its name.
    public let name: String
    /// The keys in order of time; the first is at 0 with no offset.
    public let keys: [Key]
    /// The manner in which the head moves from key to key.
    public let path: Path

    /// The built-in motions.
    public enum Name: String, Sendable, CaseIterable {
        /// A nod.
        case yes
        /// A shake of the head (DockKit's symbol is `no`).
        case nope
        /// The head rises to level and looks about.
        case wakeup
        /// The head is knocked back and swings out.
        case kapow

        /// Creates a name from the word that people type; `no` is `nope`.
        public init?(word: String) {
            if word == "no" { self = .nope } else { self.init(rawValue: word) }
        }
    }

    /// Creates a custom motion. `keys` are in order of time and begin at 0 without an offset.
    public init(name: String, keys: [Key], path: Path = .keyToKey) {
        self.name = name
        self.keys = keys
        self.path = path
    }

    /// A nod.
    public static let yes = named(.yes)
    /// A shake of the head.
    public static let nope = named(.nope)
    /// The head rises to level and looks about.
    public static let wakeup = named(.wakeup)
    /// The head is knocked back and swings out.
    public static let kapow = named(.kapow)

    /// All built-in motions.
    public static let all: [MotionScript] = [
        script(.yes, [(0, 0, 0, 0), (0.32, 0, -10, 0), (0.68, 0, 4, 0), (1.0, 0, -7, 0), (1.36, 0, 0, 0)]),
        script(.nope, [(0, 0, 0, 0), (0.32, -12, 0, 0), (0.76, 12, 0, 0), (1.16, -9, 0, 0), (1.48, 0, 0, 0)]),
        script(
            .wakeup,
            [
                (0, 0, 0, 0), (0.35, 0, -5, 0), (0.7, 0, -3, 0), (1.4, 0, 5, 1), (1.7, -8, 2, 1), (2.1, 8, 2, 1),
                (2.5, 0, 0, 1),
            ]),
        script(
            .kapow,
            [(0, 0, 0, 0), (0.2, 3, 14, 0), (0.46, -2, -7, 0), (0.7, 1, 4, 0), (0.92, 0, -2, 0), (1.1, 0, 0, 0)]),
    ]

    /// Returns a built-in motion.
    public static func named(_ name: Name) -> MotionScript {
        all.first { $0.name == name.rawValue } ?? MotionScript(name: name.rawValue, keys: [])
    }

    private static func script(_ name: Name, _ rows: [(Double, Double, Double, Double)]) -> MotionScript {
        MotionScript(name: name.rawValue, keys: rows.map { Key(time: $0.0, pan: $0.1, tilt: $0.2, level: $0.3) })
    }
}
