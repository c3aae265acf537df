/// One frame of DLP/1: a type, the sender's sequence number and a body.
///
/// On the wire: `COBS(type, sequence, body, CRC-16/MCRF4XX low byte first) 00`. Types below 0x80 go from host to dock.
public struct Frame: Sendable, Equatable {
    /// Type of the body, see ``FrameType``.
    public var type: UInt8
    /// Counter of the sender's frames, modulo 256.
    public var sequence: UInt8
    /// The content, little-endian.
    public var body: FrameBody

    /// A frame from its parts.
    public init(type: UInt8, sequence: UInt8, body: FrameBody = FrameBody()) {
        self.type = type
        self.sequence = sequence
        self.body = body
    }
}

/// The frame types of DLP/1.
public enum FrameType {
    /// Greeting of the host: protocol versions and limits.
    public static let hello: UInt8 = 0x01
    /// Host time; answered by ``timeSyncReply``.
    public static let timeSync: UInt8 = 0x02
    /// Requests the limits of an axis; answered by ``limits``.
    public static let getLimits: UInt8 = 0x03
    /// What the axes must do now.
    public static let setpoint: UInt8 = 0x10
    /// Narrows the limits of an axis.
    public static let setLimits: UInt8 = 0x11
    /// Confirms an event.
    public static let eventAcknowledge: UInt8 = 0x12
    /// Gets or sets a parameter; answered by ``parameterValue``.
    public static let parameter: UInt8 = 0x14
    /// Switches motor torque.
    public static let torque: UInt8 = 0x15
    /// Turns both axes to zero.
    public static let home: UInt8 = 0x16
    /// Stores limits and parameters over a reboot.
    public static let save: UInt8 = 0x17
    /// Restarts the dock.
    public static let reboot: UInt8 = 0x18
    /// Latched stop, and its release.
    public static let emergencyStop: UInt8 = 0x1F
    /// The pose, sent unasked.
    public static let motion: UInt8 = 0x80
    /// Battery and supply, sent unasked.
    public static let power: UInt8 = 0x81
    /// A button or a fault; repeated until confirmed.
    public static let event: UInt8 = 0x82
    /// A line of text for people.
    public static let log: UInt8 = 0x83
    /// Result of a command.
    public static let acknowledge: UInt8 = 0x90
    /// Greeting of the dock.
    public static let helloReply: UInt8 = 0xA1
    /// Answer to ``timeSync``.
    public static let timeSyncReply: UInt8 = 0xA2
    /// Answer to ``getLimits``.
    public static let limits: UInt8 = 0xA3
    /// Answer to ``parameter``.
    public static let parameterValue: UInt8 = 0xA4
}
