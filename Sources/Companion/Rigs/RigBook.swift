public import DockControl
internal import Glibc
internal import PlainText
internal import TOMLKit

/// A rig that somebody adopted: which port it is on, however it is plugged in, and which profile drives it.
public struct AdoptedRig: Sendable, Equatable {
    /// What its owner calls it.
    public var name: String
    /// Where it is: by USB serial number, by place, by path, or in the network.
    public var port: PortName
    /// Name or path of its profile.
    public var profile: String
    /// What answered when it was adopted: model and number.
    public var answered: String
    /// The day, as 2026-01-31.
    public var date: String

    /// All parts.
    public init(name: String, port: PortName, profile: String, answered: String, date: String) {
        self.name = name
        self.port = port
        self.profile = profile
        self.answered = answered
        self.date = date
    }

    /// Whether it is at this port; `device`: which device a path leads to.
    public func isAt(_ port: PortInfo, device: (String) -> String? = { _ in nil }) -> Bool {
        switch self.port {
        case .path(let path): path == port.path || device(path) == port.path
        case .serial(let serial): port.identity?.serial == serial
        case .place(let place): port.identity?.place == place
        case .server: false
        }
    }

    /// The name that keeps pointing at this port: by the device's own number; by its place where it has none, or where it is a
    /// port of no USB by its path.
    public static func name(for port: PortInfo, among ports: [PortInfo] = []) -> PortName {
        guard let identity = port.identity else { return .path(port.path) }
        let hasTwin = ports.contains { $0.path != port.path && $0.identity?.isSame(as: identity) == true }
        return hasTwin ? .place(identity.place) : identity.ownNumber.map { .serial($0) } ?? .place(identity.place)
    }
}

/// The rigs that were adopted: `rigs.toml` in the user's configuration folder.
public struct RigBook: Sendable {
    /// The file.
    public let path: String

    /// The user's file, `$XDG_CONFIG_HOME/dockface/rigs.toml`; or that of another folder.
    public init(folder: String? = nil) { path = (folder ?? UserFolder.configuration) + "/rigs.toml" }

    /// All of them, in the order in which they were adopted.
    /// - Throws: `configuration` for a file that is none of ours, with line and column; `permission`, `cannotOpen`.
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
        guard let array = rows.array else { throw damaged(places.first, "\"rig\" is no list of rigs, as in [[rig]]") }
        var rigs: [AdoptedRig] = []
        for (index, row) in array.enumerated() {
            guard let row = row.table else { throw damaged(places.rig(index), "a rig is a table, as in [[rig]]") }
            func value(of key: String) throws(DockError) -> String {
                guard let value = row[key] else {
                    throw damaged(places.rig(index), "rig \(index + 1) needs \(key) = \"...\"")
                }
                guard let text = value.string else {
                    throw damaged(places.key(key, ofRig: index), "\(key) is a text in quotes")
                }
                guard ForeignText.isPlain(text) else {
                    throw damaged(
                        places.key(key, ofRig: index), "\(key) holds control or invisible characters: write it without")
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

    /// Whether a rig could be kept: the file is whole, and may be written. Leaves nothing behind.
    /// - Throws: as `adopt`.
    public func makeSure() throws(DockError) {
        _ = try all()
        try StoredFile.probe(path)
    }

    /// Keeps a rig; one of the same name or at the same port gives way.
    /// - Throws: as `all`, and what the disk says.
    public func adopt(_ rig: AdoptedRig) throws(DockError) {
        let others = try all().filter { $0.name != rig.name && $0.port != rig.port }
        try write(others + [rig])
    }

    /// Forgets a rig; false: there is none of that name.
    /// - Throws: as `adopt`.
    public func forget(_ name: String) throws(DockError) -> Bool {
        let rigs = try all(), left = rigs.filter { $0.name != name }
        guard left.count < rigs.count else { return false }
        try write(left)
        return true
    }

    private func write(_ rigs: [AdoptedRig]) throws(DockError) {
        var text = "# Rigs that were adopted: where each is, and which profile drives it. By `dockface adopt`.\n"
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
