internal import Geometry

/// The messages of MAVLink's gimbal protocol v2 that dockface supports (common.xml), with ID, CRC byte and payload size
/// in bytes.
enum MavlinkMessage: UInt32, Sendable {
    case heartbeat = 0
    case commandLong = 76
    case commandAck = 77
    case batteryStatus = 147
    case gimbalManagerInformation = 280
    case gimbalManagerStatus = 281
    case gimbalDeviceInformation = 283
    case gimbalDeviceAttitudeStatus = 285
    case gimbalManagerSetPitchYaw = 287

    /// The CRC_EXTRA byte.
    var extra: UInt8 {
        switch self {
        case .heartbeat: 50
        case .commandLong: 152
        case .commandAck: 143
        case .batteryStatus: 154
        case .gimbalManagerInformation: 70
        case .gimbalManagerStatus: 48
        case .gimbalDeviceInformation: 74
        case .gimbalDeviceAttitudeStatus: 137
        case .gimbalManagerSetPitchYaw: 1
        }
    }

    /// The payload size with extensions, in bytes.
    var size: Int {
        switch self {
        case .heartbeat: 9
        case .commandLong: 33
        case .commandAck: 10
        case .batteryStatus: 54
        case .gimbalManagerInformation: 33
        case .gimbalManagerStatus: 13
        case .gimbalDeviceInformation: 149
        case .gimbalDeviceAttitudeStatus: 49
        case .gimbalManagerSetPitchYaw: 23
        }
    }
}

/// The system and component IDs on the link.
struct MavlinkNames: Sendable, Equatable {
    /// Our system and component IDs. A gimbal belongs to the same system as the vehicle that carries it. 191 is the
    /// first onboard computer.
    var system: UInt8 = 1
    var component: UInt8 = 191
    /// The gimbal's IDs; 154 is the first gimbal.
    var gimbalSystem: UInt8 = 1
    var gimbal: UInt8 = 154
    /// The component ID of the gimbal's manager: the gimbal itself, or the autopilot (1).
    var manager: UInt8 = 154

    /// Creates the usual IDs.
    init() {}

    /// Reads the IDs in the options of a profile.
    init(_ profile: RigProfile) {
        func id(_ name: String, _ other: UInt8) -> UInt8 {
            profile.options[name].map { UInt8($0.clamped(to: 1...255)) } ?? other
        }
        system = id("system", system)
        component = id("component", component)
        gimbalSystem = id("gimbal_system", system)
        gimbal = id("gimbal", gimbal)
        manager = id("manager", gimbal)
    }
}

/// Builds our frames and numbers them.
struct MavlinkWriter: Sendable {
    let names: MavlinkNames
    private var sequence: UInt8 = 0

    /// The commands, numbered as MAV_CMD.
    enum Command: UInt16, Sendable {
        case setMessageInterval = 511, requestMessage = 512, configureManager = 1001
    }

    /// The GIMBAL_MANAGER_FLAGS: roll and pitch relative to the horizon (4, 8), yaw relative to the base of the gimbal
    /// (32).
    static let flags: UInt32 = 4 | 8 | 32

    init(names: MavlinkNames) { self.names = names }

    private mutating func frame(_ message: MavlinkMessage, _ payload: MavlinkPayload) -> [UInt8] {
        defer { sequence &+= 1 }
        return MavlinkFrame.bytes(
            message, payload.bytes, sequence: sequence, system: names.system, component: names.component)
    }

    /// Returns the heartbeat of an onboard controller (18) without an autopilot (8), active (4), `mavlink_version` 3.
    mutating func heartbeat() -> [UInt8] {
        var payload = MavlinkPayload()
        payload.put(UInt32(0))
        for value: UInt8 in [18, 8, 0, 4, 3] { payload.put(value) }
        return frame(.heartbeat, payload)
    }

    /// Returns a command with up to seven numbers. Missing ones are 0.
    mutating func command(_ command: Command, to component: UInt8, _ numbers: [Float], attempt: Int = 0) -> [UInt8] {
        var payload = MavlinkPayload()
        for index in 0..<7 { payload.put(index < numbers.count ? numbers[index] : 0) }
        payload.put(command.rawValue)
        payload.put(names.gimbalSystem)
        payload.put(component)
        payload.put(UInt8(min(max(attempt, 0), 255)))
        return frame(.commandLong, payload)
    }

    /// Returns GIMBAL_MANAGER_SET_PITCHYAW with angles (rad) or rates (rad/s). NaN means not given. Positive pitch is
    /// up, and positive yaw is right.
    mutating func pitchYaw(
        pitch: Float = .nan, yaw: Float = .nan, pitchRate: Float = .nan, yawRate: Float = .nan, flags: UInt32 = flags
    ) -> [UInt8] {
        var payload = MavlinkPayload()
        payload.put(flags)
        for value in [pitch, yaw, pitchRate, yawRate] { payload.put(value) }
        payload.put(names.gimbalSystem)
        payload.put(names.manager)
        payload.put(names.gimbal)
        return frame(.gimbalManagerSetPitchYaw, payload)
    }
}
