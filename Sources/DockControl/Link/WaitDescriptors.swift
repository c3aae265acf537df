internal import CPosix
package import DockTypes
internal import Glibc

/// The descriptors on which a thread waits. If the system has none left, the functions throw, because a thread that
/// polls descriptor -1 would wait forever.
package enum WaitDescriptors {
    /// Creates a wake-up descriptor (eventfd).
    /// - Throws: `DockError.cannotOpen` if there is none left.
    package static func wake() throws(DockError) -> Int32 { try checked(cposix_wake_create()) }

    /// Creates a timer descriptor on CLOCK_MONOTONIC.
    /// - Throws: `DockError.cannotOpen` if there is none left.
    package static func timer() throws(DockError) -> Int32 { try checked(cposix_timer_create()) }

    private static func checked(_ descriptor: Int32) throws(DockError) -> Int32 {
        guard descriptor < 0 else { return descriptor }
        throw DockError(.cannotOpen, "no descriptor is left: \(PortFailure.text(errno))", hint: "raise `ulimit -n`")
    }
}
