import DockTypes
import Files
import Glibc

/// The command of a verifier, and its name for people.
struct VerifierCommand: Sendable, Equatable {
    var name: String
    var words: [String]

    /// A verifier that comes with dockface: a module of the detectors' Python environment.
    /// - Throws: `notSupported` if the environment is not installed.
    init(_ name: String, module: String, _ arguments: [String] = []) throws(DockError) {
        for folder in Self.folders {
            let python = folder + "/bin/python3"
            guard access(python, X_OK) == 0 else { continue }
            self.init(name: name, words: [python, "-m", "dockface_detectors.\(module)"] + arguments)
            return
        }
        throw DockError(
            .notSupported,
            "the detectors, with which things are verified, are not installed "
                + "(looked in \(Self.folders.joined(separator: ", ")))",
            hint: "run scripts/setup --camera, or dockface-install-detectors if dockface is installed as a package")
    }

    /// A verifier of the owner: `exec:COMMAND`, for the shell.
    /// - Throws: `invalidParameter` if it is none.
    init(own text: String) throws(DockError) {
        guard text.hasPrefix("exec:"), text.count > 5 else {
            throw DockError(
                .invalidParameter, "\"\(text)\" is not a verifier", hint: "write `--verifier \"exec:COMMAND\"`")
        }
        self.init(name: "verifier", words: ["/bin/sh", "-c", "exec " + text.dropFirst(5)])
    }

    private init(name: String, words: [String]) { (self.name, self.words) = (name, words) }

    /// Where the detectors are, as the daemon looks for them.
    private static var folders: [String] {
        if let named = ProcessEnvironment.value("DOCKFACE_DETECTORS") { return [named] }
        return (UserFolder.data.map { [$0 + "/detectors"] } ?? []) + ["/usr/lib/dockface/detectors"]
    }
}
