public import DockTypes
internal import Files
internal import Glibc

/// The right to write in a folder, which one program has at a time. It ends with this object, and with the process.
public final class LogLock: Sendable {
    private let descriptor: Int32

    /// The commands of fcntl(2) for locks of an open file, which its header hides.
    private static let query: Int32 = 36, set: Int32 = 37

    /// Takes the right.
    /// - Throws: `portBusy` if another program has it, `permission`, `cannotOpen`.
    public init(_ folder: LogFolder) throws(DockError) {
        descriptor = openat(
            folder.folder.descriptor, Self.name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw folder.failure("lock", errno) }
        var range = Self.whole
        guard fcntl(descriptor, Self.set, &range) == 0 else {
            let number = errno
            close(descriptor)
            guard number == EAGAIN || number == EACCES else { throw folder.failure("lock", number) }
            throw DockError(
                .portBusy, "another dockface-log already records in \(folder.path)",
                hint: "stop it first, or choose another folder with --folder")
        }
    }

    deinit { close(descriptor) }

    /// Returns whether a program records in a folder. The question does not disturb that program.
    public static func isHeld(_ folder: LogFolder) -> Bool {
        let descriptor = openat(folder.folder.descriptor, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var range = whole
        return fcntl(descriptor, query, &range) == 0 && range.l_type != Int16(F_UNLCK)
    }

    private static let name = "lock"
    private static var whole: flock {
        var range = flock()
        (range.l_type, range.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        return range
    }
}
