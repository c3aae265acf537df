/// The result of a command.
public enum ResultCode: UInt8, Sendable {
    /// Done, or started.
    case ok = 0
    /// The dock does not know the message.
    case unknownType = 1
    /// The body is too short.
    case badLength = 2
    /// A value is outside its range.
    case range = 3
    /// No common protocol version; the dock will not move.
    case version = 4
    /// A motion of the dock itself is running.
    case busy = 5
    /// The dock does not know its position yet.
    case notHomed = 6
    /// The emergency stop is latched.
    case emergencyStop = 7
    /// A fault is latched: stall or over-temperature.
    case fault = 8
    /// Not enough power.
    case lowPower = 9
    /// The memory did not store the values.
    case flash = 10
    /// No motion before HELLO and TORQUE on.
    case notArmed = 11
    /// A code unknown to this side. It counts as a rejection.
    case other = 255
}

/// The answer to a command.
public struct Acknowledgement: Sendable, Equatable {
    /// The type of the command.
    public var ofType: UInt8
    /// The sequence number of the command.
    public var ofSequence: UInt8
    /// The result.
    public var code: ResultCode

    /// An answer from its parts.
    public init(ofType: UInt8, ofSequence: UInt8, code: ResultCode) {
        self.ofType = ofType
        self.ofSequence = ofSequence
        self.code = code
    }

    init(_ reader: inout BodyReader) throws(WireError) {
        ofType = try reader.u8()
        ofSequence = try reader.u8()
        code = ResultCode(rawValue: try reader.u8()) ?? .other
    }

    func write(to body: inout FrameBody) {
        body.append(ofType)
        body.append(ofSequence)
        body.append(code.rawValue)
    }
}
