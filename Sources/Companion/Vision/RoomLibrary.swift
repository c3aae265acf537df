internal import DockControl
internal import Files
internal import Glibc

/// Finds recorded rooms for `--detector room:`, by path, or by name among those that come with the program.
public struct RoomLibrary: Sendable {
    /// The folders, in order of precedence.
    public var folders: [String]

    /// The size limit of a room's file, in bytes. The largest of ours has about 100 KiB.
    public static let largest = 4 << 20

    /// Searches `share/dockface/rooms` and `Examples/rooms` in each folder above the program's, for installations and for
    /// checkouts.
    public init() {
        folders = []
        var parts = (realPath(of: "/proc/self/exe") ?? "").split(separator: "/").dropLast()
        // In a checkout, .build/release/dockface is three or four folders below the root.
        while !parts.isEmpty, folders.count < 12 {
            let above = "/" + parts.joined(separator: "/")
            folders += [above + "/share/dockface/rooms", above + "/Examples/rooms"]
            parts = parts.dropLast()
        }
    }

    /// Searches only these folders.
    public init(folders: [String]) { self.folders = folders }

    /// The names of the rooms that come with the program, sorted.
    public var names: [String] {
        Set(folders.flatMap(UserFile.files).filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(6)) })
            .sorted()
    }

    /// Returns the file of a room: a path (it contains a slash or ends in .jsonl) as it is, or the file with that name.
    /// The result is nil if no room has the name.
    public func path(of nameOrPath: String) -> String? {
        guard !nameOrPath.contains("/"), !nameOrPath.hasSuffix(Self.ending) else { return nameOrPath }
        return folders.map { $0 + "/" + nameOrPath + Self.ending }.first { access($0, F_OK) == 0 }
    }

    private static let ending = ".jsonl"
}
