internal import DockTypes
internal import Glibc

/// Why a file could not be used.
public struct FileTrouble: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was tried: "write chunk_1.part".
    public var action: String
    /// The value of errno.
    public var number: Int32

    /// Creates a reason with the present value of errno.
    init(_ action: String, _ number: Int32 = errno) { (self.action, self.number) = (action, number) }

    /// Whether the disk has no room.
    public var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

    /// "cannot write chunk_1.part: No space left on device".
    public var description: String { "cannot \(action): \(String(cString: strerror(number)))" }

    /// The error for a verb.
    func error(in folder: String) -> DockError {
        DockError(
            [EACCES, EPERM, EROFS].contains(number) ? .permission : .cannotOpen, "\(description) (in \(folder))",
            hint: isFull ? "free some space on that disk" : "check that folder, or choose another one with --folder")
    }
}
