public import DockTypes
public import Geometry

/// A span of dates, in milliseconds since 1970, UTC.
public struct DateRange: Sendable, Equatable {
    /// The first millisecond.
    public var from: Int
    /// The first millisecond after it.
    public var to: Int

    /// Creates a range; it is empty if `to` is not after `from`.
    public init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

    /// Everything.
    public static let all = DateRange(from: 0, to: ChunkName.latest)

    /// Whether a chunk has frames in the range. One that was cut short may have a duration of 0.
    public func contains(_ name: ChunkName) -> Bool { name.start < to && max(name.end, name.start + 1) > from }
}

/// Ranges of time as people write them: "14:05", "-10m", "-1h..-30m", "2026-11-27T14:05..14:20". Pure.
public enum RangeWords {
    /// The forms, for messages.
    public static let forms = "-10m, 14:05, 14:05..14:20, -1h..-30m, today, 2026-11-27 or 2026-11-27T14:05..now"

    private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

    /// Returns the range. A single time is a beginning; the range then lasts until now. A single day is the whole day.
    /// - Parameter now: seconds since 1970.
    /// - Throws: `invalidParameter` with the permitted forms.
    public static func range(_ text: String, now: Seconds, in zone: LocalZone) throws(DockError) -> DateRange {
        let limited = now.clamped(to: 0...Seconds(ChunkName.latest / 1000))
        // What is recorded in this second belongs to a range that ends now.
        let now = Int(limited), end = Int(limited.rounded(.up))
        guard let dots = dots(in: text) else {
            if let day = day(text, now: now, in: zone) {
                return DateRange(from: zone.unix(day) * 1000, to: zone.unix(day.midnight(days: 1)) * 1000)
            }
            let from = try moment(text, after: nil, now: now, in: zone)
            return try ordered(from, from < now ? end : now, text)
        }
        let (left, right) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
        let from = left.isEmpty ? 0 : try moment(left, after: nil, now: now, in: zone)
        if right.isEmpty || right == "now" { return try ordered(from, from < now ? end : now, text) }
        return try ordered(from, try moment(right, after: left.isEmpty ? nil : from, now: now, in: zone), text)
    }

    private static func ordered(_ from: Int, _ to: Int, _ text: String) throws(DockError) -> DateRange {
        guard from < to else {
            throw DockError(
                .invalidParameter, "the range \"\(text)\" ends before it begins", hint: "write it as \(forms)")
        }
        return DateRange(from: from * 1000, to: to * 1000)
    }

    private static func dots(in text: String) -> Range<String.Index>? {
        guard let first = text.firstIndex(of: ".") else { return nil }
        let second = text.index(after: first)
        guard second < text.endIndex, text[second] == "." else { return nil }
        return first..<text.index(after: second)
    }

    /// Returns a moment, in seconds since 1970.
    /// - Parameter start: the beginning of the range, if this is its end. "14:05" is then the next one after it;
    ///   otherwise it is the last one before now.
    private static func moment(
        _ text: String, after start: Int?, now: Int, in zone: LocalZone
    ) throws(DockError) -> Int {
        if text == "now" { return now }
        if let ago = duration(text) { return now - ago }
        if let second = clock(text) {
            let today = zone.time(start ?? now).midnight()
            let moment = at(second, today, zone)
            if let start { return moment > start ? moment : at(second, today.midnight(days: 1), zone) }
            return moment <= now ? moment : at(second, today.midnight(days: -1), zone)
        }
        if let day = day(text, now: now, in: zone) {
            // As an end, a day counts as a whole.
            return start == nil ? zone.unix(day) : zone.unix(day.midnight(days: 1))
        }
        let mark = text.dropFirst(10).first
        if mark == "T" || mark == " ", let day = day(String(text.prefix(10)), now: now, in: zone),
            let second = clock(String(text.dropFirst(11)))
        {
            return at(second, day, zone)
        }
        throw DockError(.invalidParameter, "\"\(text)\" is not a time", hint: "write it as \(forms)")
    }

    private static func at(_ second: Int, _ day: WallTime, _ zone: LocalZone) -> Int {
        zone.unix(WallTime(seconds: day.seconds - day.second + second))
    }

    /// Reads "-10m" or "10m", in seconds: 90s, 30m, 1h, 2d, 1w.
    static func duration(_ text: String) -> Int? {
        let text = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard let letter = text.last, let unit = units[letter], (2...7).contains(text.utf8.count) else { return nil }
        return number(text.dropLast()).map { $0 * unit }
    }

    /// Reads "14:05" or "14:05:03", in seconds since midnight.
    private static func clock(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) }) else { return nil }
        let numbers = parts.compactMap(number)
        guard numbers.count == parts.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
            return nil
        }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
    }

    private static func day(_ text: String, now: Int, in zone: LocalZone) -> WallTime? {
        switch text {
        case "today": return zone.time(now).midnight()
        case "yesterday": return zone.time(now).midnight(days: -1)
        default:
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.utf8.count) == [4, 2, 2] else { return nil }
            let numbers = parts.compactMap(number)
            guard numbers.count == 3 else { return nil }
            return WallTime(year: numbers[0], month: numbers[1], day: numbers[2])
        }
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
