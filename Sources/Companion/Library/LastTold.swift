internal import DockControl

/// What of the batteries a stream has told, so that it tells each change once.
final class LastTold: Sendable {
    private let batteries = Guarded<[BatteryState]>([])

    /// Those that have changed since.
    func news(in states: [BatteryState]) -> [BatteryState] {
        batteries.withLock { told in
            let news = states.filter { state in !told.contains { Self.isSame($0, state) } }
            told = states
            return news
        }
    }

    /// The voltage trembles; it is no news.
    private static func isSame(_ a: BatteryState, _ b: BatteryState) -> Bool {
        a.name == b.name && a.level == b.level && a.charge == b.charge && a.isLow == b.isLow
            && a.isCritical == b.isCritical
    }
}
