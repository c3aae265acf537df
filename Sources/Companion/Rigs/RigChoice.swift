public import DockControl
public import DockTypes

/// The choice of a rig's port and profile from the typed options, the adopted rigs and the connected ports.
public struct RigChoice: Sendable, Equatable {
    /// The port.
    public var port: PortName
    /// The name or path of the profile, or nil for that of the DLP/1 dock.
    public var profile: String?

    /// Chooses a rig.
    /// - Parameters:
    ///   - port: the typed port or the name of an adopted rig, or nil if there is none.
    ///   - profile: the typed profile, or nil if there is none.
    ///   - adopted: the adopted rigs.
    ///   - plugged: the connected ports.
    ///   - device: resolves a path to its device, or nil if there is none.
    /// - Throws: `invalidParameter` for an invalid port; `notConnected` if none was typed and there is no unique
    ///   choice.
    public static func choose(
        port: String?, profile: String?, adopted: [AdoptedRig], plugged: [PortInfo],
        device: (String) -> String? = RigPresence.device(at:)
    ) throws(DockError) -> RigChoice {
        if let port {
            if let rig = adopted.first(where: { $0.name == port }) {
                return RigChoice(port: rig.port, profile: profile ?? rig.profile)
            }
            let name = try PortName(port)
            // The path of an adopted rig means that rig, also through links.
            let info = plugged.first { AdoptedRig.name(for: $0) == name || $0.path == port || $0.path == device(port) }
            let rig = adopted.first { rig in rig.port == name || info.map { rig.isAt($0, device: device) } ?? false }
            return RigChoice(port: name, profile: profile ?? rig?.profile)
        }
        if let rig = try only(adopted.map { ($0, $0.presence(plugged: plugged, device: device)) }) {
            return RigChoice(port: rig.port, profile: profile ?? rig.profile)
        }
        let usb = plugged.filter { $0.identity != nil }
        guard let first = usb.first else {
            throw Self.nothingFound
        }
        throw DockError(
            .notConnected,
            "which port is the dock on? (dockface does not probe ports, because another device may be connected): "
                + usb.map(\.path).joined(separator: ", "),
            hint:
                "adopt the dock once with `dockface adopt`, or name its port each time: --port \(first.path); simulated: --port sim"
        )
    }

    /// The error if nothing is plugged in and no rig is adopted.
    public static let nothingFound = DockError(
        .notConnected, "no dock found",
        hint: "plug it in and adopt it with `dockface adopt`, or try the simulated dock: --port sim")

    /// Returns the rig to use if none was named, or nil if none is adopted.
    ///
    /// Only a connection can show whether a network rig is present, so it is chosen only by its name, or if it is the
    /// only rig.
    /// - Throws: `notConnected` if there is no unique choice.
    static func only(_ rigs: [(rig: AdoptedRig, presence: RigPresence)]) throws(DockError) -> AdoptedRig? {
        let present = rigs.filter { if case .there = $0.presence { true } else { false } }.map(\.rig)
        if present.count == 1 { return present[0] }
        if present.count > 1 {
            throw DockError(
                .notConnected, "several adopted rigs are connected: \(present.map(\.name).joined(separator: ", "))",
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
            "the adopted rig \"\(absent.name)\" is not \(absent.isOnUsb ? "plugged in" : "connected") (\(absent.port))"
                + (others > 0 ? ", and neither are \(others) others" : ""),
            hint: remote.isEmpty
                ? "plug it in and check with `dockface ports`, name another port with --port, or try --port sim"
                : "plug it in and check with `dockface ports`, or name one on the network: \(byName)")
    }
}
