import DockSimulator
import Geometry
import TestSupport

@testable import DockControl

/// The drivers of foreign protocols, each with its simulated rig, for `DriverConformanceTests`.
struct DriverRow<Electronics: RigElectronics> {
    /// What `torque off` does.
    enum Release {
        /// The head is free, and stays where a hand leaves it.
        case free
        /// The head is free, and turns back when torque is on: no sensor shows where a hand left it.
        case turnsBack
        /// The device cannot let go, and the driver reports that.
        case impossible
    }

    let profile: RigProfile
    /// Nil: the driver from the table.
    var driver: (any DockDriver.Type)?
    var release = Release.free
    /// The spacing of the speeds that the rig can turn at, deg/s.
    var speedStep = 0.0
    /// The highest speed at which a stopped rig may still move, deg/s: if it cannot be sent every position, it goes to
    /// the nearest one that it can reach.
    var creep = 0.0
    /// The greatest age of the known pose, seconds, as the line allows.
    var poseAge = 0.0
    /// Whether the rig has a deadman. Without one it keeps turning when its line is cut, so it may only turn while a
    /// guard is ready.
    var standsByItself = true

    init(_ driver: String, maxSpeed: Double = .degrees(120), baud: Int, _ change: (inout RigProfile) -> Void = { _ in })
    {
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

    func rig(seed: UInt64 = 3, model: RigModel = .good, _ change: (inout RigProfile) -> Void = { _ in }) -> DeviceRig<
        SimulatedRig<Electronics>
    > {
        var profile = profile
        change(&profile)
        return DeviceRig(
            device: SimulatedRig(model: model, options: profile.options, seed: seed, time: 100),
            driver: driver?.init(profile: profile) ?? (try? DriverTable.make(for: profile))
                ?? DlpDriver(profile: profile),
            profile: profile,
            guardian: standsByItself ? nil : IdleGuard())
    }
}

enum DriverRows {
    static let feetech = DriverRow<FeetechServos>("feetech", baud: 1_000_000)
    static let dynamixel = DriverRow<DynamixelServos>("dynamixel", baud: 1_000_000)
    static let waveshare: DriverRow<WavesharePanTilt> = {
        var row = DriverRow<WavesharePanTilt>("waveshare", baud: 115_200)
        // One position a second, of 4096.
        row.creep = 0.1
        return row
    }()
    static let mavlink: DriverRow<MavlinkGimbal> = {
        var row = DriverRow<MavlinkGimbal>("mavlink", baud: 115_200)
        row.release = .impossible
        return row
    }()
    static let maestro: DriverRow<MaestroServos> = {
        var row = DriverRow<MaestroServos>("maestro", baud: 115_200) {
            $0.pan.range = .degrees(-90)...(.degrees(90))
            ($0.pan.lag, $0.tilt.lag) = (0.08, 0.08)
            // One pulse every 20 ms.
            $0.commandLatency = 0.035
        }
        row.release = .turnsBack
        return row
    }()
    /// The driver of docs/DRIVERS.md; no real rig speaks its protocol.
    static let line: DriverRow<LineBoard> = {
        var row = DriverRow<LineBoard>("line", baud: 115_200)
        row.driver = LineDriver.self
        return row
    }()
    /// Uses the speeds of the EVI-D100: 27 and 34, 9.1 and 11 deg/s are neighbours.
    static let visca: DriverRow<ViscaCamera> = {
        var row = DriverRow<ViscaCamera>("visca", baud: 9600) {
            $0.options["speed_table"] = 1
            $0.refreshRate = 15
            // The driver may have to wait for an answer, and nine bytes take ten milliseconds.
            $0.commandLatency = 0.08
        }
        row.release = .impossible
        row.speedStep = 7
        row.poseAge = 0.2
        row.standsByItself = false
        return row
    }()
}
