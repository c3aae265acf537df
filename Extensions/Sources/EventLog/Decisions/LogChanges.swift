internal import ControlProtocol

/// What of the daemon's reports is worth a record, as a pure value.
struct LogChanges: Sendable {
    private var people = PersonSpans()
    private var batteries = BatterySteps()
    private var indicators = IndicatorChanges()
    private var dock = DockChanges()

    /// Returns the records of what the daemon reports.
    mutating func records(of news: LogNews, at now: Moment) -> [LogRecord] {
        switch news {
        case .event(let event): [EventRecords.record(event)]
        case .message(let line): EventRecords.record(line).map { [$0] } ?? []
        case .accessory(let reading): dock.read(reading)
        case .tracking(let reading): people.saw(reading, at: now)
        case .battery(let reading): batteries.read(reading)
        case .indicators(let reading): indicators.read(reading)
        case .started, .stopping, .connected, .disconnected, .dropped: []
        }
    }

    /// Returns the records of people who have gone.
    mutating func due(at now: Moment) -> [LogRecord] { people.due(at: now) }

    /// Returns the records of all people: no one knows how long they stay.
    mutating func endPeople() -> [LogRecord] { people.endAll() }

    /// Forgets the states of a daemon that is gone.
    mutating func forget() {
        indicators.forget()
        dock.forget()
    }
}
