public import Geometry

/// A simulated rig on a pseudo-terminal, whatever its protocol is.
public protocol RigPort: AnyObject, Sendable {
    /// The device of the client's end, `/dev/pts/N`; another one after ``replug(rebooted:)``.
    var path: String { get }
    /// Where the head looked at a time (CLOCK_MONOTONIC, the last 4 s), rad: pan + = the dock's right, tilt + = up.
    func pose(at time: Seconds) -> PanTilt
    /// How fast the head turns now, rad/s.
    var rate: PanTilt { get }
    /// What goes wrong now.
    var faults: SimulatedDock.Faults { get set }
    /// A hand turns the head (rad/s) for so many seconds, where the motors have no torque.
    func push(_ velocity: PanTilt, for seconds: Seconds)
    /// It starts anew without leaving the port.
    func reboot()
    /// Whether it is on a port.
    var isPlugged: Bool { get }
    /// Pulls the cable.
    func unplug()
    /// Pulls the cable once the host has written so many more bytes (1 or more).
    func unplug(afterHostBytes count: Int)
    /// Puts the cable back; `rebooted`: it had lost its power in between.
    func replug(rebooted: Bool) throws(SimulatorError)
    /// Ends it. The client sees a hang-up. May be called twice.
    func close()
}

extension SimulatedPort: RigPort {}
