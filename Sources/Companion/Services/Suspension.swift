internal import CPosix
package import DockControl
internal import Glibc
internal import Synchronization

/// Rung by the signal handler; -1: nobody waits for it.
private let suspendBell = Atomic<Int32>(-1), continueBell = Atomic<Int32>(-1)

/// Only rings: the rest is done by a thread.
private func ringSuspensionBell(_ number: Int32) {
    let reason = errno
    let bell = number == SIGCONT ? continueBell.load(ordering: .relaxed) : suspendBell.load(ordering: .relaxed)
    if bell >= 0 { cposix_wake_ring(bell) }
    errno = reason
}

/// Ctrl-Z: the process must not be halted before the dock stands still and the terminal is given back; and after any
/// halt, also one that nobody could prevent (STOP), the terminal has to be taken again.
package final class Suspension: Sendable {
    /// Readable when the process shall be halted.
    package let suspended: Int32
    /// Readable when the process was halted and goes on.
    package let continued: Int32

    /// Nothing is installed yet.
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

    /// From now on Ctrl-Z rings instead of halting.
    package func install() {
        suspendBell.store(suspended, ordering: .relaxed)
        continueBell.store(continued, ordering: .relaxed)
        signal(SIGTSTP, ringSuspensionBell)
        signal(SIGCONT, ringSuspensionBell)
    }

    /// Ctrl-Z is what it was.
    package func remove() {
        signal(SIGTSTP, SIG_DFL)
        signal(SIGCONT, SIG_DFL)
        suspendBell.store(-1, ordering: .relaxed)
        continueBell.store(-1, ordering: .relaxed)
    }

    /// Halts the process; returns when it goes on.
    package func halt() {
        _ = cposix_counter_take(suspended)
        // Nor must another thread ring for this end of the halt when this one is past it: the terminal would be taken once more,
        // and what was typed meanwhile be lost. Whoever is back from a halt has seen the signal taken.
        signal(SIGCONT, SIG_DFL)
        // To this thread: with `kill` another one could take the signal, and this one would run on for a moment.
        raise(SIGSTOP)
        signal(SIGCONT, ringSuspensionBell)
        _ = cposix_counter_take(continued)
    }

    deinit {
        close(suspended)
        close(continued)
    }
}
