public import Geometry

/// What is between a line and two motors: the electronics of a rig with a protocol of its own, in virtual time.
///
/// Written from the protocol's manual and not with the driver's code, so that each can find the other's mistakes.
public protocol RigElectronics: Sendable {
    /// Its motors run to places under a controller of their own, and not at speeds.
    static var followsPlaces: Bool { get }
    /// Fresh out of the box, on a rig of this model, set up as the options of its profile say (ids, units).
    init(model: RigModel, options: [String: Double])
    /// A byte of the host.
    mutating func receive(_ byte: UInt8, at time: Seconds)
    /// What it says now; it is not said twice.
    mutating func takeOutput() -> [UInt8]
    /// A millisecond passes: the motors stand and turn so (rad, rad/s; motors, not head); how fast they shall turn, rad/s.
    mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt
    /// Axes whose motor holds or turns; the others a hand can turn.
    var powered: Set<Axis> { get }
    /// When it next says something unasked; infinity: never.
    var nextWord: Seconds { get }
    /// It loses its supply, and gets it again.
    mutating func reboot()
}

extension RigElectronics {
    /// Most do.
    public static var followsPlaces: Bool { true }
}
