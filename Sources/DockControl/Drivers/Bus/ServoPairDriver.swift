internal import Geometry

/// A driver for two bus servos that share a protocol.
protocol ServoPairDriver: DockDriver {
    associatedtype Bus: ServoProtocol
    var pair: ServoPair<Bus> { get set }
}

extension ServoPairDriver {
    /// The servos stop by themselves if no set-point arrives, because they have reached the last one.
    var abilities: DriverAbilities {
        DriverAbilities(
            deadman: 0.15, setpoint: .position, reportsPose: true,
            reportsBattery: false, keepsLatch: false)
    }
    var invalidBytes: Int { pair.invalidBytes }
    var findings: [String] { pair.setup.findings }

    mutating func begin(now: Seconds, motionless: Bool) {
        pair.setup.forgetFindings()
        pair.begin(now: now, motionless: motionless)
    }
    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds { pair.service(now: now, into: &bytes) }
    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        pair.encode(setpoint, now: now, into: &bytes)
    }
    mutating func encodeResync(into bytes: inout [UInt8]) { pair.encodeResync(into: &bytes) }
    mutating func encodeStop(into bytes: inout [UInt8]) { pair.encodeStop(into: &bytes) }
    /// Appends a stop, because the servos keep no latch; the daemon does.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { pair.encodeStop(into: &bytes) }
    mutating func encodeClear(into bytes: inout [UInt8]) { pair.encodeClear(into: &bytes) }
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) { pair.encodeTorque(on, into: &bytes) }
    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) { pair.setActive(active) }
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        pair.receive(bytes, now: now, into: &reports)
    }
}
