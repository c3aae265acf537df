internal import CPosix
internal import Glibc

/// A child program in its own process group. The processes that it starts end with it, and all of them end with the
/// daemon (`Reaper`).
public struct ChildProcess: Sendable {
    /// How a program ended.
    public enum Ending: Sendable, Equatable {
        /// By itself, with an exit status.
        case exited(Int32)
        /// By a signal.
        case signalled(Int32)
    }

    /// The reason why a program could not be started.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// What happened.
        public let description: String
        /// The value of errno.
        public let number: Int32
    }

    /// The process id, which is also the group's.
    public let identifier: Int32
    /// Becomes readable when the process has ended; -1 if the kernel cannot report that. The owner must call `close`.
    public let descriptor: Int32

    /// Starts a program; it is searched for as in a shell.
    /// - Parameter words: the program and its arguments, at least one.
    /// - Parameter descriptors: the child's number of a descriptor, and ours. If 0, 1 or 2 is missing, it is connected
    ///   to /dev/null; all descriptors above the highest are closed.
    /// - Parameter leadsSession: whether it gets a new session, too, so that only what it starts can be in its group.
    ///   Without one, other programs of the same session can join the group.
    public init(_ words: [String], descriptors: [Int32: Int32], leadsSession: Bool = false) throws(Failure) {
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        // Copies have high numbers, so that none occupies another's place.
        var copies: [Int32] = []
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            for copy in copies { Glibc.close(copy) }
        }
        for standard: Int32 in 0...2 where descriptors[standard] == nil {
            posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", standard == 0 ? O_RDONLY : O_WRONLY, 0)
        }
        for (theirs, ours) in descriptors.sorted(by: { $0.key < $1.key }) {
            let copy = fcntl(ours, F_DUPFD_CLOEXEC, 64)
            guard copy >= 0 else { throw Self.failure(words, errno) }
            copies.append(copy)
            posix_spawn_file_actions_adddup2(&actions, copy, theirs)
        }
        // Libraries open ports, which a child would otherwise keep open.
        _ = cposix_spawn_closes_from(&actions, max(descriptors.keys.max() ?? 2, 2) + 1)
        // Our threads block all signals and ignore some; a child must not inherit that.
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        // The leader of a session leads its group already, and may not change it.
        let group = leadsSession ? cposix_spawn_session_flag() : Int16(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | group)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var child: pid_t = 0
        let status = posix_spawnp(&child, words.first ?? "", &actions, &attributes, arguments, environ)
        guard status == 0 else { throw Self.failure(words, status) }
        identifier = child
        Reaper.watch(child)
        descriptor = cposix_process_descriptor(child)
    }

    /// Starts a program with pipes; each may be nil because the system had no descriptors left.
    public init(_ words: [String], pipes: [Int32: Int32?], leadsSession: Bool = false) throws(Failure) {
        guard !pipes.values.contains(nil) else { throw Self.failure(words, EMFILE) }
        try self.init(words, descriptors: pipes.compactMapValues { $0 }, leadsSession: leadsSession)
    }

    private static func failure(_ words: [String], _ number: Int32) -> Failure {
        Failure(description: "\(words.first ?? "no program"): \(String(cString: strerror(number)))", number: number)
    }

    /// Sends a signal to the process and to everything that it has started.
    public func signal(_ number: Int32) { kill(-identifier, number) }

    /// Returns how it ended, or nil if it has not. It returns the result only once, because the process ID may be
    /// reused afterwards.
    public func ending() -> Ending? {
        var status: Int32 = 0
        let ended = waitpid(identifier, &status, WNOHANG)
        guard ended != 0 else { return nil }
        // Processes that it has left running end too.
        kill(-identifier, SIGKILL)
        Reaper.forget(identifier)
        // Another part of this process has collected the status, so it is unknown.
        guard ended == identifier else { return .exited(0) }
        let number = status & 0x7F
        return number == 0 ? .exited((status >> 8) & 0xFF) : .signalled(number)
    }

    /// Closes `descriptor`, once, after the process has ended.
    public func close() { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Kills the process, and waits until it is gone.
    public func end() {
        signal(SIGKILL)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        Reaper.forget(identifier)
    }
}

extension ChildProcess.Ending: CustomStringConvertible {
    /// The ending in words, for a log.
    public var description: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .signalled(let number): "signal \(number) (\(String(cString: strsignal(number))))"
        }
    }
}
