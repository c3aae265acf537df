public import ControlProtocol

/// Which changes of the power supply are worth a record, as a pure value: steps of 10 %, and changes of its state.
public struct BatterySteps: Sendable, Equatable {
    private struct Known: Sendable, Equatable {
        /// The level of the last record, in tenths.
        var tenths: Double?
        var charge: String
        var isLow: Bool, isCritical: Bool
    }

    /// The maximum number of supplies.
    static let most = 16

    private var known: [String: Known] = [:]

    /// Creates a value that knows no supply.
    public init() {}

    /// Takes what the daemon reports. Returns the records of changes.
    public mutating func read(_ reading: BatteryReading) -> [LogRecord] {
        reading.supplies.compactMap { supply in
            let old = known[supply.name]
            guard old != nil || known.count < Self.most else { return nil }
            guard let what = Self.change(from: old, to: supply) else { return nil }
            known[supply.name] = Known(
                // The nearest step, so that a level that moves between 69 % and 71 % makes one record.
                tenths: supply.level.map { ($0 * 10).rounded() }, charge: supply.charge, isLow: supply.isLow,
                isCritical: supply.isCritical)
            return LogRecord(
                .battery, what,
                [
                    "name": .string(supply.name), "level": .number(orNull: supply.level),
                    "charge": .string(supply.charge), "low": .bool(supply.isLow),
                    "critical": .bool(supply.isCritical), "voltage": .number(orNull: supply.voltage),
                ])
        }
    }

    /// The word for a change, or nil if there is none.
    private static func change(from old: Known?, to new: SupplyReading) -> String? {
        guard let old else { return "first" }
        if new.isCritical != old.isCritical { return new.isCritical ? "critical" : "recovered" }
        if new.isLow != old.isLow { return new.isLow ? "low" : "recovered" }
        if new.charge != old.charge { return new.charge.isEmpty ? "unknown" : new.charge }
        guard let level = new.level else { return nil }
        guard let tenths = old.tenths else { return "level" }
        // A little less than a step, because 0.7 is not exact.
        return abs(level * 10 - tenths) >= 1 - 1e-6 ? "level" : nil
    }
}
