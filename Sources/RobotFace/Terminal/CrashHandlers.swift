internal import Glibc

/// Signals that end the program because of a bug in it. The program's own service group handles the others.
private let crashSignals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

/// Restores the terminal, and then lets the signal have its default effect.
private func restoreAndDie(_ number: Int32) {
    restoreTerminalInSignalHandler()
    signal(number, SIG_DFL)
    raise(number)
}

/// The handlers that were installed before ours.
struct CrashHandlers: Sendable {
    private var previous: [sigaction] = []

    /// Installs our handlers.
    static func install() -> CrashHandlers {
        var handlers = CrashHandlers()
        for number in crashSignals {
            var action = sigaction(), old = sigaction()
            action.__sigaction_handler.sa_handler = restoreAndDie
            action.sa_flags = Int32(truncatingIfNeeded: SA_ONSTACK)
            sigemptyset(&action.sa_mask)
            sigaction(number, &action, &old)
            handlers.previous.append(old)
        }
        return handlers
    }

    /// Restores the previous handlers.
    func remove() {
        for (number, old) in zip(crashSignals, previous) {
            var old = old
            sigaction(number, &old, nil)
        }
    }

    /// Blocks every signal except the crash signals for the calling thread.
    static func blockOtherSignals() {
        var set = sigset_t()
        sigfillset(&set)
        for number in crashSignals { sigdelset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }
}
