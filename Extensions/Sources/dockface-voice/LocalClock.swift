import ExtensionKit
import Glibc
import Voice

/// The clocks of this machine.
enum LocalClock {
    /// Returns the present moment in the zone of this process.
    @Sendable static func moment() -> VoiceMoment {
        var time = time_t(SystemTime.unix), parts = tm()
        let isKnown = localtime_r(&time, &parts) != nil
        let minute = isKnown ? Int(parts.tm_hour) * 60 + Int(parts.tm_min) : 12 * 60
        return VoiceMoment(now: SystemTime.monotonic, minute: minute)
    }
}
