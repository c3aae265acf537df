package import DockControl
package import Geometry

/// Our dock's driver for a rig without a deadman timer, as in other protocols. Its abilities report that.
package struct DriverWithoutDeadman: DockDriver {
    package static let name = "story"
    package static let options: [String: DriverOption] = [:]
    private var driver: DlpDriver

    package init(profile: RigProfile) { driver = DlpDriver(profile: profile) }

    package var abilities: DriverAbilities {
        var abilities = driver.abilities
        abilities.deadman = nil
        return abilities
    }

    package var invalidBytes: Int { driver.invalidBytes }

    package mutating func begin(now: Seconds, motionless: Bool) { driver.begin(now: now, motionless: motionless) }
    package mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        driver.service(now: now, into: &bytes)
    }
    package mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        driver.encode(setpoint, now: now, into: &bytes)
    }
    package mutating func encodeResync(into bytes: inout [UInt8]) { driver.encodeResync(into: &bytes) }
    package mutating func encodeStop(into bytes: inout [UInt8]) { driver.encodeStop(into: &bytes) }
    package mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { driver.encodeEmergencyStop(into: &bytes) }
    package mutating func encodeClear(into bytes: inout [UInt8]) { driver.encodeClear(into: &bytes) }
    package mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) { driver.encodeTorque(on, into: &bytes) }
    package mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {
        driver.setActive(active, into: &bytes)
    }
    package mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        driver.receive(bytes, now: now, into: &reports)
    }
}
