internal import ControlProtocol
internal import Geometry
internal import Glibc
internal import Processes

/// One extension that the daemon runs: its process, its log, and when it is started again.
struct ExtensionChild {
    let words: [String]
    let version: String
    let name: String
    private var watch: ProcessWatch
    private var process: ChildProcess?
    private var errors = ChildPipe()
    private var log = ChildLog()

    /// The time limits, in seconds: until it first reports, and between TERM and KILL. While it runs, `ExtensionBoard`
    /// notices that it no longer reports.
    static let patience: ProcessWatch.Patience = {
        var patience = ProcessWatch.Patience()
        (patience.start, patience.silence, patience.grace) = (20, ExtensionTimes.silence, ExtensionTimes.kill)
        return patience
    }()

    /// Creates an extension that is started at the next turn. `socket`: the daemon's, which the program finds in
    /// `DOCKFACE_SOCKET`.
    init(_ installed: InstalledExtension, socket: String, seed: UInt64) {
        (name, version) = (installed.name, installed.manifest.version)
        // The shell becomes the program.
        words = ["sh", "-c", "DOCKFACE_SOCKET=$1 exec \"$0\"", installed.program, socket]
        watch = ProcessWatch(Self.patience, seed: seed)
        watch.firstSign = "report (the call setExtension)"
    }

    /// Its state, as the daemon knows it.
    var reading: ExtensionReading {
        var reading = ExtensionReading()
        (reading.name, reading.version, reading.isChild) = (name, version, true)
        (reading.restarts, reading.process) = (watch.restarts, process?.identifier)
        reading.state =
            switch watch.state {
            case .starting: .starting
            case .running: .ready
            case .stalled: .silent
            case .restarting: .restarting
            case .failed: .failed
            case .over: .over
            }
        if watch.state != .running, watch.state != .over { reading.text = String((watch.problem ?? "").prefix(80)) }
        return reading
    }

    /// Whether its process exists.
    var isRunning: Bool { process != nil }

    /// Whether it has finished and is not started again.
    var isOver: Bool { watch.state == .over && process == nil }

    // MARK: events

    /// Does what is due. Returns lines for the log.
    mutating func turn(now: Seconds) -> [String] {
        while let order = watch.next(now: now) {
            if let signal = order.signal { process?.signal(signal) } else { start(now: now) }
        }
        return log.lines(now: now)
    }

    /// Takes what the session has learnt of a program. News of other programs are ignored, also if they use its name.
    mutating func hear(_ news: ExtensionNews, now: Seconds) {
        guard news.isAbout(reading) else { return }
        switch news.kind {
        case .reported:
            watch.sign(now: now)
            // The board judges its next reports.
            watch.rest()
        // It is ended and started again.
        case .silent: watch.giveUp("no report for \(Int(ExtensionTimes.silence)) s")
        // A report is due again.
        case .left: watch.expect(now: now)
        }
    }

    private mutating func start(now: Seconds) {
        log.begin()
        errors.close()
        let theirs = errors.open(toChild: false)
        defer { if let theirs { close(theirs) } }
        do throws(ChildProcess.Failure) {
            // What it prints is a log, too. It has no standard input, which belongs to the daemon's user.
            // No other program can join its group, and with it speak for it.
            process = try ChildProcess(words, pipes: [1: theirs, 2: theirs], leadsSession: true)
        } catch {
            watch.couldNotStart(error.description, now: now)
        }
    }

    /// Collects its exit status if it has ended. Returns lines for the log.
    mutating func reap(now: Seconds) -> [String] {
        guard let ending = process?.ending() else { return [] }
        errors.drain { log.feed($0, now: now) }
        errors.close()
        process?.close()
        process = nil
        let lines = log.lines(now: now, isEnd: true)
        let isDone = ending == .exited(0) && watch.state != .stalled
        // The last line explains an exit, but not a signal.
        var reason: String?
        if case .exited(let status) = ending {
            reason = Self.signal(of: status) ?? log.last.map { "\($0) (\(ending))" }
        }
        watch.ended(ending, isDone: isDone, reason: reason, now: now)
        return lines
    }

    /// What the status of a program says that a signal has ended in order: 128 and the signal's number.
    private static func signal(of status: Int32) -> String? {
        guard (129...159).contains(status) else { return nil }
        return "another program has ended it: signal \(status - 128) (\(String(cString: strsignal(status - 128))))"
    }

    /// Reads what it has printed.
    mutating func read(now: Seconds) {
        let room = log.room(now: now)
        guard room > 0 else { return }
        _ = errors.read(room) { log.feed($0, now: now) }
    }

    // MARK: waiting

    /// The latest time for the next turn, or nil if nothing is due. Where the kernel does not report the end of a
    /// process, it is looked for every quarter second.
    func deadline(after now: Seconds) -> Seconds? {
        let isUnreported = process.map { $0.descriptor < 0 } ?? false
        return [watch.deadline, log.deadline, log.opens(after: now), isUnreported ? now + 0.25 : nil]
            .compactMap { $0 }.min()
    }

    /// The descriptors to wait for: its output, and its end.
    func waits(after now: Seconds) -> [pollfd] {
        [
            pollfd(
                fd: log.opens(after: now) == nil ? errors.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: process?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    // MARK: end

    /// Asks it to end.
    func ask() { process?.signal(SIGTERM) }

    /// Whether its process is gone. Collects the exit status.
    mutating func hasEnded() -> Bool {
        guard process?.ending() != nil else { return process == nil }
        process?.close()
        process = nil
        errors.close()
        return true
    }

    /// Kills it, without a wait: a process that hangs in the kernel may take long.
    func kill() { process?.signal(SIGKILL) }
}
