public import DockTypes
internal import ControlProtocol
internal import Files
internal import Glibc
public import VideoRecorder

/// The file in a folder of recordings that names the server to which they may go: `server.json`. Without it, nothing
/// ever leaves.
public struct ServerFile: Sendable {
    /// The path of the file.
    public let path: String

    /// Names the file of a folder.
    public init(_ folder: ChunkFolder) { self.init(folder: folder.path) }

    /// Names the file of a folder that may not exist yet.
    public init(folder: String) { path = folder + "/server.json" }

    /// Which version of the file there is; nil if there is none. Another value means another content.
    public struct Version: Sendable, Equatable {
        private let number: UInt, seconds: Int, nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (number, seconds, nanoseconds) = (status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// The present version.
    public var version: Version? { Version(path) }

    /// Reads the file. The result is nil if no server was chosen.
    /// - Throws: `configuration` if the file is damaged; `permission`, `cannotOpen`.
    public func read() throws(DockError) -> ChosenServer? {
        guard let text = try StoredFile.read(path) else { return nil }
        guard let json = JSONValue(json: Array(text.utf8)) else {
            throw ChosenServer.damaged("it is not JSON")
        }
        return try ChosenServer(json: json)
    }

    /// Remembers a server. A running recorder connects to it within seconds.
    public func write(_ server: ChosenServer) throws(DockError) {
        try StoredFile.write(String(decoding: server.json.bytes, as: UTF8.self) + "\n", to: path)
        FolderOwner.give(path)
    }

    /// Forgets the server. A running recorder ends the connection within seconds.
    /// - Throws: `permission`, `cannotOpen`.
    public func remove() throws(DockError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw DockError(
                errno == EACCES ? .permission : .cannotOpen,
                "\(path) cannot be deleted: \(String(cString: strerror(errno)))", hint: "check the folder's permissions"
            )
        }
    }
}

/// Files that root makes in the folder of a service belong to the service.
enum FolderOwner {
    /// Gives a new file to the owner of its folder, if this is root.
    static func give(_ path: String) {
        guard geteuid() == 0 else { return }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        give(descriptor, of: path)
    }

    /// The same for a file that is open. The folder's owner can put another name of root's files in its place, so only a
    /// file with one name is given away.
    static func give(_ descriptor: Int32, of path: String) {
        guard geteuid() == 0, let slash = path.lastIndex(of: "/") else { return }
        var file = stat(), folder = stat()
        guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG, file.st_uid == 0, file.st_nlink == 1,
            lstat(String(path[..<slash]), &folder) == 0
        else { return }
        fchown(descriptor, folder.st_uid, folder.st_gid)
    }
}
