internal import Geometry

/// The distance that the commands of the last seconds would turn an axis: their integral over time, at any moment of
/// that time.
///
/// Commands that are too slow for some motors are added up separately.
struct CommandedPath: Sendable, Equatable {
    /// The speed below which motors may stick, in rad/s. The cheap rig sticks below 1.5 deg/s.
    static let creepSpeed = Double.degrees(1.49)
    /// The longest time for which a command holds if no other follows, in seconds: the dock's deadman.
    static let longest: Seconds = 0.25

    /// The paths of one axis, signed, in radians.
    struct Sums: Sendable, Equatable {
        /// The path of commands at which every motor turns.
        var turning = 0.0
        /// The path of slower commands.
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
        /// The sums up to the time of the command.
        var pan: Sums
        var tilt: Sums
    }

    private var entries = Recent<Entry>(capacity: 160)

    /// Records a set-point that was written, in rad/s.
    mutating func commanded(_ velocity: PanTilt, at now: Seconds) {
        entries.append(
            Entry(velocity: velocity, pan: sums(.pan, at: now), tilt: sums(.tilt, at: now)), at: now)
    }

    /// Returns the paths of one axis up to a time.
    func sums(_ axis: Axis, at time: Seconds) -> Sums {
        guard let entry = entries.last(notAfter: time) ?? (entries.count > 0 ? entries[0] : nil) else { return Sums() }
        var sums = axis == .pan ? entry.value.pan : entry.value.tilt
        sums.add(entry.value.velocity[axis], for: (time - entry.time).clamped(to: 0...Self.longest))
        return sums
    }
}
