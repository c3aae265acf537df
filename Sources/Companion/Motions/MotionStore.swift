internal import DockControl
public import DockTypes
internal import Files
internal import Geometry

/// Stores a `MotionLibrary` in files that a person can read and edit.
///
/// The files are under `$XDG_DATA_HOME/dockface` (otherwise `~/.local/share/dockface`, otherwise `/var/lib/dockface`):
/// `presets/RIG.toml`, one for each rig model, because a pose is meaningful only for that rig, and `motions/NAME.toml`,
/// which any rig can replay.
///
/// Two daemons may share the folder. Each reads it again before it writes, so that the other's additions are kept. If
/// both change the same preset file or motion at the same moment, the last one wins. Neither ever reads an incomplete
/// file. A call can take as long as the disk needs, so the dock's loop must not call it.
public struct MotionStore: Sendable {
    /// The folder with all files.
    public let root: String
    /// The rig model to which the poses belong: `RigProfile.name`.
    public let rig: String

    /// Creates a store for one rig model.
    /// - Parameters:
    ///   - rig: the name of the rig's profile.
    ///   - root: the folder. If nil, it is the user's own.
    public init(rig: String, root: String? = nil) {
        self.rig = rig
        self.root = root ?? UserFolder.data ?? "/var/lib/dockface"
    }

    /// Reads everything. Damaged files are skipped and reported with file, line and remedy.
    /// - Returns: the library, empty if nothing was ever stored, and an error (`configuration`, `permission`,
    ///   `cannotOpen`) for each file that could not be read.
    public func load() -> (library: MotionLibrary, problems: [DockError]) {
        let (library, damage) = read()
        return (library, damage.map(\.error))
    }

    /// Changes the stored library: reads it again, lets `edit` change it, and writes the files that differ.
    /// - Returns: the library that is stored now.
    /// - Throws: the errors of `edit`; `configuration` for a damaged file that would be overwritten; `permission` and
    ///   `cannotOpen` for errors of the disk. In that case nothing has changed or, if several entries were edited, only
    ///   some of them.
    @discardableResult
    public func change(_ edit: (inout MotionLibrary) throws(DockError) -> Void) throws(DockError) -> MotionLibrary {
        let (before, damage) = read()
        func refuseDamaged(_ path: String) throws(DockError) {
            if let damaged = damage.first(where: { $0.path == path }) { throw damaged.error }
        }
        var after = before
        try edit(&after)
        if after.presets != before.presets {
            try refuseDamaged(presetsFile)
            try StoredFile.write(MotionFile.text(of: after.presets, rig: rig), to: presetsFile)
        }
        for name in Set(before.taught.keys).union(after.taught.keys).sorted() {
            let script = after.taught[name]
            guard script != before.taught[name] else { continue }
            try refuseDamaged(motionFile(name))
            if let script {
                try StoredFile.write(MotionFile.text(of: script), to: motionFile(name))
            } else {
                try StoredFile.remove(motionFile(name))
            }
        }
        return read().library
    }

    /// The file of the poses.
    var presetsFile: String { "\(root)/presets/\(Self.slug(of: rig)).toml" }

    /// Returns the file of a motion.
    func motionFile(_ name: String) -> String { "\(root)/motions/\(name).toml" }

    private func read() -> (library: MotionLibrary, damage: [(path: String, error: DockError)]) {
        var library = MotionLibrary(), damage: [(String, DockError)] = []
        /// Reads a file completely or not at all.
        func load(_ path: String, _ reader: (String, inout MotionLibrary) throws(DockError) -> Void) {
            var copy = library
            do throws(DockError) {
                guard let text = try StoredFile.read(path) else { return }
                try reader(text, &copy)
                library = copy
            } catch {
                damage.append((path, error))
            }
        }
        load(presetsFile) { (text, library) throws(DockError) in
            try MotionFile.readPresets(text, file: presetsFile, rig: rig, into: &library)
        }
        do throws(DockError) {
            // Hidden files are drafts left by a crash during writing.
            for file in try StoredFile.names(in: "\(root)/motions")
            where file.hasSuffix(".toml") && !file.hasPrefix(".") {
                let name = String(file.dropLast(5)), path = motionFile(name)
                load(path) { (text, library) throws(DockError) in
                    try MotionFile.readMotion(text, file: path, name: name, into: &library)
                }
            }
        } catch {
            damage.append(("\(root)/motions", error))
        }
        return (library, damage)
    }

    /// Converts a rig's name to a file name: letters and digits of any script in lower case, everything else as single
    /// hyphens.
    static func slug(of rig: String) -> String {
        let words = rig.lowercased().split { !$0.isLetter && !$0.isNumber }
        var slug = ""
        for word in words where slug.utf8.count + word.utf8.count < 100 { slug += (slug.isEmpty ? "" : "-") + word }
        return slug.isEmpty ? "rig" : slug
    }
}
