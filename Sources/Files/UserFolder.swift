internal import Glibc

/// The user's own folders, according to the XDG Base Directory Specification.
public enum UserFolder {
    /// `$XDG_CONFIG_HOME/dockface`, or `~/.config/dockface`.
    public static var configuration: String {
        (named("XDG_CONFIG_HOME") ?? (named("HOME") ?? "") + "/.config") + "/dockface"
    }

    /// Recorded and installed data: `$XDG_DATA_HOME/dockface`, or `~/.local/share/dockface`. It is nil if there is no
    /// home.
    public static var data: String? {
        (named("XDG_DATA_HOME") ?? named("HOME").map { $0 + "/.local/share" }).map { $0 + "/dockface" }
    }

    /// The state that persists after a run: `$XDG_STATE_HOME/dockface`, or `~/.local/state/dockface`.
    ///
    /// Nil if `XDG_STATE_HOME` is not set and the home is missing or not writable. The home is never created.
    public static var state: String? {
        let home = named("HOME").flatMap { access($0, W_OK) == 0 ? $0 + "/.local/state" : nil }
        return (named("XDG_STATE_HOME") ?? home).map { $0 + "/dockface" }
    }

    /// The folder for latches, which depends on the user's account and not on the login session:
    /// `$XDG_STATE_HOME/dockface`; for root `/var/lib/dockface`, as for the service; otherwise
    /// `~/.local/state/dockface`. It is nil if there is no home.
    ///
    /// A program with a runtime folder outside /run, such as a test or a container, does not share the latches of the
    /// service.
    public static var latches: String? {
        let runtime = named("XDG_RUNTIME_DIR"),
            isOfSystem = runtime == "/run" || runtime?.hasPrefix("/run/user/") ?? true
        if named("XDG_STATE_HOME") == nil, geteuid() == 0, isOfSystem { return "/var/lib/dockface" }
        return state
    }

    /// Returns the variable that chooses the folder of a path; all three variables if the path is in none of their
    /// folders.
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

    /// Returns the folder in a variable; the specification says to ignore a relative path.
    private static func named(_ variable: String) -> String? {
        ProcessEnvironment.value(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
