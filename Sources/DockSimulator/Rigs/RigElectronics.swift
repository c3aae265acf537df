public import Geometry

/// The electronics of a rig between the line and two motors, with a protocol of its own, in virtual time.
///
/// Implementations follow the protocol's manual and share no code with the driver, so that each can reveal the other's
/// mistakes.
public protocol RigElectronics: Sendable {
    /// Whether its own controller moves the motors to positions, instead of at speeds.
    static var followsPlaces: Bool { get }
    /// New electronics on a rig of this model, set up according to the options of its profile (ids, units).
    init(model: RigModel, options: [String: Double])
    /// Takes a byte from the host.
    mutating func receive(_ byte: UInt8, at time: Seconds)
    /// Returns the output so far; each byte is returned once.
    mutating func drainOutput() -> [UInt8]
    /// Advances by a millisecond, with position and speed of the motors (not of the head; rad, rad/s). Returns the
    /// commanded speeds, rad/s.
    mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt
    /// Axes whose motor holds or turns. A hand can turn the others.
    var powered: Set<Axis> { get }
    /// Time of its next unasked output, seconds; infinity: never.
    var nextWord: Seconds { get }
    /// Magnification of the rig's own camera; 1 is none.
    var magnification: Double { get }
    /// Interrupts the supply.
    mutating func reboot()
    /// The speed at which the host talks, bits per second; nil: unknown, and every speed is understood.
    var lineSpeed: Int? { get set }
    /// Axes whose motor has its own plug on the line, and is unplugged.
    var unplugged: Set<Axis> { get set }
}

extension RigElectronics {
    /// The default, as most rigs are position-controlled.
    public static var followsPlaces: Bool { true }
    /// The default, as most rigs send nothing unasked.
    public var nextWord: Seconds { .infinity }
    /// The default, as most rigs have no camera of their own.
    public var magnification: Double { 1 }
    /// The default: the speed is not simulated.
    public var lineSpeed: Int? {
        get { nil }
        set {}
    }
    /// The default: the motors have no plugs of their own.
    public var unplugged: Set<Axis> {
        get { [] }
        set {}
    }
}
