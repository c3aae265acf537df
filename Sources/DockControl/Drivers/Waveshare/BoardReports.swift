internal import Geometry

/// The board's reports: how often it is to send them, and when to remind it.
struct BoardReports: Sendable, Equatable {
    /// Length of the longest report (T:1001 with its motor speeds, attitude and angles), bytes.
    static let length = 120
    /// Time between two reminders, seconds.
    static let reminderInterval: Seconds = 0.1

    var rate: FeedbackRate
    private var nextReminder: Seconds = 0

    /// For a line of this speed, bits per second.
    init(baud: Int) { rate = FeedbackRate(reportLength: Self.length, baud: baud) }

    /// Time between reports in whole milliseconds, the board's unit.
    var interval: Int { Int((rate.interval * 1000).rounded(.up).clamped(to: 1...1000)) }

    /// A reminder is due as soon as reports are missing.
    mutating func restart(now: Seconds) { nextReminder = now }

    /// Whether to remind the board now: its last report has this age, seconds.
    mutating func isReminderDue(age: Seconds, now: Seconds) -> Bool {
        guard now >= nextReminder, age > 3 * Seconds(interval) / 1000 else { return false }
        nextReminder = now + Self.reminderInterval
        return true
    }
}
