public import Geometry

/// Which day's file a record belongs to, as a pure value.
///
/// If the clock goes back by less than a day, records stay in the newest file, so that files and their lines keep their
/// order. If it goes back further, the clock was wrong before.
public struct DayFiles: Sendable, Equatable {
    /// The latest time of a record, and the day of its file.
    private var newest: (unix: Seconds, day: Day)?

    /// Creates a value; `last` is the time of the last record, and `day` the day of its file.
    public init(last: Seconds? = nil, day: Day? = nil) {
        if let last, let day { newest = (last, day) }
    }

    /// Returns the same day as `day(for:)`, without a record.
    public func today(for time: WallTime) -> Day {
        var copy = self
        return copy.day(for: time)
    }

    /// Returns the day of the file for a record at this time.
    public mutating func day(for time: WallTime) -> Day {
        guard let newest, time.day < newest.day, newest.unix - time.unix < 86_400 else {
            let isBack = newest.map { time.unix < $0.unix && $0.unix - time.unix < 86_400 } ?? false
            newest = (isBack ? newest?.unix ?? time.unix : time.unix, time.day)
            return time.day
        }
        return newest.day
    }

    /// Whether both give the same days.
    public static func == (a: DayFiles, b: DayFiles) -> Bool {
        a.newest?.unix == b.newest?.unix && a.newest?.day == b.newest?.day
    }
}
