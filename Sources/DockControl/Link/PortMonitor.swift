internal import CUdev
internal import Glibc

/// The appearance or disappearance of a serial port.
public enum PortChange: Sendable, Equatable {
    /// A port appeared, such as "/dev/ttyACM0".
    case added(String)
    /// A port disappeared.
    case removed(String)
}

/// Reports when serial ports appear and disappear. The loop that owns a port owns one of these.
public protocol PortEvents: AnyObject {
    /// The descriptor for `poll`. It is readable when something has happened. It is -1 if no source reports changes, so
    /// that the loop must look for ports from time to time.
    var descriptor: Int32 { get }
    /// Whether a source reports changes.
    var reportsPortChanges: Bool { get }
    /// Returns the changes since the last call, without waiting.
    func drain() -> [PortChange]
}

extension PortEvents {
    /// True if there is a descriptor to wait for.
    public var reportsPortChanges: Bool { descriptor >= 0 }
}

/// Reports changes through the system's libudev. Create it before looking for ports, so that no change in between is
/// missed.
public final class PortMonitor: PortEvents {
    /// The source of the reports.
    public enum Source: String, Sendable, CaseIterable {
        /// udevd, after it has set up the device and its permissions.
        case udev
        /// The kernel itself, without delay. Used on systems without udevd, such as containers.
        case kernel
        /// No source: the loop looks for ports from time to time.
        case poll
    }

    /// The descriptor for `poll`; -1 if no source reports changes.
    public private(set) var descriptor: Int32 = -1
    /// The source that reports changes.
    public let source: Source
    private var udev: OpaquePointer?
    private var monitor: OpaquePointer?

    /// Listens to this source. If nil, it is udevd if that runs, and otherwise the kernel. If the source is not
    /// available, falls back to `poll`.
    public init(_ wanted: Source? = nil) {
        let choice = wanted ?? (access("/run/udev/control", F_OK) == 0 ? .udev : .kernel)
        guard choice != .poll, let udev = udev_new() else {
            source = .poll
            return
        }
        guard let monitor = udev_monitor_new_from_netlink(udev, choice.rawValue) else {
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
        source = choice
        (self.udev, self.monitor) = (udev, monitor)
        descriptor = udev_monitor_get_fd(monitor)
    }

    deinit {
        if let monitor { udev_monitor_unref(monitor) }
        if let udev { udev_unref(udev) }
    }

    /// Returns the changes since the last call.
    public func drain() -> [PortChange] {
        guard let monitor else { return [] }
        var changes: [PortChange] = []
        // A hub that is plugged in has few ports. Any further changes wait for the next turn.
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
