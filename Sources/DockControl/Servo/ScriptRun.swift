public import Geometry

/// A motion script fitted to a rig and a start pose: smaller if there is no room, and slower if the motors are slow.
public struct ScriptRun: Sendable, Equatable {
    /// The name of the motion.
    public let name: String
    /// The time when it began, CLOCK_MONOTONIC.
    public let start: Seconds
    /// Its duration, in seconds.
    public let duration: Seconds
    /// The pose where it began, in radians.
    public let origin: PanTilt
    /// The share of the full amplitude, 0...1.
    public let amplitude: Double
    private let flow: FlowingPath?
    private let times: [Seconds]
    private let poses: [PanTilt]

    /// The fraction of speed and acceleration with which a script is planned, so that the servo has a reserve for
    /// corrections.
    static let reserve = 0.75

    /// Fits a script between the soft limits of a rig, from `origin`.
    /// - Parameters:
    ///   - script: the script to play.
    ///   - origin: the pose where it begins, in radians.
    ///   - profile: the rig's profile.
    ///   - start: when it begins, CLOCK_MONOTONIC.
    ///   - speedShare: 0...1 of the rig's speed; slower motion takes longer.
    public init(
        _ script: MotionScript, from origin: PanTilt, profile: RigProfile, speedShare: Double = 1, start: Seconds
    ) {
        let level = PanTilt(pan: 0, tilt: profile.tilt.home - origin.tilt)
        let amplitude = Self.amplitude(of: script, from: origin, level: level, profile)
        let poses = script.keys.map {
            origin + level * $0.level + PanTilt.degrees(pan: $0.pan, tilt: $0.tilt) * amplitude
        }
        let share = Self.reserve * max(0.05, speedShare)
        var flow: FlowingPath?
        var times = script.keys.map(\.time)
        switch script.path {
        case .flowing:
            // One factor slows down the whole path, so that the rhythm of the hand is preserved.
            let asWritten = FlowingPath(times: times, poses: poses)
            let factor = max(1, asWritten.stretch(for: profile, share: share))
            times = times.map { $0 * factor }
            flow = FlowingPath(times: times, poses: poses)
        case .keyToKey: times = Self.spread(times, poses, profile, share)
        }
        name = script.name
        self.flow = flow
        self.start = start
        self.origin = origin
        self.amplitude = amplitude
        self.times = times
        self.poses = poses
        duration = times.last ?? 0
    }

    /// The pose where it ends, in radians.
    public var end: PanTilt { poses.last ?? origin }

    /// Returns the desired pose (rad) and rate (rad/s) at `now`; after the end, those of the end.
    public func target(at now: Seconds) -> (pose: PanTilt, rate: PanTilt) {
        let time = now - start
        if let flow { return time > 0 ? flow.target(at: time) : (origin, .zero) }
        guard time > 0, let first = poses.first else { return (origin, .zero) }
        guard let index = times.firstIndex(where: { $0 > time }) else { return (end, .zero) }
        guard index > 0 else { return (first, .zero) }
        let move = MinimumJerk(
            from: poses[index - 1], to: poses[index], start: times[index - 1], duration: times[index] - times[index - 1]
        )
        return move.target(at: time)
    }

    // MARK: planning

    /// Returns the fraction of the offsets that fits between the soft limits.
    private static func amplitude(
        of script: MotionScript, from origin: PanTilt, level: PanTilt, _ profile: RigProfile
    ) -> Double {
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
        return amplitude
    }

    /// Distributes the times from rest to rest: a segment that is too fast gets its own shortest time.
    private static func spread(
        _ planned: [Seconds], _ poses: [PanTilt], _ profile: RigProfile, _ share: Double
    ) -> [Seconds] {
        var times: [Seconds] = []
        for (index, pose) in poses.enumerated() {
            guard let before = times.last else {
                times.append(0)
                continue
            }
            let shortest = MinimumJerk.shortestDuration(
                from: poses[index - 1], to: pose, profile: profile, share: share)
            times.append(before + max(planned[index] - planned[index - 1], shortest))
        }
        return times
    }
}
