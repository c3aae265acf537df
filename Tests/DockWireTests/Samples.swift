import DockWire
import TestSupport

extension Seeded {
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}

/// At least one message of every type, with values at the ends of their ranges.
enum Samples {
    static let limits = LimitSet(
        axis: .tilt,
        limits: AxisLimits(
            minimumPosition: .min, maximumPosition: .max, velocity: .max, acceleration: 600_000, jerk: 0))

    static let host: [HostMessage] = [
        .hello(Hello()), .hello(Hello(minimumVersion: 0, maximumVersion: 255, maximumBody: 0, flags: 255)),
        .timeSync(hostMicroseconds: .max), .setpoint(.stop),
        .setpoint(
            Setpoint(
                mode: .positionWithFeedForward, deadman: 0, panPosition: .min, tiltPosition: .max, panVelocity: -1,
                tiltVelocity: 256, sentMicroseconds: 0xFFFF_0000, flags: .overridesMotion)),
        .setLimits(limits), .getLimits(.pan), .parameter(.get(.motionRate)), .parameter(.set(.panTrim, to: .min)),
        .torque(mask: 3, on: true), .torque(mask: 0, on: false), .home, .save, .reboot(magic: HostMessage.rebootMagic),
        .emergencyStop(.stop), .emergencyStop(.clear), .eventAcknowledge(id: 0),
    ]

    static let identity = Identity(
        capabilities: [.pose, .battery], firmware: FirmwareVersion(major: 1, minor: 2, patch: 3), hardware: 4,
        uniqueID: 0x0123_4567_89AB_CDEF, model: "test dock", maximumRate: 100, bootID: 0xFFFF)

    static let dock: [DockMessage] = [
        .helloAck(identity), .timeSync(hostMicroseconds: 1, dockMicroseconds: .max), .limits(limits),
        .parameterValue(ParameterValue(key: 4, value: -1)),
        .motion(
            MotionReport(
                microseconds: .max, pan: .min, tilt: .max, panRate: 0, tiltRate: -1, flags: MotionFlags(rawValue: .max),
                lastSetpointSequence: 255, fault: 2)),
        .power(PowerReport(millivolts: 0, milliamperes: .min, percent: nil, state: .external, temperature: -128)),
        .event(EventReport(id: 255, kind: .trackingButton, value: .min, microseconds: 0, lost: 255)),
        .log(LogReport(level: 2, text: "a line")), .log(LogReport(level: 0, text: "")),
        .acknowledge(Acknowledgement(ofType: 0x15, ofSequence: 0, code: .emergencyStop)),
    ]

    /// All of them on the wire, one after the other.
    static func stream() -> [UInt8] {
        var encoder = FrameEncoder()
        return host.flatMap { encoder.encode($0).array } + dock.flatMap { encoder.encode($0).array }
    }
}
