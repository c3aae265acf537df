public import ControlProtocol

/// Which changes of the dock are worth a record, as a pure value: its state, its faults, and who stopped it.
public struct DockChanges: Sendable, Equatable {
    private struct Known: Sendable, Equatable {
        var state: String
        var reason: String?
        var stoppedBy: String?
    }

    private var known: Known?

    /// Creates a value that knows no dock.
    public init() {}

    /// Takes what the daemon reports. Returns the records of changes.
    public mutating func read(_ reading: AccessoryReading) -> [LogRecord] {
        let old = known, new = Known(state: reading.dock, reason: reading.reason, stoppedBy: reading.stoppedBy)
        known = new
        var records: [LogRecord] = []
        if (old?.state, old?.reason) != (new.state, new.reason) {
            let isFault = new.state == "faulted"
            if old?.state == "faulted" {
                records.append(
                    LogRecord(.fault, isFault ? "replaced" : "cleared", ["reason": .string(orNull: old?.reason)]))
            }
            if isFault { records.append(LogRecord(.fault, "latched", ["reason": .string(orNull: new.reason)])) }
            if old?.state != new.state || !isFault { records.append(state(reading)) }
        }
        if old?.stoppedBy != new.stoppedBy {
            let by = new.stoppedBy ?? old?.stoppedBy
            records.append(LogRecord(.stop, new.stoppedBy == nil ? "released" : "stopped", ["by": .string(orNull: by)]))
        }
        return records
    }

    /// Forgets all: the daemon is gone. The next one reports the state of its dock again.
    public mutating func forget() { known = nil }

    private func state(_ reading: AccessoryReading) -> LogRecord {
        var details: [String: JSONValue] = ["reason": .string(orNull: reading.reason)]
        if let identity = reading.identity {
            details["name"] = .string(identity.name)
            details["model"] = .string(identity.model)
            details["firmware"] = .string(identity.firmware)
        }
        return LogRecord(.dock, reading.dock.isEmpty ? "unknown" : reading.dock, details)
    }
}
