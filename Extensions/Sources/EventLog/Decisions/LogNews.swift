public import ControlProtocol
public import DockClient

/// What the log learns.
public enum LogNews: Sendable {
    /// The log starts, with its version. `removed`: so many bytes of a torn last line were removed.
    case started(version: String, removed: Int)
    /// The log ends.
    case stopping
    /// The daemon answers; its version.
    case connected(version: String)
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
