internal import DockWire

/// A battery behind a divider, rated by its voltage.
struct Battery {
    /// Ratio of the battery's voltage to the pin's.
    var divider: UInt32
    /// Millivolts at 0 and 100 percent, and the limit below which there is no battery.
    var empty: UInt32
    var full: UInt32
    var none: UInt32

    /// Returns the report for the host. A board measures neither current nor temperature.
    func report(_ pinMillivolts: UInt32, was state: PowerState?) -> PowerReport {
        let millivolts = min(min(pinMillivolts, 16_000) * divider, 65_535)
        guard millivolts >= none else {
            return PowerReport(
                millivolts: UInt16(millivolts), milliamperes: 0, percent: nil, state: .external, temperature: 0)
        }
        let above = min(max(millivolts, empty), full) - empty
        let percent = UInt8(100 * above / (full - empty))
        // A starting servo pulls the voltage down, so a state is left only with hysteresis.
        let slack: UInt8 = 3
        let power: PowerState =
            percent < 7 || state == .critical && percent < 7 + slack
            ? .critical
            : percent < 20 || (state == .low || state == .critical) && percent < 20 + slack ? .low : .discharging
        return PowerReport(
            millivolts: UInt16(millivolts), milliamperes: 0, percent: percent, state: power, temperature: 0)
    }
}

/// The mean over about a second of values measured ten times a second.
struct SlowMean {
    private var sum: UInt32?

    mutating func update(_ value: UInt32) -> UInt32 {
        let before = sum ?? 8 * value
        let after = before - before / 8 + value
        sum = after
        return after / 8
    }
}
