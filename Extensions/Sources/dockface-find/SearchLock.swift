import DockTypes
import ExtensionKit
import Geometry
import Glibc

/// The running searches of a user. Each locks one byte of a file, at the place of its process number; the kernel takes
/// the lock away when the process ends, however it ends, and says who has it.
enum SearchLock {
    /// How long a search may take to give everything back, in seconds.
    private static let patience: Seconds = 15, politeness: Seconds = 5, period: Seconds = 0.05

    /// Marks this process as a search until it ends.
    static func hold() {
        // Without the lock `find stop` misses this search, which is no reason not to search.
        guard let file = try? open() else { return }
        var lock = byte(Int(getpid()))
        // The descriptor stays open: closing it unlocks.
        _ = fcntl(file, F_SETLK, &lock)
    }

    /// Asks all running searches to end, as Ctrl-C does, and waits until they have. Returns how many there were.
    /// - Throws: `busy` if one does not end.
    static func stopAll() async throws(DockError) -> Int {
        let file = try open()
        defer { close(file) }
        var asked: [Int32: Double] = [:]
        let end = SystemTime.monotonic + patience
        while let process = holder(file) {
            let now = SystemTime.monotonic, since = asked[process] ?? now
            // One that a script has started in the background ignores SIGINT.
            if asked[process] == nil {
                kill(process, SIGINT)
            } else if now - since > politeness {
                kill(process, SIGTERM)
            }
            asked[process] = since
            guard now < end else {
                throw DockError(
                    .busy, "the search of process \(process) does not end", hint: "end it with `kill -9 \(process)`")
            }
            try? await Task.sleep(for: .seconds(period))
        }
        return asked.count
    }

    /// Returns a process that searches, or nil if none does.
    private static func holder(_ file: Int32) -> Int32? {
        var lock = byte(0)
        lock.l_len = 0
        guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 1 else { return nil }
        return lock.l_pid
    }

    private static func byte(_ place: Int) -> flock {
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (place, 1)
        return lock
    }

    private static func open() throws(DockError) -> Int32 {
        let path = try FindPlace.madeFolder() + "/searches.lock"
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            throw DockError(
                .cannotOpen, "\(path): \(String(cString: strerror(errno)))", hint: "see the owner of the folder")
        }
        return file
    }
}
