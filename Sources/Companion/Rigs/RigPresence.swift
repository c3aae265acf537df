public import DockControl
internal import Glibc

/// Whether an adopted rig is there, as far as that can be told without opening anything.
public enum RigPresence: Sendable, Equatable {
    /// Its port is there; the path of the device.
    case there(path: String)
    /// Its port is not there.
    case absent
    /// It is over the network: only a connection would tell.
    case network

    /// The device that a path leads to, through links; nil: there is none.
    public static func device(at path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        return realPath(of: path)
    }
}

extension AdoptedRig {
    /// Whether it is there.
    /// - Parameters:
    ///   - plugged: the ports that there are.
    ///   - device: which device a path leads to, nil where there is none.
    public func presence(
        plugged: [PortInfo], device: (String) -> String? = RigPresence.device(at:)
    ) -> RigPresence {
        switch port {
        case .server: .network
        case .path(let path): device(path).map { .there(path: $0) } ?? .absent
        case .serial, .place: plugged.first { isAt($0) }.map { .there(path: $0.path) } ?? .absent
        }
    }

    /// Whether it is bound to a USB device, by its number or by its place.
    public var isOnUsb: Bool {
        switch port {
        case .serial, .place: true
        case .path, .server: false
        }
    }
}
