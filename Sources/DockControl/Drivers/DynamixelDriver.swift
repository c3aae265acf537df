/// ROBOTIS Dynamixel servos with Protocol 2.0 (XL330, XL430 and similar).
struct DynamixelDriver: ServoPairDriver {
    static let name = "dynamixel"
    /// The IDs and centre positions.
    static let options = ServoPair<DynamixelProtocol>.options(lastID: 252, lastPosition: 4095)
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction] {
        ServoPair<DynamixelProtocol>.contradictions(in: profile, lastID: 252)
    }
    var pair: ServoPair<DynamixelProtocol>

    init(profile: RigProfile) { pair = ServoPair(profile: profile, lastID: 252) }
}
