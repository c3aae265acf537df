public import AllSpark
public import ControlProtocol
public import DockTypes
internal import Glibc
public import VideoRecorder

/// The file that tells what has left the machine: `audit.jsonl` in the folder of the recordings, a line for each
/// connection, request and file. When it has 4 MiB, it becomes `audit-old.jsonl`, which replaces the one before.
public struct AuditFile: Sendable {
    /// The size at which another file is begun, in bytes.
    static let most = 4 << 20

    private let path: String, old: String

    /// Names the file of a folder.
    public init(_ folder: ChunkFolder) {
        (path, old) = (folder.path(of: "audit.jsonl"), folder.path(of: "audit-old.jsonl"))
    }

    /// Appends a line, and waits until it is on the disk.
    /// - Throws: `permission`, `cannotOpen`.
    public func append(_ record: AuditRecord) throws(DockError) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(EINVAL) }
        if status.st_size == 0 { FolderOwner.give(descriptor, of: path) }
        let line = record.line
        // A whole line or none: the next one must not be appended to a part of this one.
        let count = write(descriptor, line, line.count)
        guard count == line.count else {
            let number = count < 0 ? errno : ENOSPC
            ftruncate(descriptor, status.st_size)
            throw failure(number)
        }
        guard fdatasync(descriptor) == 0 else { throw failure() }
        if Int(status.st_size) + line.count > Self.most { rename(path, old) }
    }

    /// Reads the lines, the oldest first. Damaged ones are left out.
    /// - Throws: `permission`, `cannotOpen`.
    public func lines() throws(DockError) -> [JSONValue] { try read(old) + read(path) }

    private func read(_ path: String) throws(DockError) -> [JSONValue] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw failure()
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < 2 * Self.most {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return bytes.split(separator: 0x0A).compactMap { JSONValue(json: Array($0)) }
    }

    private func failure(_ number: Int32 = errno) -> DockError {
        DockError(
            [EACCES, EPERM, EROFS].contains(number) ? .permission : .cannotOpen,
            "\(path) cannot be used: \(String(cString: strerror(number)))",
            hint: "check the permissions and the space of that folder")
    }
}
