internal import Glibc

/// Why a simulated dock cannot be put on a port: what happened, where, and what to do.
public enum SimulatorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No pseudo-terminal; `reason` is an errno.
    case noPseudoTerminal(reason: Int32)
    /// The system has no descriptors left; `reason` is an errno.
    case noDescriptor(reason: Int32)
    /// The link's path exists and is not ours.
    case linkIsTaken(path: String)
    /// The link could not be made; `reason` is an errno.
    case linkFailed(path: String, reason: Int32)
    /// No thread; `reason` is an errno.
    case noThread(reason: Int32)
    /// The port is closed.
    case closed
    /// There is no simulated rig for this driver.
    case noRig(driver: String)

    /// One line for people.
    public var description: String {
        switch self {
        case .noPseudoTerminal(let reason):
            reason == EMFILE || reason == ENFILE
                ? "no descriptor is left for a pseudo-terminal (error \(reason)): raise `ulimit -n`"
                : "no pseudo-terminal (error \(reason)): check that /dev/pts is mounted and its limit is not reached"
        case .noDescriptor(let reason):
            "no descriptor is left for the simulated dock (error \(reason)): raise `ulimit -n`"
        case .linkIsTaken(let path): "\(path) exists and is not a link of a simulator: remove it or choose another path"
        case .linkFailed(let path, let reason):
            "cannot make the link \(path) (error \(reason)): check that its folder exists and may be written to"
        case .noThread(let reason): "no thread for the simulated dock (error \(reason))"
        case .closed: "the simulated dock is closed"
        case .noRig(let driver):
            "there is no simulated rig for the driver \"\(driver)\": use a profile of another driver"
        }
    }
}
