internal import ExtensionKit
public import Geometry
internal import Glibc

/// A time zone: how far its clock is ahead of UTC at any moment.
public struct LocalZone: Sendable {
    private let ahead: @Sendable (Int) -> Int

    /// Creates a zone; `ahead` returns the seconds ahead of UTC at a moment, in seconds since 1970.
    public init(_ ahead: @escaping @Sendable (Int) -> Int) { self.ahead = ahead }

    /// The zone of this process.
    public static let system: LocalZone = {
        tzset()
        return LocalZone { unix in
            var moment = time_t(unix), parts = tm()
            return localtime_r(&moment, &parts) == nil ? 0 : parts.tm_gmtoff
        }
    }()

    /// The present day.
    public var today: Day { wall(SystemTime.unix).day }

    /// Returns the local time at a moment, in seconds since 1970.
    public func wall(_ unix: Seconds) -> WallTime {
        WallTime(unix: unix, offset: ahead(Int(WallTime(unix: unix).unix)))
    }

    /// Returns the moment of a local time, in seconds since 1970. Of a time that the clock shows twice in autumn, it
    /// is one of the two.
    public func unix(_ day: Day, second: Int = 0) -> Seconds {
        let local = day.number * 86_400 + second
        let guess = local - ahead(local)
        return Seconds(local - ahead(guess))
    }
}

/// A moment on both clocks. Decisions use the monotonic one for durations, and the wall clock for what people read.
public struct Moment: Sendable, Equatable {
    /// CLOCK_MONOTONIC, in seconds.
    public var monotonic: Seconds
    /// The wall clock.
    public var wall: WallTime

    /// Creates a moment.
    public init(monotonic: Seconds, wall: WallTime) { (self.monotonic, self.wall) = (monotonic, wall) }
}
