internal import CPosix
internal import DockClient
internal import DockControl
internal import DockTypes
internal import Files
internal import Glibc
internal import Processes

/// The listening socket with its file, its folder and its lock. The holder of the lock is the only daemon at this path,
/// so a socket file that it finds there is left over from a dead daemon.
final class ControlSocket: Sendable {
    let path: String
    /// The listening descriptor; non-blocking.
    let descriptor: Int32
    /// Whether a group may connect, besides the daemon's user and root.
    let isShared: Bool
    private let group: gid_t?
    private let held: Locked<Held>

    /// The lock, and the files at the path.
    private struct Held {
        var lock: Int32
        /// The identities of the socket file and the lock file when they were created.
        var files: Files
    }

    private struct Files: Equatable {
        var socket: Place?, lock: Place?

        init(at path: String) { (socket, lock) = (Place(path), Place(path + ".lock")) }
    }

    /// The identity of a file.
    private struct Place: Equatable {
        var device: dev_t, number: ino_t

        init?(_ path: String) {
            var info = Glibc.stat()
            guard lstat(path, &info) == 0 else { return nil }
            (device, number) = (info.st_dev, info.st_ino)
        }
    }

    /// Listens at a path and creates a missing folder. Members of `group` (a name) may also connect.
    /// - Throws: `configuration` if there is no such group, `portBusy` if another daemon listens there, `permission` if
    ///   the folder is not safe, otherwise `cannotOpen`.
    init(path: String, group: String? = nil) throws(DockError) {
        guard ControlSocketPath.withAddress(path, { _, _ in true }) != nil else {
            throw DockError(
                .cannotOpen, "the socket's path must have 1 to \(ControlSocketPath.longest) bytes: \(path.prefix(120))",
                hint: "pass a shorter one: --socket PATH")
        }
        self.path = path
        isShared = group != nil
        let groupID = try Self.number(of: group)
        self.group = groupID
        try Self.prepareFolder(of: path)
        let lock = try Self.acquireLock(path)
        do throws(DockError) {
            try Self.removeStale(path)
            descriptor = try Self.listen(path, group: groupID)
        } catch {
            Self.release(lock, path)
            throw error
        }
        held = Locked(Held(lock: lock, files: Files(at: path)))
    }

    /// Whether the files of socket and lock are still the original ones. Without the socket file no program can
    /// connect; without the lock file another daemon can take over the path.
    var isThere: Bool {
        let files = held.withLock(\.files)
        return files.socket != nil && files.lock != nil && Files(at: path) == files
    }

    /// Creates missing files again and listens there with the same descriptor. Returns false if none is missing.
    /// - Throws: the same errors as the initialiser. Files that were created before the error remain, and the rest is
    ///   unchanged.
    func restore() throws(DockError) -> Bool {
        let old = held.withLock { $0 }
        let found = Files(at: path)
        guard old.files != found || found.socket == nil || found.lock == nil else { return false }
        try Self.prepareFolder(of: path)
        if found.lock == nil || found.lock != old.files.lock {
            let lock = try Self.acquireLock(path)
            Glibc.close(old.lock)
            let place = Place(path + ".lock")
            held.withLock { ($0.lock, $0.files.lock) = (lock, place) }
        }
        if found.socket == nil || found.socket != old.files.socket {
            try Self.removeStale(path)
            let new = try Self.listen(path, group: group)
            defer { Glibc.close(new) }
            guard dup2(new, descriptor) >= 0 else { throw Self.failure("no socket", "close some programs") }
            _ = cposix_set_cloexec(descriptor)
            let place = Place(path)
            held.withLock { $0.files.socket = place }
        }
        return true
    }

    /// Stops listening, and removes the files if they are still the original ones.
    func close() {
        let held = held.withLock { $0 }
        Glibc.close(descriptor)
        let found = Files(at: path)
        if found.socket == held.files.socket { unlink(path) }
        if found.lock == held.files.lock { unlink(path + ".lock") }
        Glibc.close(held.lock)
    }

    // MARK: folder

    private static func prepareFolder(of path: String) throws(DockError) {
        _ = try TrustedFolder.open(
            ControlSocketPath.folder(of: path), makes: .last, takesPublic: true,
            hint: "set XDG_RUNTIME_DIR to a folder of your own, or pass --socket PATH")
    }

