/// A line of text for people.
public struct LogReport: Sendable, Equatable {
    /// Severity: 0 debug, 1 note, 2 warning, 3 error.
    public var level: UInt8
    /// The text, UTF-8.
    public var text: WireText

    /// A line from its parts.
    public init(level: UInt8, text: WireText) {
        self.level = level
        self.text = text
    }
}

/// A message from the dock to the host.
public enum DockMessage: Sendable, Equatable {
    /// The dock's identity.
    case helloAck(Identity)
    /// The host's time as received, and the dock's time at that moment; microseconds modulo 2^32.
    case timeSync(hostMicroseconds: UInt32, dockMicroseconds: UInt32)
    /// The limits in force for an axis.
    case limits(LimitSet)
    /// The value of a parameter.
    case parameterValue(ParameterValue)
    /// The pose.
    case motion(MotionReport)
    /// Battery and supply.
    case power(PowerReport)
    /// A single event.
    case event(EventReport)
    /// A line of text.
    case log(LogReport)
    /// The result of a command.
    case acknowledge(Acknowledgement)
    /// A type unknown to this side.
    case unknown(type: UInt8)

    /// Decodes the message in a frame. A body that is too short is an error.
    public init(_ frame: Frame) throws(WireError) {
        var reader = BodyReader(frame)
        switch frame.type {
        case FrameType.helloReply: self = .helloAck(try Identity(&reader))
        case FrameType.timeSyncReply:
            self = .timeSync(hostMicroseconds: try reader.u32(), dockMicroseconds: try reader.u32())
        case FrameType.limits: self = .limits(try LimitSet(&reader))
        case FrameType.parameterValue: self = .parameterValue(try ParameterValue(&reader))
        case FrameType.motion: self = .motion(try MotionReport(&reader))
        case FrameType.power: self = .power(try PowerReport(&reader))
        case FrameType.event: self = .event(try EventReport(&reader))
        case FrameType.log: self = .log(LogReport(level: try reader.u8(), text: reader.text(55)))
        case FrameType.acknowledge: self = .acknowledge(try Acknowledgement(&reader))
        default: self = .unknown(type: frame.type)
        }
    }

    /// The type of the frame that carries the message.
    public var type: UInt8 {
        switch self {
        case .helloAck: FrameType.helloReply
        case .timeSync: FrameType.timeSyncReply
        case .limits: FrameType.limits
        case .parameterValue: FrameType.parameterValue
        case .motion: FrameType.motion
        case .power: FrameType.power
        case .event: FrameType.event
        case .log: FrameType.log
        case .acknowledge: FrameType.acknowledge
        case .unknown(let type): type
        }
    }

    /// The body of the frame that carries the message.
    public var body: FrameBody {
        var body = FrameBody()
        switch self {
        case .helloAck(let identity): identity.write(to: &body)
        case .timeSync(let host, let dock):
            body.append(host)
            body.append(dock)
        case .limits(let limits): limits.write(to: &body)
        case .parameterValue(let value): value.write(to: &body)
        case .motion(let report): report.write(to: &body)
        case .power(let report): report.write(to: &body)
        case .event(let report): report.write(to: &body)
        case .log(let report):
            body.append(report.level)
            for index in 0..<report.text.count { body.append(report.text[index]) }
        case .acknowledge(let acknowledgement): acknowledgement.write(to: &body)
        case .unknown: break
        }
        return body
    }
}
