public import Geometry

/// A predefined motion of the head: DockKit's animations, as rows of key frames.
///
/// Offsets are relative to where the dock stands when it begins, except that `level` pulls toward the home tilt. Between
/// two keys the head follows a minimum-jerk path, so it is at rest at every key. The eyes play the same names on the same clock.
public struct MotionScript: Sendable, Equatable {
    /// One key: when (seconds from the start), how far from the start pose (degrees), how much of the way to level (0...1).
    public struct Key: Sendable, Equatable {
        let time: Seconds
        let pan: Double
        let tilt: Double
        let level: Double
    }

    /// Its name.
    public let name: Name
    /// The rows, in order of time; the first is at 0 with no offset.
    public let keys: [Key]

    /// The motions that exist.
    public enum Name: String, Sendable, CaseIterable {
        /// A nod.
        case yes
        /// A shake of the head (DockKit's symbol is `no`).
        case nope
        /// Up to level, looking about.
        case wakeup
        /// Knocked back, and swinging out.
        case kapow

        /// The name as people type it; `no` is `nope`.
        public init?(word: String) {
            if word == "no" { self = .nope } else { self.init(rawValue: word) }
        }
    }

    /// The rows of every motion.
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

    /// The rows of one motion.
    public static func named(_ name: Name) -> MotionScript {
        all.first { $0.name == name } ?? MotionScript(name: name, keys: [])
    }

    private static func script(_ name: Name, _ rows: [(Double, Double, Double, Double)]) -> MotionScript {
        MotionScript(name: name, keys: rows.map { Key(time: $0.0, pan: $0.1, tilt: $0.2, level: $0.3) })
    }
}

/// A motion script fitted to a rig and a start pose: smaller where there is no room, slower where the motors are.
public struct ScriptRun: Sendable, Equatable {
    /// Which motion.
    public let name: MotionScript.Name
    /// When it began, CLOCK_MONOTONIC.
    public let start: Seconds
    /// How long it takes, seconds.
    public let duration: Seconds
    /// Where it began, radians.
    public let origin: PanTilt
    /// Share of the full amplitude, 0...1.
    public let amplitude: Double
    private let times: [Seconds]
    private let poses: [PanTilt]

    /// Share of speed and acceleration that a script plans with, so that the servo has something left to correct with.
    static let reserve = 0.75

    /// Fits a script between the soft limits of a rig, from `origin`.
    /// - Parameter speedShare: 0...1 of the rig's speed; slower motion takes longer.
    public init(
        _ script: MotionScript, from origin: PanTilt, profile: RigProfile, speedShare: Double = 1, start: Seconds
    ) {
        let level = PanTilt(pan: 0, tilt: profile.tilt.home - origin.tilt)
        var amplitude = 1.0
        for key in script.keys {
            let base = origin + level * key.level
            for axis in Axis.allCases {
                let offset = Double.degrees(axis == .pan ? key.pan : key.tilt)
                let range = profile[axis].softRange
                let room = offset > 0 ? range.upperBound - base[axis] : base[axis] - range.lowerBound
                if offset != 0 { amplitude = min(amplitude, max(0, room) / abs(offset)) }
            }
        }
        var times: [Seconds] = [], poses: [PanTilt] = []
        for key in script.keys {
            let pose =
                origin + level * key.level + PanTilt.degrees(pan: key.pan, tilt: key.tilt) * amplitude
            if let last = poses.last, let before = times.last {
                let planned = key.time - script.keys[poses.count - 1].time
                times.append(before + max(planned, Self.shortest(from: last, to: pose, profile, speedShare)))
            } else {
                times.append(0)
            }
            poses.append(pose)
        }
        name = script.name
        self.start = start
        self.origin = origin
        self.amplitude = amplitude
        self.times = times
        self.poses = poses
        duration = times.last ?? 0
    }

    /// Where it ends, radians.
    public var end: PanTilt { poses.last ?? origin }

    /// Where the head shall be (rad) and how fast it shall turn (rad/s) at `now`; after the end, at the end.
    public func target(at now: Seconds) -> (pose: PanTilt, rate: PanTilt) {
        let time = now - start
        guard time > 0, let first = poses.first else { return (origin, .zero) }
        guard let index = times.firstIndex(where: { $0 > time }) else { return (end, .zero) }
        guard index > 0 else { return (first, .zero) }
        let move = MinimumJerk(
            from: poses[index - 1], to: poses[index], start: times[index - 1], duration: times[index] - times[index - 1]
        )
        return move.target(at: time)
    }

    private static func shortest(
        from a: PanTilt, to b: PanTilt, _ profile: RigProfile, _ speedShare: Double
    ) -> Seconds {
        MinimumJerk.shortestDuration(from: a, to: b, profile: profile, share: reserve * max(0.05, speedShare))
    }
}

/// A straight move between two poses with the least jerk: at rest at both ends.
public struct MinimumJerk: Sendable, Equatable {
    /// Where it begins, radians.
    public let from: PanTilt
    /// Where it ends, radians.
    public let to: PanTilt
    /// When it begins, seconds.
    public let start: Seconds
    /// How long it takes, seconds.
    public let duration: Seconds

    /// A move between two poses (rad) from `start` for `duration` seconds.
    public init(from: PanTilt, to: PanTilt, start: Seconds, duration: Seconds) {
        self.from = from
        self.to = to
        self.start = start
        self.duration = duration
    }

    /// Pose (rad) and rate (rad/s) at `now`.
    public func target(at now: Seconds) -> (pose: PanTilt, rate: PanTilt) {
        guard duration > 0, now < start + duration else { return (to, .zero) }
        let s = ((now - start) / duration).clamped(to: 0...1)
        let way = s * s * s * (10 + s * (6 * s - 15))
        let speed = 30 * s * s * (1 + s * (s - 2)) / duration
        return (from + (to - from) * way, (to - from) * speed)
    }

    /// The shortest duration (s) that stays inside a share of the rig's speed (peak 1.875 d/T) and acceleration
    /// (peak 5.774 d/T²).
    public static func shortestDuration(from: PanTilt, to: PanTilt, profile: RigProfile, share: Double) -> Seconds {
        var shortest = 0.0
        for axis in Axis.allCases {
            let way = abs(to[axis] - from[axis])
            shortest = max(
                shortest, 1.875 * way / (share * profile[axis].maxSpeed),
                (5.774 * way / (share * profile[axis].maxAcceleration)).squareRoot())
        }
        return shortest
    }
}
