import ArgumentParser
import Glibc

/// `--system`: what is kept is the service's, in /etc/dockface and /run/dockface, and not the user's.
struct SystemOption: ParsableArguments {
    @Flag(help: "For the service: what is kept stands in /etc/dockface, not in the user's folder (needs root).")
    var system = false
}

/// The folders of the service, as packaging/dockface.service names them to it.
enum SystemPlaces {
    /// Before anything is read: the places that a verb with `--system` looks into and writes to.
    static func use(for words: [String]) {
        guard words.prefix(while: { $0 != "--" }).dropFirst().contains("--system") else { return }
        setenv("XDG_CONFIG_HOME", "/etc", 1)
        setenv("XDG_RUNTIME_DIR", "/run", 1)
        setenv("XDG_STATE_HOME", "/var/lib", 1)
        setenv("XDG_DATA_HOME", "/var/lib", 1)
    }
}
