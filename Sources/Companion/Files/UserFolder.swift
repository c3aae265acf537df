internal import Glibc

/// The user's own folders, where the XDG Base Directory Specification has them.
public enum UserFolder {
    /// `$XDG_CONFIG_HOME/dockface`, or `~/.config/dockface`.
    public static var configuration: String {
        (named("XDG_CONFIG_HOME") ?? (named("HOME") ?? "") + "/.config") + "/dockface"
    }

    /// What was recorded and installed: `$XDG_DATA_HOME/dockface`, or `~/.local/share/dockface`; nil: there is no home.
    static var data: String? {
        (named("XDG_DATA_HOME") ?? named("HOME").map { $0 + "/.local/share" }).map { $0 + "/dockface" }
    }

    /// What a run leaves behind: `$XDG_STATE_HOME/dockface`, or `~/.local/state/dockface`.
    ///
    /// A home that is not there is nobody's, and is not made: nil.
    static var state: String? {
        let home = named("HOME").flatMap { access($0, W_OK) == 0 ? $0 + "/.local/state" : nil }
        return (named("XDG_STATE_HOME") ?? home).map { $0 + "/dockface" }
    }

    /// Latches, by a user's account and not by the session in which a program runs: `$XDG_STATE_HOME/dockface`; for root
    /// `/var/lib/dockface`, as for the service; else `~/.local/state/dockface`; nil: there is no home.
    ///
    /// Whoever has a runtime folder of its own elsewhere, as tests and containers do, does not share the latches of the service.
    static var latches: String? {
        let runtime = named("XDG_RUNTIME_DIR"),
            isOfSystem = runtime == "/run" || runtime?.hasPrefix("/run/user/") ?? true
        if named("XDG_STATE_HOME") == nil, geteuid() == 0, isOfSystem { return "/var/lib/dockface" }
        return state
    }

    /// The variable that would name another folder than the one in which a path lies; all three where it lies in none of them.
    static func variable(of path: String) -> String {
        let folders = [
            ("XDG_CONFIG_HOME", configuration), ("XDG_DATA_HOME", data), ("XDG_STATE_HOME", state),
            ("XDG_STATE_HOME", latches),
        ]
        let fitting = folders.filter { _, folder in
            folder.map { path == $0 || path.hasPrefix($0 + "/") } ?? false
        }
        return fitting.last?.0 ?? "XDG_CONFIG_HOME, XDG_DATA_HOME or XDG_STATE_HOME"
    }

    /// A path that is not absolute is none, says the specification.
    private static func named(_ variable: String) -> String? {
        ProcessEnvironment.value(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
