internal import ControlProtocol
internal import Geometry

/// What is written, deleted and said, as a pure value: it receives news and the time, and returns actions. The caller
/// carries them out in order, and reports for each line whether it was written.
public struct LogBook: Sendable {
    /// What to do.
    public enum Action: Sendable, Equatable {
        /// Write a line, then report with `wrote`.
        case write(LogLine)
        /// Delete the file of a day, because the room is needed.
        case delete(Day)
        /// Write to the program's own log.
        case say(String, isWarning: Bool)
    }

    /// The time between two messages that the disk does not take records, in seconds.
    static let quiet: Seconds = 60
    private let settings: LogSettings
    private var changes = LogChanges()
    private var gate = FloodGate()
    private var budget: LogBudget
    private var files: DayFiles
    /// The last record of an earlier run, until this run has started.
    private var last: StoredRecord?
    private var order: Int
    private var entries = RecentEntries()
    /// Since when the daemon is away, or nil if it is there.
    private var away: Moment?
    /// The records that the disk did not take, and why.
    private var lost = 0
    private var failure: String?
    private var failureSaid: Seconds?
    private var notice = BudgetNotice()

    /// Creates the book of these files.
    /// - Parameters:
    ///   - days: the sizes of the files, in bytes.
    ///   - last: the last record of an earlier run, or nil if there is none.
    public init(_ settings: LogSettings, days: [Day: Int] = [:], last: StoredRecord? = nil) {
        (self.settings, self.last) = (settings, last)
        budget = LogBudget(limit: settings.bytes, days: days)
        // The newest file decides, even if it has no record that can be read. One with a later day was written before
        // the clock was set.
        let newest = last.flatMap { last in days.keys.filter { !$0.isAfter(last.time.day) }.max() }
        files = DayFiles(last: last?.time.unix, day: newest)
        order = last?.order ?? 0
    }

    /// Why records cannot be written, or nil if they can.
    public var problem: String? { failure ?? (notice.isFull ? "the budget is used up" : nil) }

    /// The size of all files, in bytes.
    public var total: Int { budget.total }

    // MARK: events

    /// Handles news, and returns what to do.
    public mutating func handle(_ news: LogNews, at now: Moment) -> [Action] {
        var actions: [Action] = []
        switch news {
        case .started(let version, let removed): start(version, removed, now, &actions)
        case .stopping:
            keep(changes.endPeople(), now, &actions)
            endFlood(gate.end(), now, &actions)
            endAway(now, &actions)
            note(LogRecord(.recorder, "stopped"), now, &actions)
        case .connected(let version, let run):
            entries.connected(run)
            endAway(now, &actions)
            keep([LogRecord(.daemon, "connected", ["version": .string(version)])], now, &actions)
        case .disconnected(let reason):
            // Each attempt to connect again fails, too.
            guard away == nil else { break }
            keep(changes.endPeople(), now, &actions)
            changes.forget()
            away = now
            keep([LogRecord(.daemon, "lost", ["reason": .string(reason)])], now, &actions)
        case .dropped(let count): gate.hold(count, now: now.monotonic)
        default: keep(changes.records(of: news, at: now), now, &actions)
        }
        return actions
    }

    /// Handles an entry of a queue, unless it was recorded before.
    public mutating func handle(_ entry: LogEntry, at now: Moment) -> [Action] {
        let (isNew, missed) = entries.judge(entry.topic, sequence: entry.sequence, isSnapshot: entry.isSnapshot)
        for count in [missed, entry.lost] { gate.hold(count, now: now.monotonic) }
        return isNew ? handle(entry.news, at: now) : []
    }

    /// Does what is due; call it every second.
    public mutating func tick(at now: Moment) -> [Action] {
        var actions: [Action] = []
        let today = files.today(for: now.wall)
        if let change = notice.relax(budget, today: today) { tell(change, today, now, &actions) }
        keep(changes.due(at: now), now, &actions)
        endFlood(gate.due(now: now.monotonic), now, &actions)
        return actions
    }

    /// Records whether a line was written. `failure`: why not.
    public mutating func wrote(_ line: LogLine, failure: String?, at now: Moment) -> [Action] {
        var actions: [Action] = []
        if let failure {
            budget.add(-line.bytes.count, to: line.day)
            lose(line.records, failure, now, &actions)
        } else if self.failure != nil {
            let count = lost, reason = self.failure ?? ""
            (lost, self.failure) = (0, nil)
            note(
                LogRecord(.recorder, "lost", ["count": .number(count), "reason": .string(reason)]), now, &actions, count
            )
            actions.append(.say("records are written again; \(count) were lost", isWarning: true))
        }
        return actions
    }

