internal import DockControl
internal import Geometry

/// Our dock's driver for a rig that never stops by itself, as other protocols have them: it says so.
struct DriverWithoutDeadman: DockDriver {
    static let name = "story"
    static let options: [String: ClosedRange<Double>] = [:]
    private var driver: DlpDriver

    init(profile: RigProfile) { driver = DlpDriver(profile: profile) }

    var abilities: DriverAbilities {
        var abilities = driver.abilities
        abilities.deadman = nil
        return abilities
    }

    var invalidBytes: Int { driver.invalidBytes }

    mutating func begin(now: Seconds, motionless: Bool) { driver.begin(now: now, motionless: motionless) }
    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        driver.service(now: now, into: &bytes)
    }
    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        driver.encode(setpoint, now: now, into: &bytes)
    }
    mutating func encodeResync(into bytes: inout [UInt8]) { driver.encodeResync(into: &bytes) }
    mutating func encodeStop(into bytes: inout [UInt8]) { driver.encodeStop(into: &bytes) }
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { driver.encodeEmergencyStop(into: &bytes) }
    mutating func encodeClear(into bytes: inout [UInt8]) { driver.encodeClear(into: &bytes) }
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) { driver.encodeTorque(on, into: &bytes) }
    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) { driver.setActive(active, into: &bytes) }
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        driver.receive(bytes, now: now, into: &reports)
    }
}
