internal import Geometry

/// How far the commands of the last seconds would turn an axis: their integral over time, for any moment of that time.
///
/// What is too slow for some motors to turn at all is summed up apart.
struct CommandedPath: Sendable, Equatable {
    /// Motors may stick below this speed, rad/s; the cheap rig sticks below 1.5 degrees per second.
    static let creepSpeed = Double.degrees(1.49)
    /// A command holds until the next one, but no longer than this, seconds: the dock's deadman.
    static let longest: Seconds = 0.25

    /// Paths of one axis, signed, radians.
    struct Sums: Sendable, Equatable {
        /// Of commands at which every motor turns.
        var turning = 0.0
        /// Of slower commands.
        var creeping = 0.0

        mutating func add(_ velocity: Double, for duration: Seconds) {
            if abs(velocity) < CommandedPath.creepSpeed {
                creeping += velocity * duration
            } else {
                turning += velocity * duration
            }
        }
    }

    private struct Entry: Sendable, Equatable {
        var velocity: PanTilt
        /// Up to the moment of the command.
        var pan: Sums
        var tilt: Sums
    }

    private var entries = Recent<Entry>(capacity: 160)

    /// A set-point was written, rad/s.
    mutating func commanded(_ velocity: PanTilt, at now: Seconds) {
        entries.append(
            Entry(velocity: velocity, pan: sums(.pan, at: now), tilt: sums(.tilt, at: now)), at: now)
    }

    /// The paths of one axis up to a moment.
    func sums(_ axis: Axis, at time: Seconds) -> Sums {
        guard let entry = entries.last(notAfter: time) ?? (entries.count > 0 ? entries[0] : nil) else { return Sums() }
        var sums = axis == .pan ? entry.value.pan : entry.value.tilt
        sums.add(entry.value.velocity[axis], for: (time - entry.time).clamped(to: 0...Self.longest))
        return sums
    }
}
