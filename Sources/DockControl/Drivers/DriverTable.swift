public import DockTypes

/// All drivers, one row for each protocol. A test checks that every file in Drivers/ named *Driver.swift has a row.
public enum DriverTable {
    /// All protocols.
    public static let all: [any DockDriver.Type] = [
        DlpDriver.self, FeetechDriver.self, DynamixelDriver.self, MaestroDriver.self, ViscaDriver.self,
        WaveshareDriver.self, MavlinkDriver.self,
    ]

    /// Returns the driver of that name, or nil if there is none.
    public static func driver(named name: String) -> (any DockDriver.Type)? { all.first { $0.name == name } }

    /// Creates a driver for the rig.
    /// - Throws: `DockError` with code `configuration` if there is no such driver.
    public static func make(for profile: RigProfile) throws(DockError) -> any DockDriver {
        guard let type = driver(named: profile.driver) else {
            throw DockError(
                .configuration,
                "profile \"\(profile.name)\" names the driver \"\(profile.driver)\", which does not exist",
                hint: "use one of: " + all.map { $0.name }.joined(separator: ", "))
        }
        return type.init(profile: profile)
    }
}
