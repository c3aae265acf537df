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
    /// - Throws: `invalidParameter` for what names no port; `notConnected` where nothing was named and nothing or several could be
    ///   meant.
    public static func choose(
        port: String?, profile: String?, adopted: [AdoptedRig], plugged: [PortInfo]
    ) throws(DockError) -> RigChoice {
        if let port {
            if let rig = adopted.first(where: { $0.name == port }) {
                return RigChoice(port: rig.port, profile: profile ?? rig.profile)
            }
            let name = try PortName(port)
            // The path of an adopted rig means that rig.
            let info = plugged.first { AdoptedRig.name(for: $0) == name || $0.path == port }
            let rig = adopted.first { rig in rig.port == name || info.map { rig.isAt($0) } ?? false }
            return RigChoice(port: name, profile: profile ?? rig?.profile)
        }
        let present = adopted.filter { rig in
            if case .server = rig.port { return true }
            return plugged.contains { rig.isAt($0) }
        }
        if present.count == 1 { return RigChoice(port: present[0].port, profile: profile ?? present[0].profile) }
        if present.count > 1 {
            throw DockError(
                .notConnected, "several adopted rigs are there: \(present.map(\.name).joined(separator: ", "))",
                hint: "name one with --port, as in: --port \(present[0].name)")
        }
        if let absent = adopted.first {
            throw DockError(
                .notConnected,
                "the adopted rig \"\(absent.name)\" is not plugged in (\(absent.port))"
                    + (adopted.count > 1 ? ", nor are \(adopted.count - 1) others" : ""),
                hint: "plug it in and look with `dockface ports`, name another port with --port, or try --port sim")
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
}
