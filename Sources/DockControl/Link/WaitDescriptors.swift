internal import CPosix
internal import Glibc

/// What a thread waits on. Where the system has none left it is told: a thread that waits on descriptor -1 waits for ever.
package enum WaitDescriptors {
    /// A wake-up descriptor (eventfd).
    /// - Throws: `DockError.cannotOpen` if there is none left.
    package static func wake() throws(DockError) -> Int32 { try checked(cposix_wake_create()) }

    /// A timer descriptor on CLOCK_MONOTONIC.
    /// - Throws: `DockError.cannotOpen` if there is none left.
    package static func timer() throws(DockError) -> Int32 { try checked(cposix_timer_create()) }

    private static func checked(_ descriptor: Int32) throws(DockError) -> Int32 {
        guard descriptor < 0 else { return descriptor }
        throw DockError(.cannotOpen, "no descriptor is left: \(PortFailure.text(errno))", hint: "raise `ulimit -n`")
    }
}
