public import ControlProtocol
internal import DockClient
internal import DockControl
internal import DockTypes
internal import Files
internal import Glibc

/// The requirements of `dockface run` at its start besides the dock: memory, descriptors and safe folders. Also the
/// state of a daemon that is already running.
extension Doctor {
    /// Examines the limits and the folders of this process as a run does. No folder is created.
    public static func start() -> [Finding] {
        let socket = ControlSocketPath.folder(of: ControlClient.path)
        var findings = [
            finding("memory") { () throws(DockError) in try MemoryReserve.check() },
            finding("descriptors") { () throws(DockError) in try DescriptorReserve.check() },
            finding("socket") { () throws(DockError) in
                try check(
                    socket, makes: .last,
                    hint: "set XDG_RUNTIME_DIR to a folder of your own, or pass --socket PATH to each command")
            },
        ]
        if let latches = UserFolder.latches {
            findings.append(
                finding("latches") { () throws(DockError) in
                    try check(latches, makes: .all, hint: "set XDG_STATE_HOME to a folder of your own")
                    guard access(latches, F_OK) == 0 else { return }
                    try RunMarker(port: "", folder: latches, plugged: []).prepare()
                })
        }
        return findings.compactMap { $0 }
    }

    /// Examines a running daemon by its answer to `status`: its dock, and what the dock reports about its setup.
    public static func daemon(_ status: JSONValue) -> [Finding] {
        let reports = (status["findings"]?.array ?? []).compactMap(\.string)
        return [dock(status)].compactMap { $0 }
            + reports.map {
                Finding("daemon", .warning, $0, hint: "the daemon has the port; to examine the rig: dockface quit")
            }
    }

    private static func dock(_ status: JSONValue) -> Finding? {
        let dock = status["accessory"]?["dock"]?.string ?? "?", reason = status["accessory"]?["reason"]?.string
        let what = "the running daemon's dock is \(dock)" + (reason.map { " (\($0))" } ?? "")
        switch dock {
        case "ready":
            let name = status["accessory"]?["identity"]?["name"]?.string
            return Finding("daemon", .ok, what + (name.map { ": \($0)" } ?? ""))
        case "greeting":
            return Finding(
                "daemon", .warning, what, hint: "if that lasts, check the dock's cable, its supply and its profile")
        case "detached" where reason == "noPort":
            return Finding("daemon", .ok, "the running daemon shows a face without a dock (--port none)")
        case "faulted":
            return Finding(
                "daemon", .warning, what,
                hint: "find the cause in docs/TROUBLESHOOTING.md (\"A fault\"), correct it, then: dockface clear")
        default:
            let hint =
                switch reason {
                case "noAnswer":
                    "check its power and its port; another profile or speed: dockface quit, then dockface adopt"
                case "portBusy": "end the other program; the daemon tries again by itself"
                case "otherDevice": "plug in the adopted dock; after a repair: dockface quit, then dockface adopt"
                default: "plug the dock in and switch it on; the daemon waits for it"
                }
            return Finding("daemon", .warning, what, hint: hint)
        }
    }

    /// Returns a finding if a check fails.
    private static func finding(_ subject: String, _ check: () throws(DockError) -> Void) -> Finding? {
        do throws(DockError) {
            try check()
            return nil
        } catch {
            // Without a socket a run still begins, with a warning.
            let isMinor = subject == "socket" && error.code == .cannotOpen
            return Finding(subject, isMinor ? .warning : .bad, error.message, hint: error.hint)
        }
    }

    /// Checks a folder. If it does not exist yet, checks the one above it in which a run would create it.
    private static func check(_ folder: String, makes: PathWalk.Makes, hint: String) throws(DockError) {
        var there = folder
        while access(there, F_OK) != 0, there != "/", there != "." {
            there = ControlSocketPath.folder(of: there)
            // A run creates only the last folder.
            if makes == .last { break }
        }
        _ = try TrustedFolder.open(there, takesPublic: true, hint: hint)
        guard access(there, W_OK | X_OK) == 0 else {
            throw DockError(
                .cannotOpen, "cannot write to the folder \(there): \(String(cString: strerror(errno)))", hint: hint)
        }
    }
}
