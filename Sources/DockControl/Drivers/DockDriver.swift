public import Geometry

/// A motion command for the dock.
public enum DockSetpoint: Sendable, Equatable {
    /// Turns at this velocity, rad/s, until the next set-point or the deadman.
    case velocity(PanTilt)
    /// Decelerates at the limit and holds the torque. Not latched.
    case stop
}

/// One protocol: turns commands into bytes, and bytes into reports. A value that does no input or output itself.
///
/// A driver never blocks, never reads a clock and never traps on bytes. The loop thread calls it and writes the bytes
/// that it appends. `service` does the periodic work: greeting, clock, limits, torque, acknowledgements.
public protocol DockDriver: Sendable {
    /// The name in profiles.
    static var name: String { get }
    /// The options that its profiles may set, and their allowed values.
    static var options: [String: DriverOption] { get }
    /// Returns the parts of a profile that the device cannot carry out although each value alone is allowed: ends of an
    /// axis beyond the last position, or two servos with one ID.
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction]

    /// Creates a driver for one rig.
    init(profile: RigProfile)

    /// The abilities of the driver.
    var abilities: DriverAbilities { get }

    /// Begins the conversation after the port was opened. No motion may begin before `DockReport.ready`. A `motionless`
    /// conversation (dry run) never switches the torque on.
    mutating func begin(now: Seconds, motionless: Bool)
    /// Appends what is due: greeting, clock, retries, acknowledgements. Returns when it must be called again.
    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds
    /// Reports that the port accepted only a part of what was appended last. An answer that arrives later may belong to
    /// an earlier greeting.
    mutating func wasCut()
    /// Appends a set-point.
    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8])
    /// Appends bytes that end a truncated frame, so that the next frame is not lost with it.
    mutating func encodeResync(into bytes: inout [UInt8])
    /// Appends the resync prefix and a stop. They are valid in any state, even after a truncated frame, and are the
    /// last bytes of every session.
    mutating func encodeStop(into bytes: inout [UInt8])
    /// Appends the resync prefix and a latched emergency stop.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8])
    /// Appends a request to release the latch.
    mutating func encodeClear(into bytes: inout [UInt8])
    /// Appends torque on or off. The driver repeats it until the dock confirms it, and reports when off is confirmed
    /// (`released`). The torque stays off until on is requested, even if the dock is greeted again in between. The same
    /// applies if the dock switches its torque off by itself (`letGo`).
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8])
    /// Tells the dock whether it moves, so that it can report at a high or a low rate.
    mutating func setActive(_ active: Bool, into bytes: inout [UInt8])
    /// Sets the magnification of the rig's camera. It is sent when the line is free, and the newest value wins. The
    /// head does not move.
    mutating func zoom(to magnification: Double)
    /// Processes bytes that arrived and appends the reports that they contain.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport])
    /// The number of bytes so far that belonged to no valid frame.
    var invalidBytes: Int { get }
    /// What is wrong with the device as it is set up, and what to do: one sentence each; empty if nothing is known.
    var findings: [String] { get }
}

extension DockDriver {
    /// Returns no contradictions: by default, a device accepts whatever its options' ranges allow.
    public static func contradictions(in profile: RigProfile) -> [ProfileContradiction] { [] }
    /// Empty: most devices report nothing about their setup.
    public var findings: [String] { [] }
    /// Does nothing: by default, the driver repeats what is not answered.
    public mutating func wasCut() {}
    /// Does nothing, because most rigs have no camera of their own.
    public mutating func zoom(to magnification: Double) {}
}
