public import DockControl

/// Which rig is meant: port and profile, from what was typed, what was adopted and what is plugged in.
public struct RigChoice: Sendable, Equatable {
    /// The port.
    public var port: PortName
    /// Name or path of the profile; nil: our own dock's.
    public var profile: String?

    /// Decides.
    /// - Parameters:
    ///   - port: as it was typed, or nil; a name of an adopted rig is taken, too.
    ///   - profile: as it was typed, or nil.
    ///   - adopted: the rigs that were adopted.
    ///   - plugged: the ports that there are.
    ///   - device: which device a path leads to, nil where there is none.
    /// - Throws: `invalidParameter` for what names no port; `notConnected` where nothing was named and nothing or several could be
    ///   meant.
    public static func choose(
        port: String?, profile: String?, adopted: [AdoptedRig], plugged: [PortInfo],
        device: (String) -> String? = RigPresence.device(at:)
    ) throws(DockError) -> RigChoice {
        if let port {
            if let rig = adopted.first(where: { $0.name == port }) {
                return RigChoice(port: rig.port, profile: profile ?? rig.profile)
            }
            let name = try PortName(port)
            // The path of an adopted rig means that rig, whatever links lead there.
            let info = plugged.first { AdoptedRig.name(for: $0) == name || $0.path == port || $0.path == device(port) }
            let rig = adopted.first { rig in rig.port == name || info.map { rig.isAt($0, device: device) } ?? false }
            return RigChoice(port: name, profile: profile ?? rig?.profile)
        }
        if let rig = try only(adopted.map { ($0, $0.presence(plugged: plugged, device: device)) }) {
            return RigChoice(port: rig.port, profile: profile ?? rig.profile)
        }
        let usb = plugged.filter { $0.identity != nil }
        guard let first = usb.first else {
            throw DockError(
                .notConnected, "no dock found",
                hint: "plug it in and adopt it with `dockface adopt`, or try the simulated dock: --port sim")
        }
        throw DockError(
            .notConnected,
            "which port is the dock on? (ports are not tried out, another device may hang there): "
                + usb.map(\.path).joined(separator: ", "),
            hint:
                "tell it once with `dockface adopt`, or name it each time: --port \(first.path); simulated: --port sim")
    }

    /// The rig that is meant where none was named; nil: none is adopted.
    ///
    /// Whether a rig over the network is there, only a connection tells: it is meant by its name, or where it is the only one.
    /// - Throws: `notConnected` where nothing or several could be meant.
    static func only(_ rigs: [(rig: AdoptedRig, presence: RigPresence)]) throws(DockError) -> AdoptedRig? {
        let present = rigs.filter { if case .there = $0.presence { true } else { false } }.map(\.rig)
        if present.count == 1 { return present[0] }
        if present.count > 1 {
            throw DockError(
                .notConnected, "several adopted rigs are there: \(present.map(\.name).joined(separator: ", "))",
                hint: "name one with --port, as in: --port \(present[0].name)")
        }
        if rigs.count == 1, rigs[0].presence == .network { return rigs[0].rig }
        let remote = rigs.filter { $0.presence == .network }.map(\.rig)
        let byName = remote.map { "--port \($0.name)" }.joined(separator: " or ")
        guard let absent = rigs.first(where: { $0.presence == .absent })?.rig else {
            guard let first = remote.first else { return nil }
            throw DockError(
                .notConnected,
                "which of the adopted rigs? All are over the network: \(remote.map(\.name).joined(separator: ", "))",
                hint: "name one with --port, as in: --port \(first.name)")
        }
        let others = rigs.count - remote.count - 1
        throw DockError(
            .notConnected,
            "the adopted rig \"\(absent.name)\" is not \(absent.isOnUsb ? "plugged in" : "there") (\(absent.port))"
                + (others > 0 ? ", nor are \(others) others" : ""),
            hint: remote.isEmpty
                ? "plug it in and look with `dockface ports`, name another port with --port, or try --port sim"
                : "plug it in and look with `dockface ports`, or name one over the network: \(byName)")
    }
}
