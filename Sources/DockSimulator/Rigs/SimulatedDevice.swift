public import Geometry

/// Something that a simulated port can carry: it takes bytes and says bytes, in virtual time.
public protocol SimulatedDevice: Sendable {
    /// How far it has come, seconds.
    var time: Seconds { get }
    /// What goes wrong now.
    var faults: SimulatedDock.Faults { get set }
    /// Bytes that the host wrote at a time.
    mutating func receive(_ bytes: some Sequence<UInt8>, at time: Seconds)
    /// The bytes that have reached the host by now; they do not come twice.
    mutating func takeOutput() -> [UInt8]
    /// When something can next reach the host.
    var nextWake: Seconds { get }
    /// Goes on to a time.
    mutating func advance(to time: Seconds)
    /// It starts anew.
    mutating func reboot()
    /// Where the head looks and how fast it turns, rad, rad/s.
    var pose: PanTilt { get }
    /// rad/s.
    var rate: PanTilt { get }
    /// Where the head looked at a time of the last 4 s, rad.
    func pose(at time: Seconds) -> PanTilt
    /// A hand turns the head (rad/s) for so many seconds, where the motors have no torque.
    mutating func push(_ velocity: PanTilt, for seconds: Seconds)
}
