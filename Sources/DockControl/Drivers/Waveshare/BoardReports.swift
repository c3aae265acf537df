internal import Geometry

/// The schedule of the board's reports: how often the board must send them, and when to remind it.
struct BoardReports: Sendable, Equatable {
    /// The length of the longest report (T:1001 with its motor speeds, attitude and angles), in bytes.
    static let length = 120
    /// The time between two reminders, in seconds.
    static let reminderInterval: Seconds = 0.1

    var rate: FeedbackRate
    private var nextReminder: Seconds = 0

    /// Creates the schedule for a line of this speed, in bits per second.
    init(baud: Int) { rate = FeedbackRate(reportLength: Self.length, baud: baud) }

    /// The time between reports in whole milliseconds, the board's unit.
    var interval: Int { Int((rate.interval * 1000).rounded(.up).clamped(to: 1...1000)) }

    /// Starts again: a reminder is due as soon as reports are missing.
    mutating func restart(now: Seconds) { nextReminder = now }

    /// Returns whether to remind the board now, if its last report has this age, in seconds.
    mutating func isReminderDue(age: Seconds, now: Seconds) -> Bool {
        guard now >= nextReminder, age > 3 * Seconds(interval) / 1000 else { return false }
        nextReminder = now + Self.reminderInterval
        return true
    }
}
