internal import Glibc

/// The user's own folders.
public enum UserFolder {
    /// `$XDG_CONFIG_HOME/dockface`, or `~/.config/dockface`.
    public static var configuration: String {
        func value(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return (value("XDG_CONFIG_HOME") ?? (value("HOME") ?? "") + "/.config") + "/dockface"
    }
}
