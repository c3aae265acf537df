/// What differs between FeeTech's series of servos, as their memory tables have it.
struct FeetechSeries: Sendable {
    /// Low byte first, and its table; false: the SCS series, high byte first.
    let isNewer: Bool
    /// Of the model.
    let model: Int
    /// The position in the middle, and the last one.
    let middle: Int, last: Int
    let countsPerRadian: Double
    /// Where the lock stands: 0, what is kept without a supply can be changed; and the limit of the torque, 0.1 %.
    let lock: Int, torqueLimit: Int

    /// STS3215: 4096 positions in a turn. The limit is a copy that starts anew with the supply.
    static let sts = FeetechSeries(
        isNewer: true, model: 777, middle: 2048, last: 4095, countsPerRadian: 4096 / (2 * .pi), lock: 55,
        torqueLimit: 48)
    /// SCS0009: 1024 positions in 300 degrees. It has no copy of the limit, and is open as it starts; while its lock is on, what is
    /// written to the kept part counts and is not kept.
    static let scs = FeetechSeries(
        isNewer: false, model: 1284, middle: 512, last: 1023, countsPerRadian: 1024 / 300 * 180 / .pi, lock: 48,
        torqueLimit: 16)
}
