public import Geometry

/// A time as a wall clock shows it, with its distance from UTC.
public struct WallTime: Sendable, Equatable {
    /// The seconds since 1970, UTC.
    public var unix: Seconds
    /// How far the local clock is ahead of UTC, in seconds.
    public var offset: Int

    /// Creates a time.
    public init(unix: Seconds, offset: Int = 0) {
        // Times that the calendar of `Day` cannot show become the nearest ones that it can.
        self.unix = unix.isFinite ? min(max(unix, 0), 253_402_200_000) : 0
        self.offset = offset
    }

    /// The milliseconds of the local clock since 1970-01-01 00:00.
    private var local: Int { Int((unix * 1000).rounded(.down)) + offset * 1000 }

    /// The local day.
    public var day: Day { Day(number: max(0, local) / 86_400_000) }

    /// The local time of day, in whole seconds since midnight.
    public var secondOfDay: Int { max(0, local) / 1000 % 86_400 }

    /// "14:05:03", local.
    public var clock: String {
        let second = secondOfDay
        return "\(twoDigits(second / 3600)):\(twoDigits(second / 60 % 60)):\(twoDigits(second % 60))"
    }

    /// "2026-11-27T14:05:03.120+01:00", local, in the form of ISO 8601.
    public var iso: String {
        let millisecond = max(0, local) % 1000, ahead = abs(offset) / 60
        let zeros = String(repeating: "0", count: millisecond < 10 ? 2 : millisecond < 100 ? 1 : 0)
        return "\(day.text)T\(clock).\(zeros)\(millisecond)\(offset < 0 ? "-" : "+")"
            + "\(twoDigits(ahead / 60)):\(twoDigits(ahead % 60))"
    }

    /// Reads the form of `iso`, with or without a fraction; "Z" is +00:00. The result is nil if it is no such time.
    public init?(iso text: some StringProtocol) {
        guard let day = Day(text.prefix(10)), text.utf8.count > 10 else { return nil }
        var rest = text.dropFirst(10)
        guard rest.first == "T" || rest.first == " ", let clock = TimeOfDay(rest.dropFirst().prefix(8)) else {
            return nil
        }
        rest = rest.dropFirst(9)
        var fraction = 0.0
        if rest.first == "." {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard let value = Double("0." + digits), !digits.isEmpty else { return nil }
            fraction = value
            rest = rest.dropFirst(1 + digits.count)
        }
        let offset: Int
        if rest == "Z" {
            offset = 0
        } else {
            guard let sign = rest.first, sign == "+" || sign == "-", rest.utf8.count == 6,
                let ahead = TimeOfDay(rest.dropFirst())
            else { return nil }
            offset = sign == "-" ? -ahead.second : ahead.second
        }
        self.init(unix: Seconds(day.number * 86_400 + clock.second - offset) + fraction, offset: offset)
    }
}

/// A time of day without its day.
struct TimeOfDay {
    /// The seconds since midnight.
    let second: Int
    /// Whether it was given with its seconds.
    let hasSeconds: Bool

    /// Reads "14:05" or "14:05:03".
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard parts.count == numbers.count, (2...3).contains(numbers.count), numbers[0] < 24, numbers[1] < 60,
            numbers.count < 3 || numbers[2] < 60
        else { return nil }
        second = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
        hasSeconds = numbers.count > 2
    }
}
