internal import CPosix
internal import Dispatch
internal import DockControl
internal import DockTypes
internal import Files
internal import Geometry
internal import Glibc

/// Writes a whole session to a file while it runs, on its own queue. The loop puts its records into a spool and never
/// waits for a disk.
final class SessionTrace: @unchecked Sendable {
    // Unchecked: after `begin`, only the queue uses these members, except the spool.

    /// The spool that receives the loop's records.
    let spool = TraceSpool()
    private let path: String
    private let program: String
    private let limit: Int
    private let queue = DispatchQueue(label: "dockface.trace")
    private let timer: any DispatchSourceTimer
    private var descriptor: Int32
    private var written = 0, hasHeader = false
    private let onProblem: @Sendable (DockError) -> Void

    /// The interval at which the spool is emptied, in seconds.
    static let interval: Seconds = 0.1
    /// The time limit for writing the rest at the end, and the longest pause of the reader of a pipe, in seconds.
    static let patience: Seconds = 2, pipePatience: Seconds = 1
    /// The default size limit of the file, in bytes: about eight hours of a busy dock.
    static let usualLimit = 1 << 30

    /// Creates or replaces the file, for its owner only.
    /// - Parameter onProblem: receives the reason why the trace ends early, on the writer's queue; from `finish`, the
    ///   report of a delay, on the caller's thread.
    /// - Throws: `permission` or `cannotOpen`, as the system reports.
    init(
        path: String, program: String, limit: Int = SessionTrace.usualLimit,
        onProblem: @escaping @Sendable (DockError) -> Void
    ) throws(DockError) {
        // A pipe without a reader must not prevent the daemon from starting or ending.
        descriptor = try OutputFile.open(path)
        self.path = path
        self.program = program
        self.limit = limit
        self.onProblem = onProblem
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    /// Starts writing at the beginning of the session.
    func begin() {
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
        timer.setEventHandler { [weak self] in self?.empty() }
        timer.resume()
    }

    /// Writes the rest and closes the file after the loop has ended. It does not wait for a disk that hangs.
    func finish() {
        timer.cancel()
        let done = DispatchSemaphore(value: 0)
        queue.async { [self] in
            empty()
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
            done.signal()
        }
        guard done.wait(timeout: .now() + Self.patience) == .timedOut else { return }
        onProblem(
            DockError(
                .cannotOpen, "writing \(path) takes too long: the trace may lack its last second",
                hint: "record to a local disk"))
    }

    private func empty() {
        let records = spool.take()
        guard !records.isEmpty, descriptor >= 0 else { return }
        var lines: [UInt8] = []
        lines.reserveCapacity(records.count * 3)
        if !hasHeader { lines += header() }
        hasHeader = true
        for record in TraceRecord.all(in: records) {
            lines += TraceWriter.line(of: record)
            guard written + lines.count > limit else { continue }
            lines += TraceWriter.line(of: TraceRecord(time: record.time, body: .input(.gap(nil))))
            _ = put(lines)
            return stop(
                DockError(
                    .cannotOpen, "\(path) is full (\(limit >> 20) MiB): the trace ends here",
                    hint: "restart the session to continue recording"))
        }
        guard put(lines) else {
            let code = errno, isUnread = code == EAGAIN
            return stop(
                DockError(
                    .cannotOpen,
                    isUnread
                        ? "\(path) is not read fast enough: the trace ends here"
                        : "cannot write \(path): \(String(cString: strerror(code))); the trace ends here",
                    hint: isUnread
                        ? "read it faster, or record to a file"
                        : "free some space there, or choose another file with --trace"))
        }
    }

    private func header() -> [UInt8] {
        guard let run = spool.about else { return [] }
        let profile = run.options.profile, now = cposix_monotonic_now()
        let about = TraceWriter.About(
            rig: profile.name, driver: profile.driver, program: program, unix: cposix_realtime_now(), monotonic: now)
        return TraceWriter.header(cause: "session", from: now, at: now, about: about, run: run, counts: nil)
    }

    private func put(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN && isRead() { continue }
            guard count > 0 else { return false }
            written += count
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits until the pipe accepts more bytes.
    private func isRead() -> Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let isReady = poll(&wait, 1, Int32(Self.pipePatience * 1000)) > 0
        errno = EAGAIN
        return isReady
    }

    private func stop(_ problem: DockError) {
        close(descriptor)
        descriptor = -1
        onProblem(problem)
    }
}
