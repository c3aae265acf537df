import ArgumentParser
import Glibc

/// `--system`: files are kept in the service's folders, /etc/dockface and /run/dockface, not in the user's.
struct SystemOption: ParsableArguments {
    @Flag(help: "For the service: keep files in /etc/dockface, not in the user's folder (needs root).")
    var system = false
}

/// The folders of the service, as packaging/dockface.service passes them to it.
enum SystemPlaces {
    /// Sets the folders that a verb with `--system` reads and writes, before anything is read.
    static func use(for words: [String]) {
        guard words.prefix(while: { $0 != "--" }).dropFirst().contains("--system") else { return }
        setenv("XDG_CONFIG_HOME", "/etc", 1)
        setenv("XDG_RUNTIME_DIR", "/run", 1)
        setenv("XDG_STATE_HOME", "/var/lib", 1)
        setenv("XDG_DATA_HOME", "/var/lib", 1)
    }
}
