public import DockTypes

/// Carries out what the `LogBook` decides: it reads the clocks, writes the files, and says what must be said.
public actor LogDesk {
    private var book: LogBook
    private let folder: LogFolder
    private let writer: LogWriter
    private let clock: @Sendable () -> Moment
    private let say: @Sendable (String, Bool) -> Void
    private var ticks = 0

    /// How often the sizes of the files are read again, in ticks.
    static let recount = 60

    /// Creates the desk of a folder. `say` receives lines for the program's own log, and whether each is a warning.
    public init(
        _ settings: LogSettings, _ folder: LogFolder, clock: @escaping @Sendable () -> Moment,
        say: @escaping @Sendable (String, Bool) -> Void
    ) throws(DockError) {
        try self.init(settings, folder, clock: clock, say: say) { LogWriter($0) }
    }

    init(
        _ settings: LogSettings, _ folder: LogFolder, clock: @escaping @Sendable () -> Moment,
        say: @escaping @Sendable (String, Bool) -> Void, writer: (LogFolder) -> sending LogWriter
    ) throws(DockError) {
        book = LogBook(settings, days: try folder.days(), last: try folder.last(today: clock().wall.day))
        (self.folder, self.clock, self.say) = (folder, clock, say)
        self.writer = writer(folder)
    }

    /// Why records cannot be written, or nil if they can.
    public var problem: String? { book.problem }

    /// Handles news, and writes its records.
    public func handle(_ news: LogNews) { carryOut { $0.handle(news, at: $1) } }

    /// Handles an entry of a queue, and writes its record, unless it was recorded before.
    public func handle(_ entry: LogEntry) { carryOut { $0.handle(entry, at: $1) } }

    /// Does what is due; call it every second.
    public func tick() {
        carryOut { $0.tick(at: $1) }
        writer.synchronise(now: clock().monotonic)
        carryOutDoubt()
        ticks += 1
        if ticks.isMultiple(of: Self.recount), let days = try? folder.days() { book.recount(days) }
    }

    /// Writes the last records, and brings all to the disk.
    public func end() {
        handle(.stopping)
        writer.finish()
        carryOutDoubt()
    }

    /// Reports lines that were written before, and that the disk may have lost.
    private func carryOutDoubt() {
        guard let doubt = writer.takeDoubt() else { return }
        carryOut { $0.doubted(doubt.records, failure: doubt.reason, at: $1) }
    }

    private func carryOut(_ decide: (inout LogBook, Moment) -> [LogBook.Action]) {
        var actions = decide(&book, clock())
        while !actions.isEmpty {
            switch actions.removeFirst() {
            case .write(let line):
                let now = clock(), failure = writer.append(line, now: now.monotonic)
                var new = writer.takeDoubt().map { book.doubted($0.records, failure: $0.reason, at: now) } ?? []
                new += book.wrote(line, failure: failure, at: now)
                actions.insert(contentsOf: new, at: 0)
            case .delete(let day):
                do throws(DockError) {
                    try folder.remove(day)
                } catch {
                    say("\(error.message); \(error.hint)", true)
                }
            case .say(let text, let isWarning): say(text, isWarning)
            }
        }
    }
}
