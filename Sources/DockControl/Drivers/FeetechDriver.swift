/// FeeTech's serial bus servos: STS and SMS (little-endian, 4096 positions per turn), SCS (big-endian, 1024 positions
/// in 300 degrees).
struct FeetechDriver: ServoPairDriver {
    static let name = "feetech"
    /// The IDs and centre positions, the series (`scs` = 1), and the positions per second in the servo's unit of speed,
    /// which depends on the firmware.
    static let options = ServoPair<FeetechProtocol>.options(lastID: 253, lastPosition: 4095)
        .merging(["scs": .flag, "speed_unit_steps": .number(0.1...100)]) { $1 }
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction] {
        ServoPair<FeetechProtocol>.contradictions(in: profile, lastID: 253)
    }
    var pair: ServoPair<FeetechProtocol>

    init(profile: RigProfile) { pair = ServoPair(profile: profile, lastID: 253) }
}
