public import Geometry

/// A simulated rig of any protocol on a pseudo-terminal.
public protocol RigPort: AnyObject, Sendable {
    /// The device of the client's end, `/dev/pts/N`. It changes with ``replug(rebooted:)``.
    var path: String { get }
    /// The head's pose at a time (CLOCK_MONOTONIC, the last 4 s), rad: pan + = the dock's right, tilt + = up.
    func pose(at time: Seconds) -> PanTilt
    /// What a camera on the head looked at, at a time (CLOCK_MONOTONIC, the last 4 s).
    func view(at time: Seconds) -> HeadView
    /// The head's present speed, rad/s.
    var rate: PanTilt { get }
    /// The present faults.
    var faults: SimulatedDock.Faults { get set }
    /// Turns the head by hand (rad/s) for this time on axes without torque.
    func push(_ velocity: PanTilt, for seconds: Seconds)
    /// Reboots the rig without leaving the port.
    func reboot()
    /// Whether it is on a port.
    var isPlugged: Bool { get }
    /// Unplugs the cable.
    func unplug()
    /// Unplugs the cable once the host has written this many more bytes (1 or more).
    func unplug(afterHostBytes count: Int)
    /// Plugs the cable in again. `rebooted`: whether the rig lost its power in between.
    func replug(rebooted: Bool) throws(SimulatorError)
    /// Closes the port. The client sees a hang-up. May be called twice.
    func close()
}

extension SimulatedPort: RigPort {}
