internal import CPosix
internal import Geometry
internal import Glibc
internal import Processes

/// Asks tmux about the outer terminal, which cannot be queried from inside.
enum TmuxClient {
    /// Returns the features of the terminal to which the session is attached, with tmux's names ("RGB", "256", "sync").
    /// They are empty if tmux does not answer in time.
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

    /// Waits for the end of a program, and kills it at the deadline. Returns true if it exited successfully by itself.
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

    /// Returns all output until the end, or nil if it did not end in time.
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

    /// Starts a program whose input and error output are /dev/null. Returns nil if there is no such program.
    private static func spawn(_ words: [String], output: Int32) -> pid_t? {
        let plan = SpawnPlan()
        plan.open("/dev/null", O_RDONLY, as: 0)
        plan.connect(output, to: 1)
        plan.open("/dev/null", O_WRONLY, as: 2)
        // The face's thread blocks all signals, and a child must not inherit that.
        plan.unblockSignals()
        let child = plan.start(words[0], Array(words.dropFirst()))
        return child.error == 0 ? child.id : nil
    }
}
