internal import CPosix
internal import Geometry
internal import Glibc

/// What tmux knows about the outer terminal, which cannot be queried from inside.
enum TmuxClient {
    /// The features of the terminal that the session is attached to, with tmux's names ("RGB", "256", "sync"); empty if tmux
    /// does not answer in time.
    static func features(within time: Seconds) -> Set<String> {
        var output: Int32 = -1, input: Int32 = -1
        guard cposix_pipe(&output, &input) == 0 else { return [] }
        defer { close(output) }
        let deadline = cposix_monotonic_now() + time
        guard let child = spawn(["tmux", "display-message", "-p", "#{client_termfeatures}"], output: input) else {
            close(input)
            return []
        }
        close(input)
        let text = read(output, until: deadline)
        let hasEnded = end(child, by: text == nil ? 0 : deadline)
        let words = String(decoding: text ?? [], as: UTF8.self).split { $0 == "," || $0.isWhitespace }
        return hasEnded ? Set(words.map(String.init)) : []
    }

    /// Waits for the end of a program, and kills it at the deadline; true if it exited successfully by itself.
    private static func end(_ child: pid_t, by deadline: Seconds) -> Bool {
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, WNOHANG)
            if ended == child { return status == 0 }
            if ended < 0, errno != EINTR { return false }
            if cposix_monotonic_now() >= deadline { break }
            poll(nil, 0, 5)
        }
        kill(child, SIGKILL)
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return false
    }

    /// All output until the end; nil if it did not end in time.
    private static func read(_ descriptor: Int32, until deadline: Seconds) -> [UInt8]? {
        var text: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 512)
        while true {
            let left = deadline - cposix_monotonic_now()
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0, text.count < 4096 else { return nil }
            if poll(&wait, 1, Int32(left * 1000) + 1) <= 0 { continue }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return text }
            if count < 0, errno != EINTR { return nil }
            text += chunk.prefix(max(count, 0))
        }
    }

    /// Starts a program whose input and error output are /dev/null; nil if there is no such program.
    private static func spawn(_ words: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // The face's thread blocks all signals; a child must not inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var child: pid_t = 0
        return posix_spawnp(&child, words[0], &actions, &attributes, arguments, environ) == 0 ? child : nil
    }
}
