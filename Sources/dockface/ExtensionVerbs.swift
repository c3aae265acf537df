import Companion
import Files
import Glibc

/// Verbs that are programs of their own: `dockface NAME` executes dockface-NAME in place of this process.
enum ExtensionVerbs {
    /// Executes the extension of a verb that is not built in. Returns only if there is none.
    /// - Parameters:
    ///   - verb: the verb.
    ///   - words: the words after the verb.
    /// - Throws: an exit if the extension exists and cannot run.
    static func execute(_ verb: String, _ words: [String]) throws {
        guard ExtensionManifest.isName(verb) else { return }
        let installed = ExtensionLibrary().named(verb)
        if let problem = installed?.problem { throw fail("extension \(verb) cannot run: \(problem)", status: 69) }
        let program = "dockface-" + verb
        let arguments = [installed?.program ?? program] + words
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        // Without a manifest, the program may still be on PATH.
        execvp(arguments[0], &pointers)
        let reason = errno
        if installed != nil || ![ENOENT, ENOTDIR, EACCES].contains(reason) {
            throw fail("\(arguments[0]): \(String(cString: strerror(reason)))", status: 69)
        }
        if ExtensionLibrary.packaged.contains(verb) {
            throw fail("dockface \(verb) is not installed: \(source(of: verb))", status: 69)
        }
    }

    /// How an extension of this project is installed.
    private static func source(of name: String) -> String {
        "the package dockface-\(name) brings it; in a clone, run scripts/extensions --install"
    }

    /// Returns the extensions for `--with`, ready to be started by a daemon. The result is nil if none is named.
    ///
    /// In a service they have their own units. There, a typed option is refused. The key `with` of a settings file is
    /// ignored with a warning, because the same file may serve a daemon in a terminal.
    /// - Parameter names: names, each perhaps several with commas between them.
    /// - Throws: an exit that says what is wrong with a name.
    static func host(for names: [String]) throws -> ExtensionSupervisor? {
        let names = names.flatMap { $0.split(separator: ",").map(String.init) }
        guard !names.isEmpty else { return nil }
        if let manager = ProcessEnvironment.value("NOTIFY_SOCKET") {
            let units = names.map { "dockface-\($0)" }.joined(separator: " ")
            let command = "systemctl \(manager.hasPrefix("/run/user/") ? "--user " : "")enable --now \(units)"
            guard !RunWords.hasTyped("with") else {
                throw fail(
                    "--with would start programs inside this service, with its rights; use their own units instead: "
                        + command, status: 78)
            }
            warn("\"with\" in the settings has no effect in a service; use the units of the extensions: \(command)")
            return nil
        }
        let library = ExtensionLibrary()
        let known = library.all().found
        var chosen: [InstalledExtension] = []
        for name in names where !chosen.contains(where: { $0.name == name }) {
            guard let one = known.first(where: { $0.name == name }) else {
                throw fail("--with: " + missing(name, among: known.map(\.name)), status: 64)
            }
            if let problem = one.problem { throw fail("--with: extension \(name) cannot run: \(problem)", status: 69) }
            chosen.append(one)
        }
        guard let host = ExtensionSupervisor(chosen) else { throw fail("no descriptors are left", status: 71) }
        return host
    }

    /// Returns the program of an extension as a word for the shell.
    /// - Parameters:
    ///   - name: the extension.
    ///   - reason: what needs it, for the error.
    /// - Throws: an exit if it is not installed or cannot run.
    static func shellWord(of name: String, for reason: String) throws -> String {
        let library = ExtensionLibrary()
        guard let installed = library.named(name) else {
            throw fail("\(reason): " + missing(name, among: library.all().found.map(\.name)), status: 69)
        }
        if let problem = installed.problem {
            throw fail("\(reason): extension \(name) cannot run: \(problem)", status: 69)
        }
        return "'" + installed.program.replacing("'", with: "'\\''") + "'"
    }

    private static func missing(_ name: String, among known: [String]) -> String {
        if ExtensionLibrary.packaged.contains(name) {
            return "extension \(name) is not installed: \(source(of: name))"
        }
        let near = Spelling.nearest(to: name, among: known)
        return "there is no extension \"\(name)\": "
            + (near.map { "did you mean \($0)?" } ?? "`dockface extensions` lists them")
    }
}
