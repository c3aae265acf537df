public import Geometry
internal import Glibc

/// The system's clocks, in seconds.
public enum SystemTime {
    /// CLOCK_MONOTONIC, which no one sets.
    public static var monotonic: Seconds { read(CLOCK_MONOTONIC) }

    /// The seconds since 1970, UTC, which a person or the network can set.
    public static var unix: Seconds { read(CLOCK_REALTIME) }

    private static func read(_ clock: clockid_t) -> Seconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) / 1e9
    }
}
