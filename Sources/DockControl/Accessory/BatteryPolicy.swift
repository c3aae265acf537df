/// The effect of the dock's supplies on motion: half speed while one is low, and a return home and rest when one is
/// critical.
///
/// "Low" and "critical" are the dock's own judgement. A battery on its charger counts as neither.
public struct BatteryPolicy: Sendable, Equatable {
    /// All supplies that have reported, in the order of their first report.
    public private(set) var batteries: [BatteryState] = []

    /// The fraction of the speed while a battery is low.
    static let lowShare = 0.5
    /// The largest number of supplies; further ones are ignored.
    static let capacity = 8

    /// Creates a policy without supplies.
    public init() {}

    /// Adds a report. Returns true if it contains anything new.
    public mutating func update(_ state: BatteryState) -> Bool {
        guard let index = batteries.firstIndex(where: { $0.name == state.name }) else {
            if batteries.count < Self.capacity { batteries.append(state) }
            return batteries.last == state
        }
        // The voltage fluctuates, so only visible changes are reported.
        let old = batteries[index]
        batteries[index] = state
        let isSame =
            old.isLow == state.isLow && old.isCritical == state.isCritical && old.charge == state.charge
            && (old.level == state.level || abs((old.level ?? -1) - (state.level ?? -1)) < 0.01)
        if isSame { batteries[index].level = old.level }
        return !isSame
    }

    /// The fraction of the speed for all motion, 0...1.
    public var share: Double { batteries.contains { $0.isLow && $0.charge != .charging } ? Self.lowShare : 1 }

    /// Whether a battery is critical and not charging.
    public var isCritical: Bool { batteries.contains { $0.isCritical && $0.charge != .charging } }
}
