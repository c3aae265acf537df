internal import CPosix
internal import Glibc
internal import Synchronization

/// Rung by the signal handler; -1: nobody waits for it.
private let suspendBell = Atomic<Int32>(-1)

/// Only rings: the rest is done by a thread.
private func ringSuspendBell(_ number: Int32) {
    let bell = suspendBell.load(ordering: .relaxed), reason = errno
    if bell >= 0 { cposix_wake_ring(bell) }
    errno = reason
}

/// Ctrl-Z: the process must not be halted before the dock stands still and the terminal is given back.
final class Suspension: Sendable {
    /// Readable when the process shall be halted.
    let descriptor = cposix_wake_create()

    /// From now on Ctrl-Z rings instead of halting.
    func install() {
        suspendBell.store(descriptor, ordering: .relaxed)
        signal(SIGTSTP, ringSuspendBell)
    }

    /// Ctrl-Z is what it was.
    func remove() {
        signal(SIGTSTP, SIG_DFL)
        suspendBell.store(-1, ordering: .relaxed)
    }

    /// Halts the process; returns when it goes on.
    func halt() {
        _ = cposix_counter_take(descriptor)
        // To this thread: with `kill` another one could take the signal, and this one would run on for a moment.
        raise(SIGSTOP)
    }

    deinit { close(descriptor) }
}
