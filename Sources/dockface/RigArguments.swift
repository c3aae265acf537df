import Companion
import DockControl
import DockTypes
import Files
import Glibc
import Synchronization

/// The port and profile of a verb that drives a rig, from the typed options, the adopted rigs and the plugged-in
/// devices.
struct RigArguments {
    /// The port in the form that `Bench` and the session accept; "sim" is the simulated rig.
    let port: String
    let profile: RigProfile
    /// The name or path of the profile, or nil for the profile of our own dock.
    let profileName: String?
    /// The adopted rig, or nil if it is not an adopted one.
    let adopted: AdoptedRig?

    /// Resolves the typed options. An error exits and says what to do. `waits`: the rig need not be present yet.
    init(port: String?, profile: String?, waits: Bool = false) throws {
        do {
            try self.init(resolving: port, profile: profile, waits: waits)
        } catch {
            throw error.exit
        }
    }

    /// Does the same for callers that continue after an error.
    init(resolving port: String?, profile: String?, waits: Bool = false) throws(DockError) {
        if port == "sim" {
            self.port = "sim"
            (profileName, adopted) = (profile, nil)
            self.profile = try RigProfile(named: profile)
            return
        }
        let plugged = (try? SerialPort.list()) ?? []
        if port == nil, let profile {
            let loaded = try RigProfile(named: profile)
            if !loaded.matchSerial.isEmpty {
                // The profile itself identifies its device.
                let name = PortName.serial(loaded.matchSerial)
                self.port = name.description
                profileName = profile
                self.adopted = try Self.book(isNeeded: false).first { $0.port == name }
                self.profile = loaded
                return
            }
        }
        let isPort = port.map { $0.contains("/") || $0.contains(":") || access($0, F_OK) == 0 } ?? false
        // A port without a profile may belong to an adopted rig. It must not be addressed with the wrong protocol.
        let adopted = try Self.book(isNeeded: !isPort || profile == nil)
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
        self.profile = try RigProfile(named: choice.profile)
    }

    private static let hasWarned = Mutex(false)

    /// Returns the adopted rigs. If port and profile were named, an unreadable list is reported once and counts as
    /// empty.
    private static func book(isNeeded: Bool) throws(DockError) -> [AdoptedRig] {
        do {
            return try RigRegistry().all()
        } catch {
            guard !isNeeded else { throw error }
            let isFirst = hasWarned.withLock { hasWarned in
                defer { hasWarned = true }
                return !hasWarned
            }
            if isFirst {
                warn("\(error.message); port and profile are named, so it is not needed: \(error.hint)")
            }
            return []
        }
    }
}

extension RigProfile {
    /// Loads a profile by name or file, or that of our own dock if `name` is nil.
    /// - Throws: `configuration` if it cannot be read.
    init(named name: String?) throws(DockError) {
        guard let name else {
            self = .dlpDock
            return
        }
        do {
            self = try ProfileLibrary().load(name)
        } catch {
            throw DockError(.configuration, lines: error.lines, hint: "")
        }
    }
}

/// Returns the named profile, or exits if it cannot be read.
func loadProfile(_ name: String?) throws -> RigProfile {
    do {
        return try RigProfile(named: name)
    } catch {
        throw fail(plain: error.message, status: 78, problem: DockError.Code.configuration.rawValue)
    }
}

/// Returns the short name of a profile: its file name without folder and extension.
func shortName(ofProfile profile: String) -> String {
    let file = profile.split(separator: "/").last.map(String.init) ?? profile
    return file.hasSuffix(".toml") ? String(file.dropLast(5)) : file
}