    /// Records that the disk has not confirmed records that were written before, and why.
    public mutating func doubted(_ records: Int, failure: String, at now: Moment) -> [Action] {
        var actions: [Action] = []
        lose(records, failure, now, &actions)
        return actions
    }

    /// Records the files as they are now, in bytes, because a person may have deleted some.
    public mutating func recount(_ days: [Day: Int]) { budget.recount(days) }

    // MARK: parts

    private mutating func start(_ version: String, _ removed: Int, _ now: Moment, _ actions: inout [Action]) {
        if removed > 0 { note(LogRecord(.recorder, "repaired", ["removed": .number(removed)]), now, &actions) }
        if let last, last.kind != LogKind.recorder.rawValue || last.what != "stopped" {
            let gap = Self.gap(.recorder, "gap", from: last.time, to: now.wall, now.wall.unix - last.time.unix)
            note(gap, now, &actions)
        }
        last = nil
        note(LogRecord(.recorder, "started", ["version": .string(version)]), now, &actions)
    }

    private mutating func lose(_ records: Int, _ failure: String, _ now: Moment, _ actions: inout [Action]) {
        lost += records
        self.failure = failure
        guard failureSaid.map({ now.monotonic - $0 >= Self.quiet }) ?? true else { return }
        failureSaid = now.monotonic
        actions.append(.say("records are lost, because they cannot be written: \(failure)", isWarning: true))
    }

    private mutating func endAway(_ now: Moment, _ actions: inout [Action]) {
        guard let since = away else { return }
        away = nil
        let seconds = now.monotonic - since.monotonic
        keep([Self.gap(.daemon, "away", from: since.wall, to: now.wall, seconds)], now, &actions)
    }

    private mutating func endFlood(_ count: Int?, _ now: Moment, _ actions: inout [Action]) {
        guard let count else { return }
        note(LogRecord(.recorder, "more", ["count": .number(count)]), now, &actions)
    }

    private static func gap(
        _ kind: LogKind, _ what: String, from: WallTime, to: WallTime, _ seconds: Seconds
    ) -> LogRecord {
        LogRecord(
            kind, what,
            [
                "from": .string(from.iso), "to": .string(to.iso),
                "seconds": .number((max(0, seconds) * 10).rounded() / 10),
            ])
    }

    /// Keeps records, as far as the gate and the budget allow.
    private mutating func keep(_ records: [LogRecord], _ now: Moment, _ actions: inout [Action]) {
        for record in records where settings.people || record.kind.weight > .light {
            guard gate.admits(record.kind, now: now.monotonic) else { continue }
            write(record, now, &actions)
        }
    }

    /// Keeps a record of the log itself, which the gate does not count.
    private mutating func note(_ record: LogRecord, _ now: Moment, _ actions: inout [Action], _ records: Int = 1) {
        write(record, now, &actions, records)
    }

    private mutating func write(
        _ record: LogRecord, _ now: Moment, _ actions: inout [Action], _ records: Int = 1
    ) {
        let today = files.day(for: now.wall)
        tell(notice.check(budget, today: today), today, now, &actions)
        guard budget.admits(record.kind, today: today) else { return notice.refused(records) }
        add(record, today, now, records, &actions)
    }

    /// Says that less or more is kept than before, and counts what was not kept.
    private mutating func tell(_ change: BudgetNotice.Change, _ today: Day, _ now: Moment, _ actions: inout [Action]) {
        if change.unkept > 0 {
            let reason: [String: JSONValue] = ["count": .number(change.unkept), "reason": .string("the budget")]
            add(LogRecord(.recorder, "lost", reason), today, now, change.unkept, &actions)
        }
        guard let text = change.text else { return }
        actions.append(.say(text, isWarning: change.keeping > .all))
        guard change.keeping > .all, change.keeping < .none else { return }
        add(LogRecord(.recorder, "budget", ["text": .string(text)]), today, now, 1, &actions)
    }

    private mutating func add(
        _ record: LogRecord, _ today: Day, _ now: Moment, _ records: Int, _ actions: inout [Action]
    ) {
        order += 1
        let line = LogLine(
            bytes: record.line(time: now.wall, order: order), day: today, isUrgent: record.kind.isUrgent,
            records: records)
        budget.add(line.bytes.count, to: today)
        for day in budget.removeSurplus(today: today) {
            actions.append(.delete(day))
            actions.append(
                .say("the records of \(day.text) were deleted, because the budget is full", isWarning: false))
        }
        actions.append(.write(line))
    }
}
