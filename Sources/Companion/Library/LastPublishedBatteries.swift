internal import DockControl
internal import Processes

/// The battery states that a stream has last published, so that it publishes each change once.
final class LastPublishedBatteries: Sendable {
    private let batteries = Locked<[BatteryState]>([])

    /// Returns the batteries that have changed since the last call.
    func changes(in states: [BatteryState]) -> [BatteryState] {
        batteries.withLock { published in
            let news = states.filter { state in !published.contains { Self.isSame($0, state) } }
            published = states
            return news
        }
    }

    /// Compares two states without the voltage, which fluctuates.
    private static func isSame(_ a: BatteryState, _ b: BatteryState) -> Bool {
        a.name == b.name && a.level == b.level && a.charge == b.charge && a.isLow == b.isLow
            && a.isCritical == b.isCritical
    }
}
