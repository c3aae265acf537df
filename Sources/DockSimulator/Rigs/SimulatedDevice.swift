public import Geometry

/// A device for a simulated port: it takes bytes and sends bytes, in virtual time.
public protocol SimulatedDevice: Sendable {
    /// Its present time, seconds.
    var time: Seconds { get }
    /// The present faults.
    var faults: SimulatedDock.Faults { get set }
    /// The speed to which the host has set its line, bits per second; nil: unknown, and every speed is understood.
    var lineSpeed: Int? { get set }
    /// Takes bytes that the host wrote at a time.
    mutating func receive(_ bytes: some Sequence<UInt8>, at time: Seconds)
    /// Returns the bytes that have reached the host by now; each is returned once.
    mutating func drainOutput() -> [UInt8]
    /// The next time at which output can reach the host.
    var nextWake: Seconds { get }
    /// Advances to a time.
    mutating func advance(to time: Seconds)
    /// Reboots the device.
    mutating func reboot()
    /// The head's pose, rad.
    var pose: PanTilt { get }
    /// The head's speed, rad/s.
    var rate: PanTilt { get }
    /// The head's pose at a time of the last 4 s, rad.
    func pose(at time: Seconds) -> PanTilt
    /// The present magnification of the rig's own camera; 1 is none.
    var magnification: Double { get }
    /// Turns the head by hand (rad/s) for this time on axes without torque.
    mutating func push(_ velocity: PanTilt, for seconds: Seconds)
}

extension SimulatedDevice {
    /// The default, as most rigs have no camera of their own.
    public var magnification: Double { 1 }

    /// What a camera on the head looked at, at a time of the last 4 s. The lens counts as where it is now.
    public func view(at time: Seconds) -> HeadView { HeadView(pose(at: time), magnification: magnification) }
    /// The default: the speed is not simulated.
    public var lineSpeed: Int? {
        get { nil }
        set {}
    }
}
