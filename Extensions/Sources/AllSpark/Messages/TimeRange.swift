internal import PlainText

/// A part of the past, in seconds since 1970: from its start, up to and without its end.
public struct TimeRange: Sendable, Hashable {
    /// Unix seconds, with a fraction.
    public let start, end: Double

    /// Creates a range. The result is nil unless both are finite and the start is before the end.
    public init?(start: Double, end: Double) {
        guard start.isFinite, end.isFinite, start < end else { return nil }
        (self.start, self.end) = (start, end)
    }

    /// Whether a chunk has a part in the range. A chunk that only touches it has none.
    public func overlaps(start: Double, end: Double) -> Bool { start < self.end && end > self.start }

    /// The range in words, UTC: `2026-11-27T14:05:03Z to 2026-11-27T14:06:00Z`.
    public var text: String { "\(UTCTime.text(start)) to \(UTCTime.text(end))" }
}

/// Unix seconds as text.
public enum UTCTime {
    /// Returns date and time in whole seconds, such as `2026-11-27T14:05:03Z`. A time outside of the years 1 to 9999
    /// is written as its number of seconds.
    public static func text(_ unix: Double) -> String {
        guard let seconds = Int(exactly: unix.rounded(.down)), (-62_135_596_800..<253_402_300_800).contains(seconds)
        else { return ForeignText.line("\(unix) s since 1970") }
        let days = (seconds - positive(seconds, 86_400)) / 86_400, rest = positive(seconds, 86_400)
        let (year, month, day) = date(days)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
    }

    /// Counts the days in eras of 400 years that begin on 1 March, so that a leap day is the last of its year.
    private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468, dayOfEra = positive(shifted, 146_097), era = (shifted - dayOfEra) / 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func positive(_ value: Int, _ divisor: Int) -> Int {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
