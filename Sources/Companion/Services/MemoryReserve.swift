internal import CPosix
public import DockControl

/// Whether the limits of this process (`ulimit`) leave enough memory before anything begins.
///
/// Threads are also started by libraries that go on without them: a run without the thread that ends it does not end. So what they
/// need is tried at the entry. Nothing is checked where there is no limit.
public enum MemoryReserve {
    /// The smallest stack of a thread, bytes: with 128 KiB a run dies, with 256 KiB it works.
    static let stack: UInt64 = 512 << 10
    /// As many threads as a run may have.
    static let threads: UInt64 = 16
    /// What the heap needs beside their stacks, bytes.
    static let heap: UInt64 = 32 << 20
    /// What two heaps reserve, mostly without using it, and mapped files, bytes.
    static let reserve: UInt64 = 256 << 20
    /// The stack of a thread where its size is not limited, bytes.
    private static let usualStack: UInt64 = 8 << 20

    /// Makes sure that stacks are large enough: for every verb.
    /// - Throws: `DockError.cannotOpen` if they are not.
    public static func checkStack() throws(DockError) {
        let limit = cposix_limit_of(cposix_stack)
        guard limit < stack else { return }
        throw error("the stack may have only \(limit >> 10) KiB, and \(stack >> 10) are needed", "ulimit -s 8192")
    }

    /// Makes sure that the threads of a run can be had.
    /// - Throws: `DockError.cannotOpen` if they cannot.
    public static func check() throws(DockError) {
        let limit = cposix_limit_of(cposix_stack), stacks = threads * (limit == .max ? usualStack : limit)
        let data = stacks + heap, space = stacks + reserve
        if cposix_limit_of(cposix_data) != .max, !cposix_has_room(cposix_data, Int(clamping: data)) {
            throw error("less than \(data >> 20) MiB of data are left for threads and heap", "ulimit -d unlimited")
        }
        guard cposix_limit_of(cposix_address_space) != .max else { return }
        // Otherwise the heaps of the first threads may take the place of the stacks of the later ones.
        cposix_share_heaps()
        guard cposix_has_room(cposix_address_space, Int(clamping: space)) else {
            throw error("less than \(space >> 20) MiB of address space are left", "ulimit -v unlimited")
        }
    }

    private static func error(_ what: String, _ command: String) -> DockError {
        DockError(.cannotOpen, what, hint: "raise the limit: `\(command)`")
    }
}
