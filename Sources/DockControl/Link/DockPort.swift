internal import Glibc
internal import Synchronization

/// The port of one dock: opened by its name, and found again by what it is. Another device at the same name is refused before a
/// byte is written.
public final class DockPort: Sendable {
    /// As the user named it.
    public let name: PortName
    private let serial: RigProfile.Serial
    /// Which USB device it was when it was opened first.
    private let known = Mutex<UsbIdentity?>(nil)
    /// Others had the same number when it was opened.
    private let hadTwins = Mutex(false)
    private let server: TcpConnector?

    /// A port that is not open yet.
    public init(_ name: PortName, serial: RigProfile.Serial) {
        self.name = name
        self.serial = serial
        if case .server(let host, let port) = name {
            server = TcpConnector(host: host, port: port)
        } else {
            server = nil
        }
    }

    /// Which USB device it is; nil: none, or it was never open.
    public var identity: UsbIdentity? { known.withLock { $0 } }

    /// Opens it. A server is waited for (3 s) only where `waits`; else a connection is begun, and the next call finds it.
    /// - Throws: `DockError`: `notConnected`, `permission`, `portBusy`, `cannotOpen`, `otherDevice`.
    public func open(waits: Bool = false) throws(DockError) -> any ByteLink {
        if let server { return try server.open(waits: waits) }
        let path = try find()
        let link = try LinkOpener.open(path, serial: serial)
        // Asked of the open port: while it is open, its name is no other's.
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
                .otherDevice, "another device is at \(link.name)", hint: "plug the dock in again, or start anew")
        }
        return link
    }

    /// Whether something is there, as far as names go: nothing is opened, and a server is not asked.
    /// - Throws: `DockError`: `notConnected`.
    public func look() throws(DockError) {
        guard server == nil else { return }
        let path = try find()
        guard access(path, F_OK) == 0 else { throw PortFailure.opening(path, errno) }
    }

    /// Where it is now.
    private func find() throws(DockError) -> String {
        if let known = identity {
            // It may have another number now; and the old one may be another device's.
            let same = try SerialPort.list().filter { $0.identity?.isSame(as: known) == true }
            // Twins are told apart by their places only.
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
        case .server: throw DockError(.cannotOpen, "\(name) is no device", hint: "name a port")
        }
    }

    private func find(_ what: String, _ matches: (PortInfo) -> Bool) throws(DockError) -> String {
        // The first of several: a Maestro's command port comes before its other one. Two devices are one too many.
        let found = try SerialPort.list().filter(matches)
        if Set(found.map { $0.identity?.place.split(separator: ":").dropLast().joined(separator: ":") }).count > 1 {
            throw DockError(
                .notConnected, "several adapters are \(what)",
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
