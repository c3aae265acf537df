public import DockTypes
internal import Glibc
internal import PlainText
internal import Synchronization

/// The right to write in a folder, which one recorder has at a time. It ends with this object, and with the process.
public final class RecorderLock: Sendable {
    private let held: Mutex<Int32>

    /// The commands of fcntl(2) for locks of an open file, which its header hides.
    private static let query: Int32 = 36, set: Int32 = 37
    private static let name = "lock"
    /// The longest note, in bytes.
    private static let longest = 100

    /// Takes the right.
    /// - Parameter note: what others are to know of this recorder, at most 100 bytes.
    /// - Throws: `portBusy` if another recorder has it, `permission`, `cannotOpen`.
    public init(_ folder: ChunkFolder, note: String = "") throws(DockError) {
        let descriptor: Int32
        do throws(FileTrouble) {
            descriptor = try folder.open(Self.name, O_RDWR | O_CREAT)
        } catch {
            throw error.error(in: folder.path)
        }
        var range = Self.whole
        guard fcntl(descriptor, Self.set, &range) == 0 else {
            let trouble = FileTrouble("lock the folder")
            close(descriptor)
            guard trouble.number == EAGAIN || trouble.number == EACCES else { throw trouble.error(in: folder.path) }
            throw DockError(
                .portBusy, "another recorder uses \(folder.path)",
                hint: "stop it first, or choose another folder with --folder")
        }
        held = Mutex(descriptor)
        // A note that cannot be written is missing.
        let bytes = Array(note.utf8.prefix(Self.longest))
        guard ftruncate(descriptor, 0) == 0, !bytes.isEmpty else { return }
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    deinit { release() }

    /// Gives the right back. Idempotent.
    public func release() {
        held.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Returns whether a recorder uses a folder. The question does not disturb it.
    public static func isHeld(_ folder: ChunkFolder) -> Bool {
        guard let descriptor = try? folder.open(name, O_RDWR) else { return false }
        defer { close(descriptor) }
        var range = whole
        return fcntl(descriptor, query, &range) == 0 && range.l_type != Int16(F_UNLCK)
    }

    /// Returns the note of the recorder that uses a folder; empty if there is none, or if no recorder uses it.
    public static func note(_ folder: ChunkFolder) -> String {
        guard isHeld(folder), let descriptor = try? folder.open(name, O_RDONLY) else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? ForeignText.line(bytes: bytes[..<count], longest: longest) : ""
    }

    private static var whole: flock {
        var range = flock()
        (range.l_type, range.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        return range
    }
}
