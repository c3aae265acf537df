public import DockControl
internal import Glibc

/// Finds profiles: a path, or a name among the user's own, in /etc/dockface/profiles or among those that come with the program.
public struct ProfileLibrary: Sendable {
    /// A profile as it stands in a folder.
    public struct Entry: Sendable {
        /// Its name for `--profile`: the file's without ".toml".
        public var name: String
        /// The file.
        public var path: String
        /// What is in it, or what is wrong with it.
        public var profile: Result<RigProfile, FileError>
    }

    /// Folders, the first one wins.
    public var folders: [String]

    /// Where the user's own profiles are, and measured ones are written: `$XDG_CONFIG_HOME/dockface/profiles`.
    public static var ownFolder: String { UserFolder.configuration + "/profiles" }

    /// The folders of this system: $DOCKFACE_PROFILES, the user's own, /etc/dockface/profiles, beside the program, /usr/share,
    /// and, in a checkout, `profiles` of the working folder.
    public init() {
        folders = ProcessEnvironment.value("DOCKFACE_PROFILES").map { [$0] } ?? []
        folders.append(Self.ownFolder)
        folders.append("/etc/dockface/profiles")
        folders.append("/usr/share/dockface/profiles")
        // .build/release/dockface stands three or four folders under the checkout.
        if let program = realPath(of: "/proc/self/exe") {
            var parts = program.split(separator: "/").dropLast()
            while !parts.isEmpty, folders.count < 10 {
                folders.append("/" + parts.joined(separator: "/") + "/profiles")
                parts = parts.dropLast()
            }
        }
        folders.append("profiles")
    }

    /// Looks only in these folders.
    public init(folders: [String]) { self.folders = folders }

    /// All profiles, one for each name.
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

    /// The profile of a path (it has a slash or ends in .toml) or of a name.
    /// - Throws: `FileError`, also when there is none of that name.
    public func load(_ nameOrPath: String) throws(FileError) -> RigProfile {
        if UserFile.isPath(nameOrPath) { return try Self.read(nameOrPath).get() }
        if let path = path(of: nameOrPath) { return try Self.read(path).get() }
        let names = all().map(\.name)
        let near = Spelling.nearest(to: nameOrPath, among: names)
        throw FileError(problems: [
            FileProblem(
                file: nameOrPath,
                text: "there is no such profile"
                    + (near.map { "; did you mean \"\($0)\"?" } ?? "; there are: \(names.joined(separator: ", "))"))
        ])
    }

    /// The file that a name stands for; nil: there is none.
    public func path(of name: String) -> String? {
        folders.map { $0 + "/" + name + ".toml" }.first(where: Self.isThere)
    }

    /// What names the same profile wherever somebody works later: of a path, and of a name that only this working folder knows,
    /// the whole path.
    public func lasting(_ nameOrPath: String) -> String {
        let found = UserFile.isPath(nameOrPath) ? nameOrPath : path(of: nameOrPath) ?? "/"
        guard !found.hasPrefix("/"), let real = realPath(of: found) else { return nameOrPath }
        return real
    }

    static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Writes a profile into the user's own folder; one of that name gives way at once.
    /// - Returns: where it is.
    /// - Throws: what the disk says.
    public static func keep(_ text: String, as name: String) throws(DockError) -> String {
        let path = ownFolder + "/" + name + ".toml"
        try StoredFile.write(text, to: path)
        return path
    }

    /// Reads one file.
    public static func read(_ path: String) -> Result<RigProfile, FileError> {
        Result { () throws(FileError) in try ProfileReader.read(try UserFile.text(of: path), file: path) }
    }
}
