internal import DockTypes
internal import Files
internal import Glibc

/// A file that contains whole chunks only. What a write that failed has left is taken away again.
final class LogFile {
    let path: String
    private let descriptor: Int32
    /// The bytes of the chunks so far.
    private(set) var length = 0

    /// Creates the file, for its owner only.
    /// - Parameter replaces: whether a file that exists is emptied. Otherwise it is an error.
    init(_ path: String, replaces: Bool) throws(DockError) {
        self.path = path
        if replaces {
            descriptor = try OutputFile.open(path)
        } else {
            descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure(path, errno) }
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw DockError(.configuration, "\(path) is not a regular file", hint: "name a file on a disk")
        }
        // A file that is replaced keeps its mode, and others may have been able to read it.
        guard fchmod(descriptor, 0o600) == 0 else {
            let number = errno
            close(descriptor)
            throw Self.failure(path, number)
        }
    }

    deinit { close(descriptor) }

    /// Appends bytes, or leaves the file as it was.
    func append(_ bytes: [UInt8]) throws(DockError) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = count < 0 ? errno : EIO
                // Without this a reader would find a chunk that lacks its end.
                if ftruncate(descriptor, off_t(length)) == 0 { lseek(descriptor, off_t(length), SEEK_SET) }
                throw Self.failure(path, number)
            }
            done += count
        }
        length += bytes.count
    }

    /// The bytes that are free on the disk, or nil if it does not say so.
    var free: Int? {
        var disk = statvfs()
        guard fstatvfs(descriptor, &disk) == 0 else { return nil }
        let (bytes, isHuge) = Int(clamping: disk.f_bavail).multipliedReportingOverflow(by: Int(clamping: disk.f_frsize))
        return isHuge ? .max : bytes
    }

    /// Waits until everything is on the disk.
    func synchronise() { fsync(descriptor) }

    /// Removes the file, unless another one has taken its name.
    func remove() {
        var mine = stat(), named = stat()
        guard fstat(descriptor, &mine) == 0, lstat(path, &named) == 0, mine.st_ino == named.st_ino,
            mine.st_dev == named.st_dev
        else { return }
        unlink(path)
        length = 0
    }

    private static func failure(_ path: String, _ number: Int32) -> DockError {
        let message = "cannot write \(path): \(String(cString: strerror(number)))"
        return switch number {
        case EEXIST: DockError(.configuration, "\(path) exists already", hint: "name another file, or add --replace")
        case ENOSPC, EDQUOT, EFBIG: DockError(.cannotOpen, message, hint: "free some space on that disk")
        case EACCES, EPERM, EROFS: DockError(.permission, message, hint: "name a file in a folder of this user")
        default: DockError(.cannotOpen, message, hint: "name another file")
        }
    }
}
