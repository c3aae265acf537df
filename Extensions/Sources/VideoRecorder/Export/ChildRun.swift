internal import Geometry
internal import Glibc
internal import Processes

/// A program that is run to its end, for a verb: it gets bytes, and its errors are kept.
struct ChildRun {
    /// How it ended.
    let ending: ChildProcess.Ending
    /// The last line of its standard error, or nil.
    let complaint: String?
    /// The beginning of its standard output.
    let output: [UInt8]

    /// Runs a program.
    /// - Parameters:
    ///   - words: the program and its arguments.
    ///   - bytes: what it reads from its standard input.
    ///   - patience: the time after which it is killed, in seconds.
    ///   - most: how much of its output is kept, in bytes.
    ///   - files: other files that it may use: its number of each, and ours, which stays open.
    static func run(
        _ words: [String], input bytes: [UInt8] = [], patience: Seconds = 3600, most: Int = 1 << 20,
        also files: [Int32: Int32] = [:]
    ) throws(ChildProcess.Failure) -> ChildRun {
        var input = ChildPipe(), output = ChildPipe(), errors = ChildPipe()
        var ends: [Int32: Int32?] = [
            0: input.open(toChild: true), 1: output.open(toChild: false), 2: errors.open(toChild: false),
        ]
        // `start` closes its ends.
        for (theirs, ours) in files {
            let copy = fcntl(ours, F_DUPFD_CLOEXEC, 3)
            ends[theirs] = .some(copy < 0 ? nil : copy)
        }
        defer {
            input.close()
            output.close()
            errors.close()
        }
        // A program that ends before it has read its input is an error of that write, not the end of this one.
        signal(SIGPIPE, SIG_IGN)
        let child = try start(words, ends)
        defer { child.close() }
        var rest = bytes[...], log = ChildLog(), kept: [UInt8] = []
        let end = ClockReading.now().monotonic + patience
        while output.descriptor >= 0 || errors.descriptor >= 0 {
            if rest.isEmpty { input.close() }
            var waits = [
                pollfd(fd: input.descriptor, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&waits, 3, 500)
            let now = ClockReading.now().monotonic
            if now > end { child.signal(SIGKILL) }
            if waits[0].revents != 0 { rest = rest.dropFirst(rest.withUnsafeBytes { input.write($0) }) }
            if waits[1].revents != 0 { _ = output.read { kept.append(contentsOf: $0.prefix(most - kept.count)) } }
            if waits[2].revents != 0 { _ = errors.read { log.feed($0, now: now) } }
        }
        var ending = child.ending()
        while ending == nil {
            usleep(1000)
            ending = child.ending()
        }
        _ = log.lines(now: end, isEnd: true)
        return ChildRun(ending: ending ?? .exited(0), complaint: log.last, output: kept)
    }

    private static func start(
        _ words: [String], _ ends: [Int32: Int32?]
    ) throws(ChildProcess.Failure) -> ChildProcess {
        defer { for case let end? in ends.values { close(end) } }
        return try ChildProcess(words, pipes: ends)
    }
}
