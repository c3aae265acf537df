public import DockTypes
internal import Files
internal import Glibc

/// The folder of the chunks, which only its owner can read.
public struct ChunkFolder: Sendable {
    let folder: OpenFolder

    /// The path, without links.
    public var path: String { folder.path }

    /// What a folder has.
    public struct Listing: Sendable, Equatable {
        /// The finished chunks, the oldest first.
        public var chunks: [ChunkEntry] = []
        /// Chunks that are written now, or were when a recorder died.
        public var parts: [PartName] = []
        /// Files that a recorder no longer needs when it starts.
        public var drafts: [String] = []
        /// The days with a list.
        public var lists: [String] = []
        /// The size of everything except finished chunks, in bytes.
        public var otherBytes = 0
        /// The size of the drafts in it, in bytes.
        public var draftBytes = 0

        /// Adds files of poses: the dates of their chunks, and their sizes in bytes.
        fileprivate mutating func assign(_ poses: [Int: Int]) {
            for index in chunks.indices { chunks[index].poseBytes = poses[chunks[index].name.start] ?? 0 }
            let owners = Set(chunks.map(\.name.start) + parts.map(\.start))
            for start in poses.keys.sorted() where !owners.contains(start) {
                drafts.append(PoseFile.name(start))
                draftBytes += poses[start] ?? 0
                otherBytes += poses[start] ?? 0
            }
        }
    }

    /// The usual folder: `$XDG_DATA_HOME/dockface/recordings`, or `~/.local/share/dockface/recordings`.
    /// - Throws: `configuration` if there is no home.
    public static func usual() throws(DockError) -> String {
        if let data = UserFolder.data { return data + "/recordings" }
        throw DockError(
            .configuration, "there is no folder for recordings, because there is no home",
            hint: "set XDG_DATA_HOME, or pass --folder")
    }

    /// Opens the folder.
    /// - Parameter makes: whether it is created if it is missing.
    /// - Throws: `permission` if others can change its contents; `cannotOpen`, also if it is missing.
    public static func open(_ path: String, makes: Bool) throws(DockError) -> ChunkFolder {
        let folder = try TrustedFolder.open(
            path, makes: makes ? .all : .none, hint: "choose another folder with --folder or XDG_DATA_HOME")
        // A folder that a person has made by hand is often readable by all.
        let mode = folder.trust.folder.mode
        if makes, mode & 0o077 != 0, folder.trust.folder.owner == geteuid() { chmod(folder.path, 0o700) }
        return ChunkFolder(folder: folder)
    }

    /// Returns whether there is such a folder.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Reads the names in the folder. Files of others do not count.
    public func list() throws(DockError) -> Listing {
        var listing = Listing(), poses: [Int: Int] = [:]
        for file in try StoredFile.names(in: path) {
            var status = stat()
            guard fstatat(folder.descriptor, file, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            let bytes = Int(status.st_size)
            if let name = ChunkName(file: file) {
                var entry = ChunkEntry(name: name, bytes: bytes)
                entry.modified = status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1_000_000
                listing.chunks.append(entry)
                continue
            }
            if let part = PartName(file: file) {
                listing.parts.append(part)
            } else if file.hasSuffix(Self.draftEnd), file.hasPrefix("chunk_") {
                listing.drafts.append(file)
                listing.draftBytes += bytes
            } else if let day = ChunkLists.day(of: file) {
                listing.lists.append(day)
            } else if let start = PoseFile.start(of: file) {
                poses[start] = bytes
                continue
            } else {
                continue
            }
            listing.otherBytes += bytes
        }
        listing.chunks.sort { $0.name.start < $1.name.start }
        listing.assign(poses)
        return listing
    }

    /// The end of the name of a file that replaces a chunk when it is complete.
    static let draftEnd = ".draft"

    /// Returns the path of a file in the folder.
    public func path(of file: String) -> String { path + "/" + file }

    /// Opens a file. Links are rejected.
    func open(_ file: String, _ flags: Int32) throws(FileTrouble) -> Int32 {
        let descriptor = openat(folder.descriptor, file, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw FileTrouble("open \(file)") }
        return descriptor
    }

    /// Whether the folder was removed, or another one has its path: a disk was mounted there, or is no longer.
    var isGone: Bool {
        var own = stat(), now = stat()
        guard fstat(folder.descriptor, &own) == 0, stat(path, &now) == 0 else { return true }
        return own.st_dev != now.st_dev || own.st_ino != now.st_ino
    }

    /// Returns the size of a file, in bytes.
    func size(of file: String) throws(FileTrouble) -> Int {
        var status = stat()
        guard fstatat(folder.descriptor, file, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw FileTrouble("read \(file)")
        }
        return Int(status.st_size)
    }

    /// Whether there is a file with this name.
    func has(_ file: String) -> Bool {
        var status = stat()
        return fstatat(folder.descriptor, file, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Renames a file, and replaces the one that has the name.
    func rename(_ file: String, to new: String) throws(FileTrouble) {
        guard renameat(folder.descriptor, file, folder.descriptor, new) == 0 else {
            throw FileTrouble("rename \(file)")
        }
    }

    /// Sets the time at which a file was written, in milliseconds since 1970.
    func set(_ file: String, modified date: Int) throws(FileTrouble) {
        let time = timespec(tv_sec: date / 1000, tv_nsec: date % 1000 * 1_000_000)
        guard utimensat(folder.descriptor, file, [time, time], AT_SYMLINK_NOFOLLOW) == 0 else {
            throw FileTrouble("mark \(file)")
        }
    }

    /// Deletes a file, if there is one.
    func remove(_ file: String) throws(FileTrouble) {
        guard unlinkat(folder.descriptor, file, 0) == 0 || errno == ENOENT else { throw FileTrouble("delete \(file)") }
    }

    /// Writes the list of names to the disk, so that a new name outlasts a power cut.
    func synchronise() {
        let readable = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard readable >= 0 else { return }
        fsync(readable)
        close(readable)
    }

    /// The space of its disk.
    public func space() throws(FileTrouble) -> DiskSpace {
        let readable = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard readable >= 0 else { throw FileTrouble("read the folder") }
        defer { close(readable) }
        var disk = statvfs()
        guard fstatvfs(readable, &disk) == 0 else { throw FileTrouble("read the space of the disk") }
        let block = disk.f_frsize
        return DiskSpace(free: Self.bytes(UInt(disk.f_bavail), block), total: Self.bytes(UInt(disk.f_blocks), block))
    }

    private static func bytes(_ blocks: UInt, _ block: UInt) -> Int {
        let (bytes, isTooLarge) = blocks.multipliedReportingOverflow(by: block)
        return isTooLarge ? Int.max / 2 : Int(min(bytes, UInt(Int.max / 2)))
    }
}
