internal import CPosix
internal import DockControl
public import DockTypes

/// Checks that the limits of this process (`ulimit`) leave enough memory before the start.
///
/// Libraries also start threads, and continue without them on failure. A run without the thread that ends it never
/// ends, so the memory for threads is tested at the start. Without a limit nothing is tested.
public enum MemoryReserve {
    /// The minimum stack size of a thread, in bytes. With 128 KiB a run crashes, with 256 KiB it works.
    static let stack: UInt64 = 512 << 10
    /// The maximum number of threads of a run.
    static let threads: UInt64 = 16
    /// The memory of the heap besides the stacks, in bytes.
    static let heap: UInt64 = 32 << 20
    /// The address space that two heaps reserve, mostly unused, and that of mapped files, in bytes.
    static let reserve: UInt64 = 256 << 20
    /// The stack size of a thread if it is not limited, in bytes.
    private static let usualStack: UInt64 = 8 << 20

    /// Checks that stacks are large enough for every verb.
    /// - Throws: `DockError.cannotOpen` if they are not.
    public static func checkStack() throws(DockError) {
        let limit = cposix_limit_of(cposix_stack)
        guard limit < stack else { return }
        throw error("the stack may have only \(limit >> 10) KiB, and \(stack >> 10) are needed", "ulimit -s 8192")
    }

    /// Checks that there is enough memory for the threads of a run.
    /// - Throws: `DockError.cannotOpen` if there is not.
    public static func check() throws(DockError) {
        let limit = cposix_limit_of(cposix_stack), stacks = threads * (limit == .max ? usualStack : limit)
        let data = stacks + heap, space = stacks + reserve
        if cposix_limit_of(cposix_data) != .max, !cposix_has_room(cposix_data, Int(clamping: data)) {
            throw error("less than \(data >> 20) MiB of data are left for threads and heap", "ulimit -d unlimited")
        }
        guard cposix_limit_of(cposix_address_space) != .max else { return }
        // Otherwise the heaps of the first threads could take the space for the stacks of the later ones.
        cposix_share_heaps()
        guard cposix_has_room(cposix_address_space, Int(clamping: space)) else {
            throw error("less than \(space >> 20) MiB of address space are left", "ulimit -v unlimited")
        }
    }

    private static func error(_ what: String, _ command: String) -> DockError {
        DockError(.cannotOpen, what, hint: "raise the limit: `\(command)`")
    }
}
