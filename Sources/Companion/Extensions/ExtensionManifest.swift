public import Files

/// What the file NAME.toml beside the program dockface-NAME says of an extension.
///
/// The file is read and the program is not asked, so that lists, help and packages can tell what there is without
/// running anything.
public struct ExtensionManifest: Sendable, Equatable {
    /// The verb: 1 to 32 of a-z 0-9 -. The program's name is `dockface-` and this name.
    public var name = ""
    /// What it does, in one sentence.
    public var about = ""
    /// Its own version.
    public var version = ""
    /// The version of the control API that it speaks.
    public var controlProtocol = 1
    /// The features of the daemon's greeting that it needs.
    public var features: [String] = []
    /// What it uses, for people who decide whether to start it: words of `rights`.
    public var rights: [String] = []
    /// The systemd unit that runs it as a service; empty if there is none.
    public var unit = ""

    /// The version of the control API that this daemon speaks.
    public static let currentProtocol = 1

    /// The known rights, and what each lets the extension do.
    public static let meanings: [(right: String, meaning: String)] = [
        ("events", "learns what happens at the dock"), ("pictures", "sees the camera's pictures"),
        ("motion", "moves the head"), ("files", "keeps files"), ("network", "uses the network"),
        ("devices", "opens other devices"), ("sound", "records or plays sound"),
    ]

    /// Returns whether a word can be the name of an extension.
    public static func isName(_ word: String) -> Bool {
        (1...32).contains(word.utf8.count) && !word.hasPrefix("-")
            && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    static let rows: [FileRow<ExtensionManifest>] = [
        FileRow("name", .text, required: true, get: { .text($0.name) }) { $0.name = $1.text },
        FileRow("about", .text, required: true, get: { .text($0.about) }) { $0.about = $1.text },
        FileRow("version", .text, required: true, get: { .text($0.version) }) { $0.version = $1.text },
        FileRow("protocol", .whole(1...1000), required: true, get: { .number(Double($0.controlProtocol)) }) {
            $0.controlProtocol = Int($1.number)
        },
        FileRow("features", .texts(most: 32), get: { .texts($0.features) }) { $0.features = $1.texts },
        FileRow("rights", .texts(most: 16), get: { .texts($0.rights) }) { $0.rights = $1.texts },
        FileRow("unit", .text, get: { $0.unit.isEmpty ? nil : .text($0.unit) }) { $0.unit = $1.text },
    ]

    /// Reads a manifest.
    /// - Parameters:
    ///   - text: the file's contents.
    ///   - file: its path, for messages. Its last part, without `.toml`, must be the extension's name.
    /// - Throws: `FileError` with all problems of the file.
    public init(_ text: String, file: String) throws(FileError) {
        var walk = try FileWalk(text, file: file)
        walk.read(Self.rows, into: &self)
        walk.checkKeys(Self.rows)
        let stem = (file.split(separator: "/").last ?? "").dropLast(".toml".count)
        if walk.isFine, name != stem { walk.add(["name"], "\"name\" is wrong: the file's name says \"\(stem)\"") }
        if walk.isFine, !Self.isName(name) {
            walk.add(["name"], "\"name\" is wrong: expected 1 to 32 of a-z, 0-9 and -")
        }
        for right in rights where !Self.meanings.contains(where: { $0.right == right }) {
            let known = Self.meanings.map(\.right)
            walk.add(
                ["rights"],
                "\"rights\" is wrong: \"\(right)\" is unknown"
                    + (Spelling.nearest(to: right, among: known).map { "; did you mean \"\($0)\"?" }
                        ?? "; known: \(known.joined(separator: ", "))"))
        }
        try walk.end()
    }

    /// Creates an empty manifest.
    init() {}
}
