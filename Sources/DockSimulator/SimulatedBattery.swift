internal import DockWire
public import Geometry

/// A battery of two lithium cells that drains slowly.
public struct SimulatedBattery: Sendable, Equatable {
    /// Charge, 0...1.
    public var level: Double
    /// Whether it is being charged.
    public var isCharging: Bool
    /// Life of a full battery, seconds.
    public var life: Seconds

    /// A battery that lasts four hours.
    public init(level: Double = 0.8, isCharging: Bool = false, life: Seconds = 4 * 3600) {
        self.level = level.clamped(to: 0...1)
        self.isCharging = isCharging
        self.life = life
    }

    mutating func advance(_ elapsed: Seconds) {
        level = (level + (isCharging ? 2 : -1) * elapsed / life).clamped(to: 0...1)
    }

    var report: PowerReport {
        let level = level.isFinite ? level.clamped(to: 0...1) : 0
        let state: PowerState =
            if isCharging { level >= 1 ? .full : .charging } else if level <= 0.05 {
                .critical
            } else { level <= 0.2 ? .low : .discharging }
        return PowerReport(
            millivolts: UInt16(6400 + 2000 * level), milliamperes: isCharging ? 900 : -350,
            percent: UInt8((100 * level).rounded()), state: state, temperature: 31)
    }
}
