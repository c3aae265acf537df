/// A day of the calendar, from 1970 to 9999.
public struct Day: Sendable, Hashable, Comparable {
    /// The days since 1970-01-01.
    public let number: Int

    /// The number of the last day.
    static let last = 2_932_896

    /// Creates the day with this number. A number outside the range becomes the nearest day.
    public init(number: Int) { self.number = min(max(0, number), Self.last) }

    /// Reads "2026-11-27". The result is nil if there is no such day.
    public init?(_ text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-"),
            let year = Self.number(digits[0..<4]), let month = Self.number(digits[5..<7]),
            let day = Self.number(digits[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Creates a day. The result is nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        number = Self.number(year, month, day)
        // The 31st of a short month would be a day of the next one.
        guard date == (year, month, day) else { return nil }
    }

    /// The year, the month (1...12) and the day of the month (1...31).
    public var date: (year: Int, month: Int, day: Int) {
        // Years begin in March here, so that the leap day is the last one.
        let shifted = number + 719_468, era = shifted / 146_097, inEra = shifted % 146_097
        let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let index = (5 * inYear + 2) / 153
        let month = index < 10 ? index + 3 : index - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, inYear - (153 * index + 2) / 5 + 1)
    }

    private static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year, era = year / 400, yearOfEra = year % 400
        let inYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + inYear - 719_468
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(Int?.some(0)) { sum, digit in
            guard let sum, (0x30...0x39).contains(digit) else { return nil }
            return sum * 10 + Int(digit - 0x30)
        }
    }

    /// "2026-11-27".
    public var text: String {
        let (year, month, day) = date
        return "\(year)-\(twoDigits(month))-\(twoDigits(day))"
    }

    /// Whether it is in the future as seen from a day. One day is no future: a person may have changed the time zone.
    public func isAfter(_ today: Day) -> Bool { number > today.number + 1 }

    /// Returns the days of files in the order in which they were written: those in the future first, because the clock
    /// was wrong then and has been set since.
    public static func inOrderOfWriting(_ days: some Collection<Day>, today: Day) -> [Day] {
        let future = days.filter { $0.isAfter(today) }, past = days.filter { !$0.isAfter(today) }
        return future.sorted() + past.sorted()
    }

    /// Whether the first is earlier.
    public static func < (a: Day, b: Day) -> Bool { a.number < b.number }
}

/// Returns a number from 0 to 99 with two digits.
func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
