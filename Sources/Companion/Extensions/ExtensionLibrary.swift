public import Files
internal import Glibc

/// An extension that is installed: its manifest, and the program beside it.
public struct InstalledExtension: Sendable, Equatable {
    /// What it says of itself.
    public var manifest: ExtensionManifest
    /// The program's path.
    public var program: String
    /// Why it cannot run, as a clause, or nil if it can.
    public var problem: String?

    /// Its name, which is also its verb.
    public var name: String { manifest.name }
}

/// Finds extensions: programs dockface-NAME with a manifest NAME.toml beside them.
public struct ExtensionLibrary: Sendable {
    /// The folders, in order of precedence.
    public var folders: [String]

    /// Searches the folders in `$DOCKFACE_EXTENSIONS` (separated by colons), `~/.local/libexec/dockface`, and
    /// `libexec/dockface` beside the program's own folder.
    public init() {
        let named = ProcessEnvironment.value("DOCKFACE_EXTENSIONS") ?? ""
        folders = named.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        if let home = ProcessEnvironment.value("HOME"), home.hasPrefix("/") {
            folders.append(home + "/.local/libexec/dockface")
        }
        folders.append(Self.besideProgram)
    }

    /// Searches only these folders.
    public init(folders: [String]) { self.folders = folders }

    /// The folder of the installed extensions: `/usr/libexec/dockface` for `/usr/bin/dockface`.
    static var besideProgram: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return "/usr/libexec/dockface" }
        let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let parts = path.split(separator: "/").dropLast(2)
        return "/" + (parts + ["libexec", "dockface"]).joined(separator: "/")
    }

    /// The extensions of this project. Each has a package `dockface-NAME`.
    public static let packaged = [
        "depth", "find", "gesture", "log", "pad", "record", "room", "teleop", "uplink", "voice",
    ]

    /// The maximum number of extensions.
    static let most = 100

    /// Returns all extensions by name, and what is wrong with manifests that cannot be used. Of two with one name, the
    /// one in the earlier folder counts.
    public func all() -> (found: [InstalledExtension], problems: [FileProblem]) {
        var found: [InstalledExtension] = [], problems: [FileProblem] = [], seen: Set<String> = []
        for folder in folders {
            let files = UserFile.files(in: folder).filter { $0.hasSuffix(".toml") && !seen.contains($0) }
            guard !files.isEmpty else { continue }
            // A user who can write there could make this user run a program.
            if let problem = Self.problem(of: folder) {
                problems.append(FileProblem(file: folder, text: problem))
                continue
            }
            for file in files {
                guard seen.insert(file).inserted, found.count < Self.most else { continue }
                do throws(FileError) {
                    found.append(try Self.read(folder + "/" + file))
                } catch {
                    problems += error.problems
                }
            }
        }
        return (found.sorted { $0.name < $1.name }, problems)
    }

    /// Returns an extension by its name, or nil if there is none with a usable manifest.
    public func named(_ name: String) -> InstalledExtension? { all().found.first { $0.name == name } }

    private static func problem(of folder: String) -> String? {
        do {
            let trust = try OpenFolder.open(folder).trust
            return trust.problem.map { "\($0), so its extensions are not used" }
        } catch {
            return "cannot be opened: \(error.text ?? String(cString: strerror(error.number)))"
        }
    }

    /// Returns why others could replace a program, as a clause, or nil if they cannot. The program may be a link, so this
    /// judges the folder that it leads to.
    private static func problem(ofProgram path: String) -> String? {
        do throws(PathFailure) {
            let trust = try FilePlace.find(path).folder.trust
            return trust.problem.map { "\($0), so its program \(path) is not used" }
        } catch {
            return error.text ?? "its program \(path) cannot be opened: \(String(cString: strerror(error.number)))"
        }
    }

    /// Reads the manifest at a path, and looks at the program beside it.
    static func read(_ path: String) throws(FileError) -> InstalledExtension {
        let manifest = try ExtensionManifest(try UserFile.text(of: path), file: path)
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        var new = InstalledExtension(manifest: manifest, program: folder + "/dockface-" + manifest.name)
        var status = stat()
        if stat(new.program, &status) != 0 || status.st_mode & S_IFMT != S_IFREG {
            new.problem = "its program \(new.program) is missing"
        } else if status.st_uid != 0 && status.st_uid != geteuid() || status.st_mode & 0o022 != 0 {
            new.problem = "other users can change its program \(new.program)"
        } else if let problem = Self.problem(ofProgram: new.program) {
            new.problem = problem
        } else if access(new.program, X_OK) != 0 {
            new.problem = "its program \(new.program) is not executable"
        } else if manifest.controlProtocol > ExtensionManifest.currentProtocol {
            new.problem =
                "it needs protocol \(manifest.controlProtocol), but this dockface speaks "
                + "\(ExtensionManifest.currentProtocol)"
        }
        return new
    }
}
