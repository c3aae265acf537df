public import ControlProtocol
public import DockClient

/// What the log learns.
public enum LogNews: Sendable {
    /// The log starts, with its version. `removed`: so many bytes of a torn last line were removed.
    case started(version: String, removed: Int)
    /// The log ends.
    case stopping
    /// The daemon answers: its version, and whether it is another run.
    case connected(version: String, run: DaemonRun)
    /// The daemon does not answer, for this reason.
    case disconnected(String)
    /// An event at the dock.
    case event(DockEvent)
    /// A line of the daemon's log.
    case message(LogReading)
    /// The state of the dock.
    case accessory(AccessoryReading)
    /// The subjects.
    case tracking(TrackingReading)
    /// The power supply.
    case battery(BatteryReading)
    /// The indicators.
    case indicators(IndicatorsReading)
    /// So many events were dropped before they reached the log.
    case dropped(Int)
}

/// An entry of one of the daemon's queues, with its number in the queue.
public struct LogEntry: Sendable {
    /// The queue.
    public var topic: Topic
    /// The number.
    public var sequence: Int
    /// Whether it may have happened before the connection.
    public var isSnapshot: Bool
    /// How many entries before it were dropped on their way.
    public var lost: Int
    /// What it says.
    public var news: LogNews
}

/// A line to write.
public struct LogLine: Sendable, Equatable {
    /// The bytes, with the end of the line.
    public var bytes: [UInt8]
    /// The day of its file.
    public var day: Day
    /// Whether it must be on the disk at once.
    public var isUrgent: Bool
    /// How many records are lost if it cannot be written: more than one for a line that counts lost records.
    var records = 1
}
