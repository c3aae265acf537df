public import DockControl
public import DockTypes
internal import Files
internal import Glibc
internal import PlainText
internal import TOMLKit

/// An adopted rig: its permanent port name and its profile.
public struct AdoptedRig: Sendable, Equatable {
    /// The name that its owner chose.
    public var name: String
    /// Its port: by USB serial number, position or path, or over the network.
    public var port: PortName
    /// The name or path of its profile.
    public var profile: String
    /// The dock's answer when it was adopted: its model and number.
    public var answered: String
    /// The date of the adoption, as 2026-01-31.
    public var date: String

    /// Creates a rig from all its values.
    public init(name: String, port: PortName, profile: String, answered: String, date: String) {
        self.name = name
        self.port = port
        self.profile = profile
        self.answered = answered
        self.date = date
    }

    /// Returns whether it is at this port; `device`: resolves a path to its device.
    public func isAt(_ port: PortInfo, device: (String) -> String? = { _ in nil }) -> Bool {
        switch self.port {
        case .path(let path): path == port.path || device(path) == port.path
        case .serial(let serial): port.identity?.serial == serial
        case .place(let place): port.identity?.place == place
        case .server, .absent: false
        }
    }

    /// Returns the most permanent name of a port: the device's own number; its position if it has no number or `ports`
    /// contains another device with the same one; the path if it is not a USB port.
    public static func name(for port: PortInfo, among ports: [PortInfo] = []) -> PortName {
        guard let identity = port.identity else { return .path(port.path) }
        let hasTwin = ports.contains { $0.path != port.path && $0.identity?.isSame(as: identity) == true }
        return hasTwin ? .place(identity.place) : identity.ownNumber.map { .serial($0) } ?? .place(identity.place)
    }
}

/// The adopted rigs: `rigs.toml` in the user's configuration folder.
public struct RigRegistry: Sendable {
    /// The file.
    public let path: String

    /// Uses the user's file, `$XDG_CONFIG_HOME/dockface/rigs.toml`, or `rigs.toml` in another folder.
    public init(folder: String? = nil) { path = (folder ?? UserFolder.configuration) + "/rigs.toml" }

    /// Returns all rigs, in the order of their adoption.
    /// - Throws: `configuration` for an invalid file, with line and column; `permission`, `cannotOpen`.
    public func all() throws(DockError) -> [AdoptedRig] {
        guard let text = try StoredFile.read(path) else { return [] }
        let table: TOMLTable
        do {
            table = try TOMLText.table(text)
        } catch {
            throw damaged(error.line.map { ($0, error.column ?? 1) }, error.text)
        }
        guard let rows = table["rig"] else { return [] }
        let places = RigPlaces(text)
        guard let array = rows.array else {
            throw damaged(places.first, "\"rig\" is not a list of rigs, as in [[rig]]")
        }
        var rigs: [AdoptedRig] = []
        for (index, row) in array.enumerated() {
            guard let row = row.table else { throw damaged(places.rig(index), "a rig must be a table, as in [[rig]]") }
            func value(of key: String) throws(DockError) -> String {
                guard let value = row[key] else {
                    throw damaged(places.rig(index), "rig \(index + 1) needs \(key) = \"...\"")
                }
                guard let text = value.string else {
                    throw damaged(places.key(key, ofRig: index), "\(key) must be a string in quotes")
                }
                guard ForeignText.isPlain(text) else {
                    throw damaged(
                        places.key(key, ofRig: index), "\(key) contains control or invisible characters: remove them")
                }
                return text
            }
            let port: PortName
            let typed = try value(of: "port")
            do throws(DockError) {
                port = try PortName(typed)
            } catch {
                throw damaged(places.key("port", ofRig: index), "\(error.message) (\(error.hint))")
            }
            rigs.append(
                AdoptedRig(
                    name: try value(of: "name"), port: port, profile: try value(of: "profile"),
                    answered: ForeignText.name(row["answered"]?.string ?? ""),
                    date: ForeignText.name(row["date"]?.string ?? "")))
        }
        return rigs
    }

    private func damaged(_ place: (line: Int, column: Int)?, _ what: String) -> DockError {
        StoredFile.damaged("\(path)" + (place.map { ":\($0.line):\($0.column)" } ?? "") + ": \(what)")
    }

    /// Checks that a rig could be stored: the file is valid and can be written. It changes nothing.
    /// - Throws: the errors of `adopt`.
    public func makeSure() throws(DockError) {
        _ = try all()
        try StoredFile.probe(path)
    }

    /// Stores a rig and replaces those with the same name or port.
    /// - Throws: the errors of `all`, and errors of the disk.
    public func adopt(_ rig: AdoptedRig) throws(DockError) {
        let others = try all().filter { $0.name != rig.name && $0.port != rig.port }
        try write(others + [rig])
    }

    /// Removes a rig. Returns false if there is no rig with that name.
    /// - Throws: the errors of `adopt`.
    public func forget(_ name: String) throws(DockError) -> Bool {
        let rigs = try all(), left = rigs.filter { $0.name != name }
        guard left.count < rigs.count else { return false }
        try write(left)
        return true
    }

    private func write(_ rigs: [AdoptedRig]) throws(DockError) {
        var text = "# Rigs that were adopted, each with its port and its profile. By `dockface adopt`.\n"
        for rig in rigs {
            let row = TOMLTable()
            row["name"] = rig.name
            row["port"] = rig.port.description
            row["profile"] = rig.profile
            row["answered"] = rig.answered
            row["date"] = rig.date
            text += "\n[[rig]]\n" + row.convert(to: .toml) + "\n"
        }
        try StoredFile.write(text, to: path)
    }
}
