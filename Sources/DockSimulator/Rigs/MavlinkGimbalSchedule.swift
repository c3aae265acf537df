internal import Geometry

/// When a simulated gimbal sends its periodic messages.
struct MavlinkGimbalSchedule: Sendable {
    /// Interval of the attitude reports if no other was requested, seconds.
    static let usualInterval: Seconds = 0.2
    /// Interval of heartbeats and of status reports, seconds.
    static let statusInterval: Seconds = 1

    /// Interval of the attitude reports, seconds; 0: none.
    private var interval = usualInterval
    private var nextAttitude: Seconds = 0
    private var nextHeartbeat: Seconds = 0
    private var nextStatus: Seconds = 0

    /// When the next message is due.
    var next: Seconds { min(nextAttitude, nextHeartbeat, nextStatus) }

    /// All messages are due again after a second.
    mutating func reboot(at time: Seconds) {
        interval = Self.usualInterval
        (nextHeartbeat, nextAttitude, nextStatus) = (time + 1, time + 1, time + 1)
    }

    mutating func isHeartbeatDue(at time: Seconds) -> Bool {
        guard time >= nextHeartbeat else { return false }
        nextHeartbeat = time + Self.statusInterval
        return true
    }

    mutating func isStatusDue(at time: Seconds) -> Bool {
        guard time >= nextStatus else { return false }
        nextStatus = time + Self.statusInterval
        return true
    }

    mutating func isAttitudeDue(at time: Seconds) -> Bool {
        guard time >= nextAttitude, interval > 0 else { return false }
        nextAttitude = time + interval
        return true
    }

    /// The status has changed: it is reported at once.
    mutating func hastenStatus(at time: Seconds) { nextStatus = time }

    /// MAV_CMD_SET_MESSAGE_INTERVAL for the attitude; 0: the usual interval, below: none.
    mutating func setInterval(microseconds: Double, at time: Seconds) {
        interval = microseconds > 0 ? microseconds / 1e6 : microseconds < 0 ? 0 : Self.usualInterval
        nextAttitude = min(nextAttitude, time)
    }
}
