public import Geometry

/// What the dock shall do now.
public enum DockSetpoint: Sendable, Equatable {
    /// Turn at this velocity, rad/s, until the next set-point or the deadman.
    case velocity(PanTilt)
    /// Decelerate at the limit, hold the torque. Not latched.
    case stop
}

/// One protocol: commands into bytes, bytes into reports. A value without input or output of its own.
///
/// A driver never blocks, never reads a clock and never traps on bytes; the loop thread calls it and writes what it says.
/// What it keeps alive by itself (greeting, clock, limits, torque, acknowledgements) it does in `service`.
public protocol DockDriver: Sendable {
    /// Name in profiles.
    static var name: String { get }
    /// Options that its profiles may set, and what each may be.
    static var options: [String: DriverOption] { get }
    /// What of a profile cannot be said to the device, although each value alone is allowed: ends of an axis behind the last
    /// position, two servos with one id.
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction]

    /// A driver for one rig.
    init(profile: RigProfile)

    /// What it can do.
    var abilities: DriverAbilities { get }

    /// The port was opened: begin the conversation. No motion before `DockReport.ready`. A `motionless` conversation
    /// (dry run) never switches the torque on.
    mutating func begin(now: Seconds, motionless: Bool)
    /// Appends what is due: greeting, clock, retries, acknowledgements. Returns when it wants to be called again.
    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds
    /// Appends a set-point.
    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8])
    /// Appends what ends a frame that was cut off, so that the next one is not lost with it.
    mutating func encodeResync(into bytes: inout [UInt8])
    /// Appends resync prefix and stop: right in any state, whatever was cut off before. The last bytes of every session.
    mutating func encodeStop(into bytes: inout [UInt8])
    /// Appends resync prefix and latched emergency stop.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8])
    /// Appends the request to release the latch.
    mutating func encodeClear(into bytes: inout [UInt8])
    /// Appends torque on or off; the driver repeats it by itself until the dock says that it is so, and of off reports that
    /// (`released`). Off holds until on is asked for, however often the dock is greeted meanwhile; so it does where the dock has let go
    /// by itself (`letGo`).
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8])
    /// Tells the dock whether it moves, so that it can report quickly or slowly.
    mutating func setActive(_ active: Bool, into bytes: inout [UInt8])
    /// The rig's camera shall magnify so much from now on; said when the line is free for it, the newest wins. Moves nothing.
    mutating func zoom(to magnification: Double)
    /// Takes bytes that arrived and appends what they mean.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport])
    /// Bytes that belonged to no valid frame so far.
    var invalidBytes: Int { get }
}

extension DockDriver {
    /// A device that takes whatever its options' ranges allow.
    public static func contradictions(in profile: RigProfile) -> [ProfileContradiction] { [] }
    /// Most rigs have no camera of their own.
    public mutating func zoom(to magnification: Double) {}
}