    // MARK: lock

    private static func acquireLock(_ path: String) throws(DockError) -> Int32 {
        let file = path + ".lock"
        // A daemon that ends removes the file, perhaps between our opening and locking it.
        for _ in 0..<100 {
            let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw failure("cannot open \(file)", "pass --socket PATH") }
            guard cposix_lock_exclusive(descriptor) == 0 else {
                defer { Glibc.close(descriptor) }
                throw busy(path, process: process(in: descriptor))
            }
            var mine = Glibc.stat(), there = Glibc.stat()
            if fstat(descriptor, &mine) == 0, lstat(file, &there) == 0, mine.st_ino == there.st_ino {
                // In a public folder the lock may be a hard link to a file of ours.
                guard mine.st_mode & S_IFMT == S_IFREG, mine.st_uid == geteuid(), mine.st_nlink == 1 else {
                    Glibc.close(descriptor)
                    throw DockError(
                        .permission, "\(file) is not a lock file of this user", hint: "remove it, or pass --socket PATH"
                    )
                }
                let text = "\(getpid())\n"
                _ = ftruncate(descriptor, 0)
                _ = write(descriptor, text, text.utf8.count)
                return descriptor
            }
            Glibc.close(descriptor)
        }
        throw DockError(.cannotOpen, "cannot lock \(file)", hint: "pass --socket PATH")
    }

    private static func release(_ lock: Int32, _ path: String) {
        unlink(path + ".lock")
        Glibc.close(lock)
    }

    private static func process(in lock: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = pread(lock, &bytes, bytes.count, 0)
        return count > 0 ? Int(String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)) : nil
    }

    // MARK: socket

    /// Removes a socket file if no process listens on it. The probe is needed because a process that does not hold our
    /// lock may listen there.
    private static func removeStale(_ path: String) throws(DockError) {
        var info = Glibc.stat()
        guard lstat(path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFSOCK else {
            throw DockError(.cannotOpen, "\(path) exists and is not a socket", hint: "remove it, or pass --socket PATH")
        }
        let probe = try make()
        defer { Glibc.close(probe) }
        let answer = ControlSocketPath.withAddress(path) { connect(probe, $0, $1) == 0 ? 0 : errno } ?? ENOENT
        guard answer == ECONNREFUSED || answer == ENOENT else { throw busy(path, process: nil) }
        unlink(path)
    }

    private static func number(of group: String?) throws(DockError) -> gid_t? {
        guard let group else { return nil }
        guard let row = getgrnam(group) else {
            throw DockError(
                .configuration, "unknown group \"\(group)\" for sharing the socket",
                hint: "create it with `sudo groupadd --system \(group)`, or remove socket_group")
        }
        return row.pointee.gr_gid
    }

    private static func listen(_ path: String, group: gid_t?) throws(DockError) -> Int32 {
        let descriptor = try make()
        let isBound = ControlSocketPath.withAddress(path) { bind(descriptor, $0, $1) == 0 } ?? false
        // No client can connect before `listen`, so none can connect before `chmod`.
        let isGiven = group.map { chown(path, uid_t.max, $0) == 0 } ?? true
        guard isBound, isGiven, chmod(path, group == nil ? 0o600 : 0o660) == 0, Glibc.listen(descriptor, 256) == 0
        else {
            let error = failure("cannot listen at \(path)", "pass --socket PATH")
            Glibc.close(descriptor)
            if isBound { unlink(path) }
            throw error
        }
        return descriptor
    }

    private static func make() throws(DockError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw failure("no socket", "close some programs") }
        return descriptor
    }

    private static func failure(_ what: String, _ hint: String) -> DockError {
        let isDenied = errno == EACCES || errno == EPERM || errno == EROFS
        return DockError(
            isDenied ? .permission : .cannotOpen, "\(what): \(String(cString: strerror(errno)))", hint: hint)
    }

    private static func busy(_ path: String, process: Int?) -> DockError {
        let who = process.map { "another dockface (process \($0))" } ?? "another program"
        return DockError(
            .portBusy, "\(who) listens at \(path)", hint: "stop it, or use another path: --socket PATH")
    }
}
