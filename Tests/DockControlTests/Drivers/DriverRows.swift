import DockSimulator
import Geometry

@testable import DockControl

/// The drivers of foreign protocols, each with its simulated rig: what `DriverConformanceTests` runs through.
struct DriverRow<Electronics: RigElectronics> {
    let profile: RigProfile

    init(_ driver: String, maxSpeed: Double = .degrees(120), baud: Int, _ change: (inout RigProfile) -> Void = { _ in }) {
        var profile = RigProfile(
            name: driver, driver: driver,
            pan: RigProfile.AxisProfile(
                range: .degrees(-150)...(.degrees(150)), maxSpeed: maxSpeed, maxAcceleration: .degrees(600)),
            tilt: RigProfile.AxisProfile(
                range: .degrees(-30)...(.degrees(80)), maxSpeed: maxSpeed, maxAcceleration: .degrees(600)))
        profile.serial.baud = baud
        change(&profile)
        self.profile = profile
    }

    func rig(seed: UInt64 = 3, _ change: (inout RigProfile) -> Void = { _ in }) -> DeviceRig<SimulatedRig<Electronics>> {
        var profile = profile
        change(&profile)
        return DeviceRig(
            device: SimulatedRig(model: .good, options: profile.options, seed: seed, time: 100),
            driver: (try? DriverTable.make(for: profile)) ?? DlpDriver(profile: profile), profile: profile)
    }
}

enum DriverRows {
    static let feetech = DriverRow<FeetechServos>("feetech", baud: 1_000_000)
    static let dynamixel = DriverRow<DynamixelServos>("dynamixel", baud: 1_000_000)
}
