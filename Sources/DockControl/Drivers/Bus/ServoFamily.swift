/// The families of bus servos, each with its own packets or its own table.
package enum ServoFamily: String, Sendable, CaseIterable {
    /// FeeTech's STS and SMS series.
    case feetech
    /// FeeTech's SCS series, with the same packets.
    case scs
    /// ROBOTIS Dynamixel with Protocol 2.0.
    case dynamixel

    /// The families whose packets differ. A scan needs no others.
    package static let spoken: [ServoFamily] = [.feetech, .dynamixel]

    /// The family that a profile describes, or nil if its rig has no bus servos.
    package init?(_ profile: RigProfile) {
        switch profile.driver {
        case FeetechDriver.name: self = profile.options["scs"] == 1 ? .scs : .feetech
        case DynamixelDriver.name: self = .dynamixel
        default: return nil
        }
    }

    /// The name for people.
    package var name: String {
        switch self {
        case .feetech: "FeeTech STS"
        case .scs: "FeeTech SCS"
        case .dynamixel: "Dynamixel"
        }
    }

    /// The speed with which new servos leave the factory, in bits per second.
    package var newBaud: Int { bus.row(.baud)?.factory.map { bus.speeds[$0] } ?? bus.speeds[0] }

    /// The speeds to which a servo can be set, in bits per second. All models have them.
    package var bauds: [Int] { Array(bus.speeds.prefix(bus.certainSpeeds)) }

    /// The last ID that a servo can have; the first one is 0.
    package var lastID: Int { Int(bus.lastID) }

    /// The settings that a servo of this family has, in the order of `StoredSetting`.
    package var settings: [StoredSetting] { StoredSetting.allCases.filter { bus.row($0) != nil } }

    /// Returns a number of a setting in words.
    package func words(_ number: Int, of setting: StoredSetting) -> String { bus.words(number, of: setting) }

    /// Returns the number of a setting with which a servo leaves the factory, or nil if it depends on the model.
    package func factory(_ setting: StoredSetting) -> Int? { bus.row(setting)?.factory }

    /// The protocol with the usual units.
    var bus: any ServoProtocol {
        var profile = RigProfile.dlpDock
        profile.options = self == .scs ? ["scs": 1] : [:]
        return self == .dynamixel ? DynamixelProtocol(profile: profile) : FeetechProtocol(profile: profile)
    }

    /// The family of the servo with this identity. FeeTech's two series have the same packets, and the third byte of
    /// their identity is the byte order of the table.
    func corrected(by identity: [UInt8]) -> ServoFamily {
        guard self != .dynamixel, identity.count > 2 else { return self }
        return identity[2] == 1 ? .scs : .feetech
    }
}
