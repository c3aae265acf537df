internal import DockTypes
internal import Glibc

/// The errors of a port, and what to do about them.
enum PortFailure {
    static func opening(_ path: String, _ reason: Int32) -> DockError {
        switch reason {
        case ENOENT, ENODEV, ENXIO:
            DockError(
                .notConnected, "there is no port \(path)",
                hint: "plug the dock in and look with `dockface ports`, or try the simulated dock: --port sim")
        case EACCES, EPERM:
            DockError(
                .permission, "no permission to open \(path)",
                hint: DeviceAccess(at: path)?.remedy ?? "give your user access to its folder")
        case EBUSY:
            DockError(
                .portBusy, "\(path) is in use by another program",
                hint: "if it is a dockface: dockface quit; otherwise `dockface doctor` names the program")
        default:
            DockError(
                .cannotOpen, "cannot open \(path): \(text(reason))",
                hint: "is it a serial port? `dockface ports` lists them")
        }
    }

    static func text(_ reason: Int32) -> String { String(cString: strerror(reason)) }
}
