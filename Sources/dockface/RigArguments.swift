import Companion
import DockControl
import Glibc
import Synchronization

/// Port and profile of a verb that drives a rig: what was typed, what was adopted, and what is plugged in.
struct RigArguments {
    /// As `Bench` and the session take it; "sim" is the simulated rig.
    let port: String
    let profile: RigProfile
    /// Name or path of the profile; nil: our own dock's.
    let profileName: String?
    /// The adopted rig that is meant; nil: it is none.
    let adopted: AdoptedRig?

    /// What a verb was told; its failure is an exit with what to do. `waits`: the rig need not be there yet.
    init(port: String?, profile: String?, waits: Bool = false) throws {
        do {
            try self.init(resolving: port, profile: profile, waits: waits)
        } catch {
            throw error.exit
        }
    }

    /// The same for who does not end with it.
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
                // The profile itself names its device.
                let name = PortName.serial(loaded.matchSerial)
                self.port = name.description
                profileName = profile
                self.adopted = try Self.book(isNeeded: false).first { $0.port == name }
                self.profile = loaded
                return
            }
        }
        let isPort = port.map { $0.contains("/") || $0.contains(":") || access($0, F_OK) == 0 } ?? false
        // A port without a profile may be an adopted rig's: another protocol must not be spoken to it by mistake.
        let adopted = try Self.book(isNeeded: !isPort || profile == nil)
        // Neither a rig that somebody adopted nor a port of any kind.
        if let port, !isPort, !adopted.contains(where: { $0.name == port }) {
            let names = adopted.map(\.name)
            throw DockError(
                .invalidParameter, "no adopted rig is called \"\(port)\"",
                hint: names.isEmpty
                    ? "adopt it with `dockface adopt`, or name its port: dockface ports"
                    : "there are: \(names.joined(separator: ", ")); or name its port: dockface ports")
        }
        // The only rig that was ever adopted is meant, wherever it is now.
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

    /// The adopted rigs. Where port and profile were named, a list that cannot be read is told once, and counts as empty.
    private static func book(isNeeded: Bool) throws(DockError) -> [AdoptedRig] {
        do {
            return try RigBook().all()
        } catch {
            guard !isNeeded else { throw error }
            let isFirst = hasWarned.withLock { hasWarned in
                defer { hasWarned = true }
                return !hasWarned
            }
            if isFirst {
                warn("\(error.message); it is not needed, since port and profile are named: \(error.hint)")
            }
            return []
        }
    }
}

extension RigProfile {
    /// A profile by name or file; without one our own dock's.
    /// - Throws: `configuration` for one that cannot be read.
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

/// The profile that was named; the verb ends where there is none.
func loadProfile(_ name: String?) throws -> RigProfile {
    do {
        return try RigProfile(named: name)
    } catch {
        throw fail(plain: error.message, status: 78, problem: DockError.Code.configuration.rawValue)
    }
}

/// What people call a profile: its file without folder and ending.
func shortName(ofProfile profile: String) -> String {
    let file = profile.split(separator: "/").last.map(String.init) ?? profile
    return file.hasSuffix(".toml") ? String(file.dropLast(5)) : file
}
