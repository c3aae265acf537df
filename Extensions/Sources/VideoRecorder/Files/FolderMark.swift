public import DockTypes
internal import Files
internal import Glibc

/// Recognises a folder on a disk of its own. If that disk is not mounted, a folder with the same path lies on the
/// system's disk, and recordings would fill it.
///
/// Such a folder gets a file with a random name at its first use, and this machine remembers the name.
public struct FolderMark: Sendable {
    /// The folders that this machine remembers: path and name of the mark. Pure.
    struct Register: Sendable, Equatable {
        private(set) var marks: [String: String] = [:]

        /// Reads the lines "MARK PATH"; damaged ones are skipped.
        init(_ text: String = "") {
            for line in text.split(separator: "\n").prefix(1000) {
                let parts = line.split(separator: " ", maxSplits: 1)
                if parts.count == 2, FolderMark.isMark(parts[0]) { marks[String(parts[1])] = String(parts[0]) }
            }
        }

        /// The text of the file.
        var text: String { marks.keys.sorted().map { "\(marks[$0] ?? "") \($0)\n" }.joined() }

        mutating func remember(_ mark: String, of path: String) { marks[path] = mark }
    }

    /// What follows from what was found.
    enum Judgement: Equatable {
        /// The folder is the right one, or needs no mark.
        case fine
        /// It needs a mark: this one, if it has none yet.
        case mark
        /// Its disk is not mounted.
        case wrong
    }

    /// Judges a folder. Pure.
    /// - Parameters:
    ///   - remembered: the mark that this machine remembers for its path, or nil.
    ///   - found: whether it has that mark; or, if none is remembered, whether it has any.
    ///   - isElsewhere: whether it is on another disk than the files of this program.
    static func judge(remembered: String?, isThere found: Bool, isElsewhere: Bool) -> Judgement {
        if remembered != nil { return found ? .fine : .wrong }
        return isElsewhere ? .mark : .fine
    }

    private static let beginning = "dockface-recordings-"
    private let register: String

    /// Creates the recognition with the register of this user: a file in the usual folder, because that is the only one
    /// in which a service may write besides those that its owner allows.
    /// - Throws: `configuration` if there is no usual folder.
    public init() throws(DockError) { register = try ChunkFolder.usual() + "/folders" }

    init(register: String) { self.register = register }

    fileprivate static func isMark(_ text: Substring) -> Bool {
        text.hasPrefix(beginning) && text.utf8.count <= 64 && !text.utf8.contains(0x2F)
    }

    /// Returns whether a folder that is missing must not be created, because it is known to be on another disk.
    public func isRemembered(_ path: String) -> Bool { ((try? read()) ?? Register()).marks[path] != nil }

    /// Checks a folder, and marks it at its first use if it is on another disk.
    /// - Throws: `notConnected` if its disk is not mounted.
    public func check(_ folder: ChunkFolder) throws(DockError) {
        var known = try read()
        let remembered = known.marks[folder.path]
        let isThere = remembered.map { access(folder.path(of: $0), F_OK) == 0 } ?? false
        switch Self.judge(remembered: remembered, isThere: isThere, isElsewhere: isElsewhere(folder)) {
        case .fine: break
        case .wrong:
            throw DockError(
                .notConnected,
                "\(folder.path) is not the folder that was used before; its disk is probably not mounted",
                hint: "mount that disk, or remove the line of this folder from \(register)")
        case .mark:
            let mark = Self.beginning + String(UInt64.random(in: 0 ... .max), radix: 36)
            try StoredFile.write("recordings of dockface\n", to: folder.path(of: mark))
            known.remember(mark, of: folder.path)
            try StoredFile.write(known.text, to: register)
        }
    }

    private func read() throws(DockError) -> Register { Register(try StoredFile.read(register) ?? "") }

    /// Whether the folder is on another disk than the register. The register's folder may not exist yet.
    private func isElsewhere(_ folder: ChunkFolder) -> Bool {
        var own = stat(), other = stat(), path = register
        while stat(path, &own) != 0, let slash = path.lastIndex(of: "/") {
            path = slash == path.startIndex ? "/" : String(path[..<slash])
            if path == "/" { break }
        }
        guard stat(path, &own) == 0, stat(folder.path, &other) == 0 else { return false }
        return own.st_dev != other.st_dev
    }
}
