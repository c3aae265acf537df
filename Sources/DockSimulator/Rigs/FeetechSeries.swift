/// Differences between FeeTech's series of servos, according to their memory tables.
struct FeetechSeries: Sendable {
    /// Whether the low byte comes first, with the table of the newer series; false for the SCS series, high byte first.
    let isNewer: Bool
    /// Model number.
    let model: Int
    /// The middle position, and the last one.
    let middle: Int, last: Int
    let countsPerRadian: Double
    /// Address of the lock (0 unlocks the EEPROM area), and of the torque limit, 0.1 %.
    let lock: Int, torqueLimit: Int

    /// STS3215: 4096 positions per turn. The torque limit is a RAM copy that is reset when the supply returns.
    static let sts = FeetechSeries(
        isNewer: true, model: 777, middle: 2048, last: 4095, countsPerRadian: 4096 / (2 * .pi), lock: 55,
        torqueLimit: 48)
    /// SCS0009: 1024 positions in 300 degrees. It has no RAM copy of the limit, and is unlocked at start. While it is
    /// locked, a write to the EEPROM area takes effect but is not stored.
    static let scs = FeetechSeries(
        isNewer: false, model: 1284, middle: 512, last: 1023, countsPerRadian: 1024 / 300 * 180 / .pi, lock: 48,
        torqueLimit: 16)

    /// Returns a word of sign and magnitude in the byte order of the series.
    func bytes(_ value: Int) -> [UInt8] {
        let size = min(abs(value), 0x7FFF) | (value < 0 ? 0x8000 : 0)
        let low = UInt8(size & 0xFF), high = UInt8(size >> 8)
        return isNewer ? [low, high] : [high, low]
    }
}
