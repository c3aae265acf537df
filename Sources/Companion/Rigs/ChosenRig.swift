public import DockControl
public import DockTypes
internal import Glibc

/// The rig to drive: its port and its profile, from the names that a user gave, the adopted rigs and the connected
/// devices.
public struct ChosenRig: Sendable {
    /// The port, in the forms of `PortName`; "sim" is a simulated rig, and "none" the face without one.
    public let port: String
    /// The profile.
    public let profile: RigProfile
    /// The name or path of the profile, or nil for the profile of our own dock.
    public let profileName: String?
    /// The adopted rig, or nil if it is not an adopted one.
    public let adopted: AdoptedRig?

    /// Chooses a rig.
    /// - Parameters:
    ///   - port: the port or the name of an adopted rig; if nil, the adopted rig that is connected.
    ///   - profile: the name or path of a profile; if nil, the adopted rig's.
    ///   - waits: whether the rig need not be connected yet.
    ///   - book: the adopted rigs.
    ///   - library: the profiles.
    ///   - unreadable: receives the error if the adopted rigs cannot be read and are not needed.
    /// - Throws: `invalidParameter` for an unknown name, `notConnected` if there is no unique choice, `configuration`
    ///   if a file cannot be used.
    public init(
        port: String?, profile: String?, waits: Bool, book: RigRegistry = RigRegistry(),
        library: ProfileLibrary = ProfileLibrary(), unreadable: (DockError) -> Void
    ) throws(DockError) {
        if port == "sim" {
            self.port = "sim"
            (profileName, adopted) = (profile, nil)
            self.profile = try RigProfile(named: profile, in: library)
            return
        }
        if port == "none" {
            self.port = "none"
            (profileName, adopted) = (profile, nil)
            var alone = try RigProfile(named: profile, in: library)
            // Without a head, no camera turns with it.
            alone.camera.mount = .fixed
            self.profile = alone
            return
        }
        let plugged = (try? SerialPort.list()) ?? []
        if port == nil, let profile {
            let loaded = try RigProfile(named: profile, in: library)
            if !loaded.matchSerial.isEmpty {
                // The profile itself identifies its device.
                let name = PortName.serial(loaded.matchSerial)
                self.port = name.description
                profileName = profile
                self.adopted = try Self.rigs(of: book, isNeeded: false, unreadable).first { $0.port == name }
                self.profile = loaded
                return
            }
        }
        let isPort = port.map { $0.contains("/") || $0.contains(":") || access($0, F_OK) == 0 } ?? false
        // A port without a profile may belong to an adopted rig. It must not be addressed with the wrong protocol.
        let adopted = try Self.rigs(of: book, isNeeded: !isPort || profile == nil, unreadable)
        // The name is neither an adopted rig nor a port of any kind.
        if let port, !isPort, !adopted.contains(where: { $0.name == port }) {
            let names = adopted.map(\.name)
            throw DockError(
                .invalidParameter, "unknown rig \"\(port)\"",
                hint: names.isEmpty
                    ? "adopt it with `dockface adopt`, or name its port: dockface ports"
                    : "the adopted rigs are: \(names.joined(separator: ", ")); or name its port: dockface ports")
        }
        // If only one rig is adopted, it is used, wherever it is plugged in.
        let wanted = port ?? (waits && adopted.count == 1 ? adopted[0].name : nil)
        let choice = try RigChoice.choose(port: wanted, profile: profile, adopted: adopted, plugged: plugged)
        self.port = choice.port.description
        profileName = choice.profile
        let path = choice.port.description, device = RigPresence.device(at: path) ?? path
        self.adopted = adopted.first { rig in
            rig.name == wanted || rig.port == choice.port
                || plugged.contains {
                    rig.isAt($0, device: RigPresence.device(at:)) && ($0.path == path || $0.path == device)
                }
        }
        self.profile = try RigProfile(named: choice.profile, in: library)
    }

    /// Returns the adopted rigs. If they are not needed, an unreadable list is reported and counts as empty.
    private static func rigs(
        of book: RigRegistry, isNeeded: Bool, _ unreadable: (DockError) -> Void
    ) throws(DockError) -> [AdoptedRig] {
        do {
            return try book.all()
        } catch {
            guard !isNeeded else { throw error }
            unreadable(error)
            return []
        }
    }
}
