public import DockControl
public import DockTypes
public import Files
internal import Glibc

/// Finds profiles by path, or by name among the user's own, those in /etc/dockface/profiles and those that come with
/// the program.
public struct ProfileLibrary: Sendable {
    /// A profile file in a folder.
    public struct Entry: Sendable {
        /// Its name for `--profile`: the file name without ".toml".
        public var name: String
        /// The file.
        public var path: String
        /// The profile, or the mistakes in the file.
        public var profile: Result<RigProfile, FileError>
    }

    /// Folders, in order of precedence.
    public var folders: [String]

    /// The folder of the user's own profiles, including measured ones: `$XDG_CONFIG_HOME/dockface/profiles`.
    public static var ownFolder: String { UserFolder.configuration + "/profiles" }

    /// Searches the folders of this system, in order: $DOCKFACE_PROFILES, the user's own, /etc/dockface/profiles,
    /// /usr/share/dockface/profiles, `profiles` in each folder above the program's, and `profiles` in the working
    /// folder.
    public init() {
        folders = ProcessEnvironment.value("DOCKFACE_PROFILES").map { [$0] } ?? []
        folders.append(Self.ownFolder)
        folders.append("/etc/dockface/profiles")
        folders.append("/usr/share/dockface/profiles")
        // In a checkout, .build/release/dockface is three or four folders below the root.
        if let program = realPath(of: "/proc/self/exe") {
            var parts = program.split(separator: "/").dropLast()
            while !parts.isEmpty, folders.count < 10 {
                folders.append("/" + parts.joined(separator: "/") + "/profiles")
                parts = parts.dropLast()
            }
        }
        folders.append("profiles")
    }

    /// Searches only these folders.
    public init(folders: [String]) { self.folders = folders }

    /// Returns all profiles, one for each name.
    public func all() -> [Entry] {
        var entries: [Entry] = [], seen: Set<String> = []
        for folder in folders {
            for file in UserFile.files(in: folder) where file.hasSuffix(".toml") {
                let name = String(file.dropLast(5))
                guard seen.insert(name).inserted else { continue }
                let path = folder + "/" + file
                entries.append(Entry(name: name, path: path, profile: Self.read(path)))
            }
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// Returns the profile with a path (it contains a slash or ends in .toml) or a name.
    /// - Throws: `FileError`, including when there is no profile with that name.
    public func load(_ nameOrPath: String) throws(FileError) -> RigProfile {
        if UserFile.isPath(nameOrPath) { return try Self.read(nameOrPath).get() }
        if let path = path(of: nameOrPath) { return try Self.read(path).get() }
        let names = all().map(\.name)
        let near = Spelling.nearest(to: nameOrPath, among: names)
        throw FileError(problems: [
            FileProblem(
                file: nameOrPath,
                text: "there is no such profile"
                    + (near.map { "; did you mean \"\($0)\"?" } ?? "; known profiles: \(names.joined(separator: ", "))")
            )
        ])
    }

    /// Returns the path of the profile with this name, or nil if there is none.
    public func path(of name: String) -> String? {
        folders.map { $0 + "/" + name + ".toml" }.first(where: Self.exists)
    }

    /// Returns a name or path that refers to the same profile from any working directory: the absolute path for a
    /// relative path, and for a name that is only found in this working folder.
    public func absolute(_ nameOrPath: String) -> String {
        let found = UserFile.isPath(nameOrPath) ? nameOrPath : path(of: nameOrPath) ?? "/"
        guard !found.hasPrefix("/"), let real = realPath(of: found) else { return nameOrPath }
        return real
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Writes a profile to the user's own folder and atomically replaces an existing one.
    /// - Returns: its path.
    /// - Throws: `DockError` if it cannot be written.
    public static func save(_ text: String, as name: String) throws(DockError) -> String {
        let path = ownFolder + "/" + name + ".toml"
        try StoredFile.write(text, to: path)
        return path
    }

    /// Reads one file.
    public static func read(_ path: String) -> Result<RigProfile, FileError> {
        Result { () throws(FileError) in try ProfileReader.read(try UserFile.text(of: path), file: path) }
    }
}
