/// The hours of a day in which nothing sounds.
public struct QuietHours: Sendable, Equatable {
    /// The first minute of the day, 0...1439, and the first one after it.
    public let start: Int, end: Int

    /// Creates hours, which may cross midnight, or nil if they are no minutes of a day, or empty.
    public init?(start: Int, end: Int) {
        guard (0..<1440).contains(start), (0..<1440).contains(end), start != end else { return nil }
        (self.start, self.end) = (start, end)
    }

    /// Reads "22:00-07:00", or returns nil.
    public init?(_ text: String) {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
        guard times.count == 2, let start = times[0], let end = times[1] else { return nil }
        self.init(start: start, end: end)
    }

    /// Whether a minute of the day is within.
    public func contains(_ minute: Int) -> Bool {
        start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }

    /// As people write it: "22:00-07:00".
    public var text: String { Self.time(start) + "-" + Self.time(end) }

    /// A minute of the day as people write it: "07:00".
    public static func time(_ minute: Int) -> String { two(minute / 60) + ":" + two(minute % 60) }

    private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 2, let hour = number(parts[0]), let minute = number(parts[1]),
            hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// One or two digits, without a sign.
    private static func number(_ text: Substring) -> Int? {
        let isNumber = (1...2).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? Int(text) : nil
    }
}
