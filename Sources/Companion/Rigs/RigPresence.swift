public import DockControl
internal import Glibc

/// Whether an adopted rig is connected, as far as this is visible without opening anything.
public enum RigPresence: Sendable, Equatable {
    /// Its port exists at this device path.
    case there(path: String)
    /// Its port does not exist.
    case absent
    /// It is on the network, so that only a connection can show whether it is present.
    case network

    /// Returns the device to which a path leads, through links, or nil if there is none.
    public static func device(at path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        return realPath(of: path)
    }
}

extension AdoptedRig {
    /// Returns whether it is connected.
    /// - Parameters:
    ///   - plugged: the connected ports.
    ///   - device: resolves a path to its device, or nil if there is none.
    public func presence(
        plugged: [PortInfo], device: (String) -> String? = RigPresence.device(at:)
    ) -> RigPresence {
        switch port {
        case .server: .network
        case .absent: .absent
        case .path(let path): device(path).map { .there(path: $0) } ?? .absent
        case .serial, .place: plugged.first { isAt($0) }.map { .there(path: $0.path) } ?? .absent
        }
    }

    /// Whether its port is a USB device, by number or position.
    public var isOnUsb: Bool {
        switch port {
        case .serial, .place: true
        case .path, .server, .absent: false
        }
    }
}
