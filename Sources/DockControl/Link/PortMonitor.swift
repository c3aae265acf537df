internal import CUdev
internal import Glibc

/// A serial port came or went.
public enum PortChange: Sendable, Equatable {
    /// It is there, "/dev/ttyACM0".
    case added(String)
    /// It is gone.
    case removed(String)
}

/// Says when serial ports come and go. The loop that owns a port owns one of these.
public protocol PortNews: AnyObject {
    /// For `poll`: readable when something happened; -1: nobody says so, and ports are looked for from time to time.
    var descriptor: Int32 { get }
    /// Somebody says so.
    var hearsPorts: Bool { get }
    /// What has happened since the last call; does not wait.
    func take() -> [PortChange]
}

extension PortNews {
    /// Somebody says so where there is something to wait for.
    public var hearsPorts: Bool { descriptor >= 0 }
}

/// The system's own word on it, through libudev. Begin it before looking for ports: what comes in between is not missed.
public final class PortMonitor: PortNews {
    /// Who says so.
    public enum Source: String, Sendable, CaseIterable {
        /// udevd, when it has set up the device and its permissions.
        case udev
        /// The kernel itself, at once: where no udevd runs, as in containers.
        case kernel
        /// Nobody: ports are looked for from time to time.
        case poll
    }

    /// For `poll`; -1 where nobody says anything.
    public private(set) var descriptor: Int32 = -1
    /// Who says it here.
    public let source: Source
    private var udev: OpaquePointer?
    private var monitor: OpaquePointer?

    /// Listens to this source; nil: to udevd where it runs, else to the kernel. What cannot be had falls back to `poll`.
    public init(_ wanted: Source? = nil) {
        let wish = wanted ?? (access("/run/udev/control", F_OK) == 0 ? .udev : .kernel)
        guard wish != .poll, let udev = udev_new() else {
            source = .poll
            return
        }
        guard let monitor = udev_monitor_new_from_netlink(udev, wish.rawValue) else {
            udev_unref(udev)
            source = .poll
            return
        }
        guard udev_monitor_filter_add_match_subsystem_devtype(monitor, "tty", nil) >= 0,
            udev_monitor_enable_receiving(monitor) >= 0
        else {
            udev_monitor_unref(monitor)
            udev_unref(udev)
            source = .poll
            return
        }
        source = wish
        (self.udev, self.monitor) = (udev, monitor)
        descriptor = udev_monitor_get_fd(monitor)
    }

    deinit {
        if let monitor { udev_monitor_unref(monitor) }
        if let udev { udev_unref(udev) }
    }

    /// What has happened.
    public func take() -> [PortChange] {
        guard let monitor else { return [] }
        var changes: [PortChange] = []
        // A hub that is plugged in has few ports: more than these wait for the next turn.
        for _ in 0..<64 {
            guard let device = udev_monitor_receive_device(monitor) else { break }
            defer { udev_device_unref(device) }
            guard let node = Udev.text(udev_device_get_devnode(device)) else { continue }
            switch Udev.text(udev_device_get_action(device)) {
            case "add", "bind", "online": changes.append(.added(node))
            case "remove", "offline": changes.append(.removed(node))
            default: break
            }
        }
        return changes
    }
}
