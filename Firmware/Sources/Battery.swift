internal import DockWire

/// A battery behind a divider, as its voltage tells.
struct Battery {
    /// How much more the battery has than the pin.
    var divider: UInt32
    /// Millivolts at 0 and at 100 percent, and below which there is no battery.
    var empty: UInt32
    var full: UInt32
    var none: UInt32

    /// What to tell the host; a board knows neither current nor temperature.
    func report(_ pinMillivolts: UInt32, was state: PowerState?) -> PowerReport {
        let millivolts = min(min(pinMillivolts, 16_000) * divider, 65_535)
        guard millivolts >= none else {
            return PowerReport(
                millivolts: UInt16(millivolts), milliamperes: 0, percent: nil, state: .external, temperature: 0)
        }
        let above = min(max(millivolts, empty), full) - empty
        let percent = UInt8(100 * above / (full - empty))
        // A servo that starts pulls the voltage down: a state is left only when it is clearly over.
        let slack: UInt8 = 3
        let power: PowerState =
            percent < 7 || state == .critical && percent < 7 + slack
            ? .critical
            : percent < 20 || (state == .low || state == .critical) && percent < 20 + slack ? .low : .discharging
        return PowerReport(
            millivolts: UInt16(millivolts), milliamperes: 0, percent: percent, state: power, temperature: 0)
    }
}

/// The mean over about a second of what is measured ten times a second.
struct SlowMean {
    private var sum: UInt32?

    mutating func take(_ value: UInt32) -> UInt32 {
        let before = sum ?? 8 * value
        let after = before - before / 8 + value
        sum = after
        return after / 8
    }
}
