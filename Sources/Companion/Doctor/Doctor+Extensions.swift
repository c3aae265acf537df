public import ControlProtocol
internal import CPosix
internal import Geometry
internal import Glibc
internal import Processes

/// The programs that extend dockface.
extension Doctor {
    /// Examines what is installed, what the running daemon says of it, and what systemd says of its units.
    /// - Parameters:
    ///   - library: where extensions are installed.
    ///   - status: the daemon's answer to `status`, or nil if none runs.
    public static func extensions(_ library: ExtensionLibrary, status: JSONValue?) -> [Finding] {
        let units = library.all().found.map(\.manifest.unit).filter { !$0.isEmpty }
        return extensions(library, status: status, units: UnitState.all(units))
    }

    static func extensions(_ library: ExtensionLibrary, status: JSONValue?, units: [UnitState]) -> [Finding] {
        let (found, problems) = library.all()
        var findings = problems.map {
            Finding("extension", .warning, "\($0)", hint: "correct or remove it: dockface extensions")
        }
        let states = (status?["extensions"]?.array ?? []).compactMap(ExtensionReading.init(json:))
        for one in found {
            if let problem = one.problem {
                findings.append(
                    Finding(
                        "extension", .warning, "\(one.name) cannot run: \(problem)",
                        hint: "install the package dockface-\(one.name) again, or remove its manifest"))
                continue
            }
            let troubles = units.filter { $0.name == one.manifest.unit }.compactMap { trouble(one, $0) }
            findings += troubles
            guard troubles.isEmpty, !states.contains(where: { $0.name == one.name }) else { continue }
            findings.append(Finding("extension", .ok, "\(one.name) \(one.manifest.version) is installed"))
        }
        return findings + states.map(finding)
    }

    private static func finding(_ state: ExtensionReading) -> Finding {
        guard state.state.isTrouble else { return Finding("extension", .ok, state.words) }
        let hint =
            state.isChild
            ? "the daemon's log says more; to try it alone: dockface \(state.name)"
            : "its log says more: journalctl -u dockface-\(state.name)"
        return Finding("extension", .warning, state.words, hint: hint)
    }

    /// Returns what is wrong with a unit, or nil if nothing is.
    private static func trouble(_ one: InstalledExtension, _ unit: UnitState) -> Finding? {
        let sudo = unit.isOfUser ? "" : "sudo ", user = unit.isOfUser ? " --user" : ""
        let text: String
        switch unit.active {
        case "failed": text = "has failed (\(unit.result))"
        case "activating" where unit.sub == "auto-restart": text = "is started again and again (\(unit.result))"
        case "inactive" where unit.isEnabled && unit.hasDaemon: text = "is enabled and does not run"
        default: return nil
        }
        return Finding(
            "extension", .warning, "\(one.name): its \(unit.isOfUser ? "user " : "")service \(text)",
            hint: "journalctl\(user) -u \(unit.name) says why; to start it: "
                + "\(sudo)systemctl\(user) restart \(unit.name)")
    }
}

/// What systemd says of a unit.
struct UnitState: Sendable, Equatable {
    /// "dockface-log.service".
    var name = ""
    /// "active", "inactive", "failed", "activating" ...
    var active = ""
    /// "running", "dead", "auto-restart" ...
    var sub = ""
    /// Why it ended: "success", "exit-code", "watchdog" ...
    var result = ""
    /// Whether it is started with the daemon.
    var isEnabled = false
    /// Whether it belongs to the manager of this user, and not to that of the system.
    var isOfUser = false
    /// Whether the daemon of the same manager runs, with which it is started and ended.
    var hasDaemon = false

    private static let daemon = "dockface.service"

    /// Asks systemd for these units, of the system and of the user. Units that do not exist are missing in the result.
    static func all(_ names: [String]) -> [UnitState] {
        // As sd_booted(3) looks for a running systemd.
        guard !names.isEmpty, access("/run/systemd/system", F_OK) == 0 else { return [] }
        return [false, true].flatMap { isOfUser -> [UnitState] in
            let words = ["systemctl"] + (isOfUser ? ["--user"] : []) + ["show", "--no-pager", properties, "--"]
            return output(of: words + [daemon] + names, within: 2).map { read($0, isOfUser: isOfUser) } ?? []
        }
    }

    private static let properties = "--property=Id,LoadState,ActiveState,SubState,Result,UnitFileState"

    /// Reads what `systemctl show` prints: a line KEY=VALUE for each property, and an empty line between units.
    static func read(_ text: String, isOfUser: Bool) -> [UnitState] {
        var units: [UnitState] = [], hasDaemon = false
        for block in text.split(separator: "\n\n") {
            let lines = block.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
            let values = lines.reduce(into: [Substring: String]()) { if $1.count == 2 { $0[$1[0]] = String($1[1]) } }
            guard values["LoadState"] == "loaded", let name = values["Id"] else { continue }
            if name == daemon { hasDaemon = values["ActiveState"] == "active" }
            var unit = UnitState()
            (unit.name, unit.active, unit.isOfUser) = (name, values["ActiveState"] ?? "", isOfUser)
            (unit.sub, unit.result) = (values["SubState"] ?? "", values["Result"] ?? "")
            unit.isEnabled = values["UnitFileState"] == "enabled"
            units.append(unit)
        }
        for index in units.indices { units[index].hasDaemon = hasDaemon }
        return units.filter { $0.name != daemon }
    }

    /// Runs a program. Returns what it prints, at most 64 KiB, or nil if it fails or takes longer, in seconds.
    private static func output(of words: [String], within time: Seconds) -> String? {
        var pipe = ChildPipe()
        let theirs = pipe.open(toChild: false)
        let child = try? ChildProcess(words, pipes: [1: theirs])
        if let theirs { close(theirs) }
        defer { pipe.close() }
        guard let child else { return nil }
        defer {
            child.end()
            child.close()
        }
        let deadline = cposix_monotonic_now() + time
        var bytes: [UInt8] = []
        while bytes.count < 1 << 16 {
            var wait = pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0)
            let rest = Int32(max(0, deadline - cposix_monotonic_now()) * 1000)
            guard rest > 0, poll(&wait, 1, rest) > 0 else { return nil }
            guard pipe.read(1 << 16, { bytes += $0 }) else { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
