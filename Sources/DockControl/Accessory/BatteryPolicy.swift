/// What the dock's supplies mean for motion: half speed while one is low, home and rest when one is critical.
///
/// "Low" and "critical" are the dock's own judgement; a battery on its charger is neither.
public struct BatteryPolicy: Sendable, Equatable {
    /// All supplies that told about themselves, in the order in which they did.
    public private(set) var batteries: [BatteryState] = []

    /// Share of the speed while a battery is low.
    static let lowShare = 0.5
    /// More supplies than this are not listened to.
    static let capacity = 8

    /// Nothing is known.
    public init() {}

    /// Takes a report; true if it says something new.
    public mutating func take(_ state: BatteryState) -> Bool {
        guard let index = batteries.firstIndex(where: { $0.name == state.name }) else {
            if batteries.count < Self.capacity { batteries.append(state) }
            return batteries.last == state
        }
        // The voltage trembles; only what people look at is news.
        let old = batteries[index]
        batteries[index] = state
        let isSame =
            old.isLow == state.isLow && old.isCritical == state.isCritical && old.charge == state.charge
            && (old.level == state.level || abs((old.level ?? -1) - (state.level ?? -1)) < 0.01)
        if isSame { batteries[index].level = old.level }
        return !isSame
    }

    /// Share of the speed of all motion, 0...1.
    public var share: Double { batteries.contains { $0.isLow && $0.charge != .charging } ? Self.lowShare : 1 }

    /// One of them will end soon.
    public var isCritical: Bool { batteries.contains { $0.isCritical && $0.charge != .charging } }
}
