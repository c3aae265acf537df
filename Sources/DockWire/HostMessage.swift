/// A greeting of the host.
public struct Hello: Sendable, Equatable {
    /// Lowest protocol version that the host supports.
    public var minimumVersion: UInt8
    /// Highest protocol version that the host supports.
    public var maximumVersion: UInt8
    /// The longest body that the host accepts, bytes.
    public var maximumBody: UInt8
    /// Reserved, 0.
    public var flags: UInt8

    /// A greeting from its parts. The defaults describe this module.
    public init(minimumVersion: UInt8 = 1, maximumVersion: UInt8 = 1, maximumBody: UInt8 = 56, flags: UInt8 = 0) {
        self.minimumVersion = minimumVersion
        self.maximumVersion = maximumVersion
        self.maximumBody = maximumBody
        self.flags = flags
    }
}

/// The operation of an ESTOP message.
public enum EmergencyOperation: UInt8, Sendable {
    /// Stop and latch.
    case stop = 1
    /// Release the latch.
    case clear = 2
}

/// A message from the host to the dock.
public enum HostMessage: Sendable, Equatable {
    /// Greeting; sent every 500 ms until answered.
    case hello(Hello)
    /// The host's time, microseconds modulo 2^32. The answer returns it.
    case timeSync(hostMicroseconds: UInt32)
    /// What the axes must do now.
    case setpoint(Setpoint)
    /// Narrows the limits of an axis.
    case setLimits(LimitSet)
    /// Requests the limits of an axis.
    case getLimits(DockAxis)
    /// Gets or sets a parameter.
    case parameter(ParameterRequest)
    /// Switches the torque of the axes in the mask: bit 0 pan, bit 1 tilt.
    case torque(mask: UInt8, on: Bool)
    /// Turns both axes to zero.
    case home
    /// Stores limits and parameters over a reboot.
    case save
    /// Restarts the dock; ignored without ``rebootMagic``.
    case reboot(magic: UInt32)
    /// Latched stop, and its release.
    case emergencyStop(EmergencyOperation)
    /// Confirms an event.
    case eventAcknowledge(id: UInt8)
    /// A type unknown to this side.
    case unknown(type: UInt8)

    /// The magic number of a REBOOT: "BOOT" read as little-endian ASCII.
    public static let rebootMagic: UInt32 = 0x544F_4F42

    /// Decodes the message in a frame. A body that is too short or a value outside its range is an error.
    public init(_ frame: Frame) throws(WireError) {
        var reader = BodyReader(frame)
        switch frame.type {
        case FrameType.hello:
            self = .hello(
                Hello(
                    minimumVersion: try reader.u8(), maximumVersion: try reader.u8(), maximumBody: try reader.u8(),
                    flags: try reader.u8()))
        case FrameType.timeSync: self = .timeSync(hostMicroseconds: try reader.u32())
        case FrameType.getLimits: self = .getLimits(try reader.axis())
        case FrameType.setpoint: self = .setpoint(try Setpoint(&reader))
        case FrameType.setLimits: self = .setLimits(try LimitSet(&reader))
        case FrameType.eventAcknowledge: self = .eventAcknowledge(id: try reader.u8())
        case FrameType.parameter: self = .parameter(try ParameterRequest(&reader))
        case FrameType.torque: self = .torque(mask: try reader.u8(), on: try reader.u8() != 0)
        case FrameType.home: self = .home
        case FrameType.save: self = .save
        case FrameType.reboot: self = .reboot(magic: try reader.u32())
        case FrameType.emergencyStop:
            guard let operation = EmergencyOperation(rawValue: try reader.u8()) else { throw reader.badValue }
            self = .emergencyStop(operation)
        default: self = .unknown(type: frame.type)
        }
    }

    /// The type of the frame that carries the message.
    public var type: UInt8 {
        switch self {
        case .hello: FrameType.hello
        case .timeSync: FrameType.timeSync
        case .getLimits: FrameType.getLimits
        case .setpoint: FrameType.setpoint
        case .setLimits: FrameType.setLimits
        case .eventAcknowledge: FrameType.eventAcknowledge
        case .parameter: FrameType.parameter
        case .torque: FrameType.torque
        case .home: FrameType.home
        case .save: FrameType.save
        case .reboot: FrameType.reboot
        case .emergencyStop: FrameType.emergencyStop
        case .unknown(let type): type
        }
    }

    /// The body of the frame that carries the message.
    public var body: FrameBody {
        var body = FrameBody()
        switch self {
        case .hello(let hello):
            body.append(hello.minimumVersion)
            body.append(hello.maximumVersion)
            body.append(hello.maximumBody)
            body.append(hello.flags)
        case .timeSync(let microseconds): body.append(microseconds)
        case .getLimits(let axis): body.append(axis.rawValue)
        case .setpoint(let setpoint): setpoint.write(to: &body)
        case .setLimits(let limits): limits.write(to: &body)
        case .eventAcknowledge(let id): body.append(id)
        case .parameter(let request): request.write(to: &body)
        case .torque(let mask, let on):
            body.append(mask)
            body.append(on ? 1 as UInt8 : 0)
        case .reboot(let magic): body.append(magic)
        case .emergencyStop(let operation): body.append(operation.rawValue)
        case .home, .save, .unknown: break
        }
        return body
    }
}
