public import DockControl
public import Files

/// All values of a profile as its file would state them, and whether the file or a default sets it.
public struct ProfileListing: Sendable {
    /// One key of the profile.
    public struct Row: Sendable, Equatable {
        /// The key with its tables, as in "pan.max_speed".
        public var key: String
        /// The value as TOML, in the units of the file; "not set" if the key has neither a value nor a default.
        public var value: String
        /// Whether the file does not have the key.
        public var isDefault: Bool
    }

    /// The profile.
    public let profile: RigProfile
    /// All keys, in the order of `ProfileWriter`.
    public let rows: [Row]

    /// Reads the text of a profile file; `file` is its name for messages.
    /// - Throws: `FileError` with all problems.
    public init(_ text: String, file: String) throws(FileError) {
        let profile = try ProfileReader.read(text, file: file), walk = try FileWalk(text, file: file)
        self.profile = profile
        // Most rigs have one camera. The others are listed if the file describes them.
        var rows = ProfileTable.rows.filter { !$0.isRare || $0.get(profile) != nil }.map { row in
            Row(
                key: row.name, value: row.get(profile).map { Self.value(row, $0, of: profile) } ?? "not set",
                isDefault: walk.find(row.path) == nil)
        }
        rows += profile.options.sorted { $0.key < $1.key }.map { key, value in
            Row(key: "options." + key, value: FileText.words(value), isDefault: false)
        }
        self.rows = rows
    }

    private static func value(_ row: FileRow<RigProfile>, _ value: FileValue, of profile: RigProfile) -> String {
        let line = FileText.line(row, value, profile)
        return String(line.dropFirst((row.path.last?.count ?? 0) + " = ".count).dropLast())
    }
}

extension FileRow<RigProfile> {
    /// Whether it belongs to something that most profiles do not describe: a camera after the first one, a calibrated lens,
    /// the place in a room.
    var isRare: Bool {
        path.contains("lens") || path[0] == "stand"
            || (1..<RigProfile.mostCameras).contains { path[0] == RigProfile.cameraTable(at: $0) }
    }
}

extension ProfileLibrary {
    /// Returns the values of the profile with a path or a name, and their origins.
    /// - Throws: `FileError`, including when there is no profile with that name.
    public func listing(_ nameOrPath: String) throws(FileError) -> ProfileListing {
        // This reports an unknown name together with similar ones.
        _ = try load(nameOrPath)
        let file = UserFile.isPath(nameOrPath) ? nameOrPath : path(of: nameOrPath) ?? nameOrPath
        return try ProfileListing(try UserFile.text(of: file), file: file)
    }
}
