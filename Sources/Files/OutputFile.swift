public import DockTypes
internal import Glibc

/// Files that a person names as the output of a verb or a run: `--output`, `--png`, `--trace`.
///
/// `PathWalk` decides which links are followed. Devices and pipes are permitted. A pipe without a reader does not
/// block.
public enum OutputFile {
    /// How long the reader of a pipe may pause, in seconds.
    static let patience = 5.0

    /// Opens a file for writing from its beginning, and creates it if it is missing.
    /// - Parameter mode: permissions of a new file.
    /// - Returns: a non-blocking descriptor; the caller closes it.
    /// - Throws: `permission` or `cannotOpen`, as the system reports.
    public static func open(_ path: String, mode: UInt32 = 0o600) throws(DockError) -> Int32 {
        do throws(PathFailure) {
            return try open(FilePlace.find(path), mode: mode)
        } catch {
            throw failure(path, error)
        }
    }

    /// Replaces a file atomically: a reader finds either the old or the new contents. It writes to a device or pipe
    /// directly.
    /// - Parameter mode: permissions of a new file; usually all users can read it. An existing file of this user keeps
    ///   its own, and its group.
    /// - Throws: the errors of `open`.
    public static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o644) throws(DockError) {
        do throws(PathFailure) {
            let place = try FilePlace.find(path)
            let status: stat? = try place.isKernelLink ? nil : place.folder.status(of: place.name)
            let kind = place.isKernelLink ? S_IFCHR : status.map { $0.st_mode & S_IFMT }
            if kind == nil || kind == S_IFREG {
                guard let status, isOwn(status) else { return try StoredFile.replace(place, with: bytes, mode: mode) }
                return try StoredFile.replace(
                    place, with: bytes, mode: status.st_mode & 0o777, group: status.st_gid)
            }
            let descriptor = try open(place, mode: 0o600)
            defer { close(descriptor) }
            try put(bytes, into: descriptor)
        } catch {
            throw verbFailure(path, error)
        }
    }

    /// Returns whether this user has made a file. Otherwise another user may have chosen its permissions: with a file of
    /// theirs, or with another hard link.
    private static func isOwn(_ status: stat) -> Bool { status.st_uid == geteuid() && status.st_nlink == 1 }

    /// Writes a file from its beginning.
    /// - Throws: the errors of `open`.
    public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(DockError) {
        do throws(PathFailure) {
            let descriptor = try open(FilePlace.find(path), mode: mode)
            defer { close(descriptor) }
            try put(bytes, into: descriptor)
        } catch {
            throw verbFailure(path, error)
        }
    }

    private static func open(_ place: FilePlace, mode: UInt32) throws(PathFailure) -> Int32 {
        let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        if place.isKernelLink {
            let descriptor = openat(place.folder.descriptor, place.name, flags | O_TRUNC)
            guard descriptor >= 0 else { throw PathFailure(number: errno) }
            return descriptor
        }
        var descriptor = openat(place.folder.descriptor, place.name, flags | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
        if descriptor >= 0 { return descriptor }
        guard errno == EEXIST else { throw PathFailure(number: errno) }
        descriptor = openat(place.folder.descriptor, place.name, flags | O_NOFOLLOW)
        guard descriptor >= 0 else { throw PathFailure(number: errno) }
        do throws(PathFailure) {
            try check(descriptor, place)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Checks a file in a folder that others can write to: it may belong to them, or be a hard link to another file of
    /// this user.
    private static func check(_ descriptor: Int32, _ place: FilePlace) throws(PathFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw PathFailure(number: errno) }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        if place.folder.trust.problemForLinks != nil {
            let path = place.folder.path + "/" + place.name, hint = "remove it, or name another file"
            guard status.st_uid == geteuid() || status.st_uid == 0 else {
                throw PathFailure(number: EPERM, text: "\(path) belongs to user \(status.st_uid)", hint: hint)
            }
            guard !isRegular || status.st_nlink == 1 else {
                throw PathFailure(number: EPERM, text: "\(path) has another hard link", hint: hint)
            }
        }
        guard !isRegular || ftruncate(descriptor, 0) == 0 else { throw PathFailure(number: errno) }
    }

    private static func put(_ bytes: [UInt8], into descriptor: Int32) throws(PathFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if poll(&room, 1, Int32(patience * 1000)) > 0 { continue }
                throw PathFailure(
                    number: EAGAIN, text: "its reader has stopped reading", hint: "read it, or name another file")
            }
            guard count > 0 else { throw PathFailure(number: count < 0 ? errno : EIO) }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ path: String, _ failure: PathFailure) -> DockError {
        var failure = failure
        if failure.number == ENXIO {
            failure.text = "the pipe has no reader"
            failure.hint = "start the reader first"
        }
        failure.hint = failure.hint ?? "name another file"
        return StoredFile.failure("write", path, failure)
    }

    /// Returns the error for a verb, for which an impossible path is a wrong argument.
    private static func verbFailure(_ path: String, _ problem: PathFailure) -> DockError {
        let error = failure(path, problem)
        guard [ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP, EINVAL].contains(problem.number) else { return error }
        return DockError(.configuration, error.message, hint: error.hint)
    }
}
