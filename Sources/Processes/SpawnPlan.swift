internal import CPosix
internal import Glibc

/// One call of `posix_spawn`, for callers that need more control than `ChildProcess` gives: its descriptors and its
/// attributes.
public final class SpawnPlan {
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    private var flags: Int16 = 0

    /// Creates a plan in which the program inherits everything.
    public init() {
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
    }

    deinit {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    /// Connects a descriptor of ours to a descriptor of the program.
    public func connect(_ descriptor: Int32, to number: Int32) {
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }

    /// Opens a file as a descriptor of the program; `mode` is O_RDONLY, O_WRONLY or O_RDWR.
    public func open(_ path: String, _ mode: Int32, as number: Int32) {
        posix_spawn_file_actions_addopen(&actions, number, path, mode, 0)
    }

    /// Closes all descriptors of the program from `first` on.
    public func closeAll(from first: Int32) { _ = cposix_spawn_closes_from(&actions, first) }

    /// Unblocks all signals in the program, even those that our thread blocks.
    public func unblockSignals() {
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        flags |= Int16(POSIX_SPAWN_SETSIGMASK)
    }

    /// Gives every signal its default action, even those that we ignore.
    public func resetSignals() {
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        flags |= Int16(POSIX_SPAWN_SETSIGDEF)
    }

    /// Starts a new session, so that Ctrl-C at our terminal does not reach the program. The first terminal that it
    /// opens becomes its controlling terminal.
    public func beginSession() {
        let newSession: Int16 = 0x80
        flags |= newSession
    }

    /// Uses the normal scheduling class, even if ours differs.
    public func useNormalScheduling() {
        var parameters = sched_param()
        parameters.sched_priority = 0
        posix_spawnattr_setschedpolicy(&attributes, SCHED_OTHER)
        posix_spawnattr_setschedparam(&attributes, &parameters)
        flags |= Int16(POSIX_SPAWN_SETSCHEDULER)
    }

    /// Starts the program.
    /// - Parameters:
    ///   - program: its path, or a name that is looked up in PATH.
    ///   - environment: entries of the form "NAME=value", or nil for our own environment.
    /// - Returns: its process ID, or the system's error number (`errno`).
    public func start(_ program: String, _ arguments: [String], environment: [String]? = nil) -> (
        id: Int32, error: Int32
    ) {
        posix_spawnattr_setflags(&attributes, flags)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = (environment ?? []).map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var id: pid_t = 0
        let error =
            environment == nil
            ? posix_spawnp(&id, program, &actions, &attributes, &words, environ)
            : posix_spawnp(&id, program, &actions, &attributes, &words, &variables)
        return (id, error)
    }
}
