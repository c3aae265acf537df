public import DockTypes
public import Geometry

/// The times that people type: "1h", "14:05", "2026-11-27", "yesterday".
public enum TimeWords {
    /// The forms, for messages.
    public static let forms = "1h, 30m, 14:05, today, yesterday, 2026-11-27, or 2026-11-27T14:05"

    /// Whether a time is the beginning or the end of a range.
    public enum Role: Sendable {
        case since, until
    }

    private static let units: [Character: Seconds] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

    /// Returns the moment, in seconds since 1970.
    ///
    /// A day as an end includes the whole day. A time of day is today's; as a beginning, it is yesterday's if today's
    /// is still to come.
    /// - Throws: `invalidParameter` with the permitted forms.
    public static func moment(_ text: String, _ role: Role, now: WallTime, in zone: LocalZone) throws(DockError)
        -> Seconds
    {
        if let ago = duration(text) { return now.unix - ago }
        switch text {
        case "now": return now.unix
        case "today": return edge(of: now.day, role, zone)
        case "yesterday": return edge(of: Day(number: now.day.number - 1), role, zone)
        default: break
        }
        if let clock = TimeOfDay(text) {
            let moment = zone.unix(now.day, second: clock.second)
            guard role == .since, moment > now.unix else { return ended(moment, clock, role) }
            return zone.unix(Day(number: now.day.number - 1), second: clock.second)
        }
        if let day = Day(text) { return edge(of: day, role, zone) }
        if let exact = WallTime(iso: text) { return exact.unix }
        if let day = Day(text.prefix(10)), let mark = text.dropFirst(10).first, mark == "T" || mark == " ",
            let clock = TimeOfDay(text.dropFirst(11))
        {
            return ended(zone.unix(day, second: clock.second), clock, role)
        }
        throw DockError(.invalidParameter, "\"\(text)\" is not a time", hint: "write it as \(forms)")
    }

    /// Reads "90s", "30m", "1h", "2d" or "1w", in seconds.
    static func duration(_ text: String) -> Seconds? {
        guard let letter = text.last, let unit = units[letter], text.utf8.count <= 9 else { return nil }
        let digits = text.dropLast()
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(digits) else { return nil }
        return Seconds(count) * unit
    }

    private static func edge(of day: Day, _ role: Role, _ zone: LocalZone) -> Seconds {
        role == .since ? zone.unix(day) : zone.unix(Day(number: day.number + 1)) - 0.001
    }

    /// The end "14:05" includes the whole minute, and "14:05:03" the whole second.
    private static func ended(_ moment: Seconds, _ clock: TimeOfDay, _ role: Role) -> Seconds {
        role == .since ? moment : moment + (clock.hasSeconds ? 0.999 : 59.999)
    }
}
