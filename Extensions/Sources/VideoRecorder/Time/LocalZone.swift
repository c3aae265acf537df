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

    /// UTC.
    public static let utc = LocalZone { _ in 0 }

    /// Returns the moment of a local time, in seconds since 1970. Of a time that the clock shows twice in autumn, it
    /// is one of the two.
    func unix(_ time: WallTime) -> Int {
        let local = time.seconds
        return local - ahead(local - ahead(local - ahead(local)))
    }

    /// Returns the local time of a moment, in seconds since 1970.
    public func time(_ unix: Int) -> WallTime { WallTime(seconds: unix + ahead(unix)) }
}

/// A time as a wall clock and a calendar show it.
public struct WallTime: Sendable, Equatable {
    /// The year, the month (1...12) and the day of the month (1...31).
    public var year: Int, month: Int, day: Int
    /// The seconds since midnight.
    public var second: Int

    /// Creates a time. The result is nil if there is no such day.
    init?(year: Int, month: Int, day: Int, second: Int = 0) {
        (self.year, self.month, self.day, self.second) = (year, month, day, second)
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
            WallTime(seconds: seconds) == self
        else { return nil }
    }

    /// Creates the time so many seconds after 1970-01-01 00:00 of the same clock.
    init(seconds: Int) {
        var moment = time_t(min(max(seconds, 0), ChunkName.latest / 1000)), parts = tm()
        gmtime_r(&moment, &parts)
        (year, month, day) = (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
        second = Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec)
    }

    /// The seconds since 1970-01-01 00:00 of the same clock.
    var seconds: Int {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        return Int(timegm(&parts)) + second
    }

    /// The same day at midnight, or another day if `days` is not 0.
    func midnight(days: Int = 0) -> WallTime {
        let noon = WallTime(seconds: seconds - second + 43_200 + days * 86_400)
        return WallTime(seconds: noon.seconds - noon.second)
    }

    /// "2026-11-27".
    public var date: String { "\(year)-\(Self.two(month))-\(Self.two(day))" }

    /// "14:05:03".
    public var clock: String { "\(Self.two(second / 3600)):\(Self.two(second / 60 % 60)):\(Self.two(second % 60))" }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
