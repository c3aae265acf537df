public import DockTypes
internal import Glibc
internal import Synchronization

/// The port of one dock: opened by its name, and found again by its USB identity. Another device with the same name is
/// rejected before a byte is written.
public final class DockPort: Sendable {
    /// The name that the user gave.
    public let name: PortName
    private let serial: RigProfile.Serial
    /// The USB device that was present when the port was first opened.
    private let known = Mutex<UsbIdentity?>(nil)
    /// Whether other devices had the same serial number when the port was opened.
    private let hadTwins = Mutex(false)
    private let server: TcpConnector?

    /// Creates a port that is not open yet.
    public init(_ name: PortName, serial: RigProfile.Serial) {
        self.name = name
        self.serial = serial
        if case .server(let host, let port) = name {
            server = TcpConnector(host: host, port: port)
        } else {
            server = nil
        }
    }

    /// The USB device behind the port, or nil if there is none or the port was never open.
    public var identity: UsbIdentity? { known.withLock { $0 } }

    /// Opens the port. Waits for a server (3 s) only if `waits`; otherwise it starts a connection, which the next call
    /// finds.
    /// - Throws: `DockError`: `notConnected`, `permission`, `portBusy`, `cannotOpen`, `otherDevice`.
    public func open(waits: Bool = false) throws(DockError) -> any ByteLink {
        if let server { return try server.open(waits: waits) }
        let path = try find()
        let link = try LinkOpener.open(path, serial: serial)
        // Checked on the open port, because no other device can have its name while it is open.
        let found = Udev.identity(ofPort: link.name)
        let before = known.withLock { known in
            let before = known
            if before == nil { known = found }
            return before
        }
        if before == nil, let found, let ports = try? SerialPort.list() {
            let twins = ports.filter { $0.identity?.isSame(as: found) == true }.count
            hadTwins.withLock { $0 = $0 || twins > 1 }
        }
        if let before, found?.isSame(as: before) != true {
            link.close()
            throw DockError(
                .otherDevice, "another device is at \(link.name)", hint: "plug the dock in again, or restart dockface")
        }
        return link
    }

    /// Checks whether the port is there, by name only: nothing is opened, and a server is not contacted.
    /// - Throws: `DockError`: `notConnected`.
    public func look() throws(DockError) {
        guard server == nil, name != .absent else { return }
        let path = try find()
        guard access(path, F_OK) == 0 else { throw PortFailure.opening(path, errno) }
    }

    /// Returns the current path of the port.
    private func find() throws(DockError) -> String {
        if let known = identity {
            // The device may have another number now, and its old number may belong to another device.
            let same = try SerialPort.list().filter { $0.identity?.isSame(as: known) == true }
            // Only their positions on the bus distinguish devices with the same serial number.
            if let found = same.first(where: { $0.identity?.place == known.place }) { return found.path }
            let isAlone = hadTwins.withLock { hadTwins in
                hadTwins = hadTwins || same.count > 1
                return !hadTwins
            }
            if let found = same.first, isAlone { return found.path }
            if !same.isEmpty {
                throw DockError(
                    .notConnected, "several adapters have the serial number \(known.serial ?? "")",
                    hint: "plug the dock in where it was, at \(known.place)")
            }
        }
        switch name {
        case .path(let path): return path
        case .serial(let serial):
            return try find("with the USB serial number \(serial)") { $0.identity?.serial == serial }
        case .place(let place): return try find("plugged in at \(place)") { $0.identity?.place == place }
        case .absent:
            throw DockError(.notConnected, "this run has no dock", hint: "name its port with --port")
        case .server: throw DockError(.cannotOpen, "\(name) is not a device", hint: "name a port")
        }
    }

    private func find(_ what: String, _ matches: (PortInfo) -> Bool) throws(DockError) -> String {
        // Of several ports of one device, the first is used: a Maestro's command port comes before its other one. Two
        // devices are an error.
        let found = try SerialPort.list().filter(matches)
        if Set(found.map { $0.identity?.place.split(separator: ":").dropLast().joined(separator: ":") }).count > 1 {
            throw DockError(
                .notConnected, "there are several adapters \(what)",
                hint: "name the place instead: "
                    + found.compactMap { $0.identity.map { "place:" + $0.place } }.joined(separator: ", "))
        }
        guard let port = found.first else {
            throw DockError(
                .notConnected, "there is no port \(what)", hint: "plug it in, and look with `dockface ports`")
        }
        return port.path
    }
}
