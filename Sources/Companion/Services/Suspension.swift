internal import CPosix
internal import DockControl
package import DockTypes
internal import Glibc
internal import Synchronization

/// The bells that the signal handler rings; -1 if not installed.
private let suspendBell = Atomic<Int32>(-1), continueBell = Atomic<Int32>(-1)

/// Rings a bell and does nothing else. A thread does the rest.
private func ringSuspensionBell(_ number: Int32) {
    let reason = errno
    let bell = number == SIGCONT ? continueBell.load(ordering: .relaxed) : suspendBell.load(ordering: .relaxed)
    if bell >= 0 { cposix_wake_ring(bell) }
    errno = reason
}

/// Handles Ctrl-Z: the process must not be halted before the dock is at rest and the terminal is restored. After any
/// halt, even one that cannot be prevented (STOP), the terminal must be taken over again.
package final class Suspension: Sendable {
    /// The descriptor that is readable when the process should be halted.
    package let suspended: Int32
    /// The descriptor that is readable when the process was halted and continues.
    package let continued: Int32

    /// Opens the descriptors. The handlers are not installed yet.
    /// - Throws: `DockError` if the system has no descriptors left.
    package init() throws(DockError) {
        suspended = try WaitDescriptors.wake()
        do {
            continued = try WaitDescriptors.wake()
        } catch {
            close(suspended)
            throw error
        }
    }

    /// Installs the handlers: Ctrl-Z rings instead of halting.
    package func install() {
        suspendBell.store(suspended, ordering: .relaxed)
        continueBell.store(continued, ordering: .relaxed)
        signal(SIGTSTP, ringSuspensionBell)
        signal(SIGCONT, ringSuspensionBell)
    }

    /// Restores the default handling of SIGTSTP and SIGCONT.
    package func remove() {
        signal(SIGTSTP, SIG_DFL)
        signal(SIGCONT, SIG_DFL)
        suspendBell.store(-1, ordering: .relaxed)
        continueBell.store(-1, ordering: .relaxed)
    }

    /// Halts the process. Returns when it continues.
    package func halt() {
        _ = cposix_counter_take(suspended)
        // Another thread must not ring for the end of this halt after this one has passed it: otherwise the terminal
        // would be taken over once more, and text typed in the meantime would be lost. When this thread resumes, the
        // signal has already been handled.
        signal(SIGCONT, SIG_DFL)
        // `raise` addresses this thread, and the whole process halts at once. With `kill` another thread could receive
        // the signal, and this one would continue for a moment.
        raise(SIGSTOP)
        signal(SIGCONT, ringSuspensionBell)
        _ = cposix_counter_take(continued)
    }

    deinit {
        close(suspended)
        close(continued)
    }
}
