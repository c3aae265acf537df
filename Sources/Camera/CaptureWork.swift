internal import CPosix
internal import Geometry
internal import Glibc
internal import Processes

/// The work of a camera's thread between two waits. A class, because some parts of it change while others are read.
final class CaptureWork: PolledWork {
    private let source: CameraSource
    private let options: Capture.Options
    private let hub: FrameHub
    private let listener: Capture.Listener
    private var watch: ProcessWatch
    private var report: CaptureReport
    private var log = ChildLog()
    private var child: ChildProcess?
    private var pipes = CapturePipes()
    private var frames: FrameAssembly
    private var waitsForRoom = false
    /// The time of the last `turn`. Anything that was not yet due then must still wake the thread, even if it is due by
    /// now.
    private var turnedAt: Seconds = -.infinity

    init(_ source: CameraSource, _ options: Capture.Options, hub: FrameHub, listener: Capture.Listener) {
        (self.source, self.options, self.hub, self.listener) = (source, options, hub, listener)
        watch = ProcessWatch(options.patience)
        report = CaptureReport(name: source.name)
        frames = FrameAssembly(clock: source.clock(options))
    }

    /// Does everything that is due. Returns false when the source has ended for good.
    func turn() -> Bool {
        let now = cposix_monotonic_now()
        turnedAt = now
        while let order = watch.next(now: now) {
            if let signal = order.signal { child?.signal(signal) } else { begin(now) }
        }
        // If the system does not report the end of a child, the child is polled.
        if let child, child.descriptor < 0 { reap(now) }
        waitsForRoom = !hub.hasRoom
        if waitsForRoom { watch.rest() } else { watch.expect(now: now) }
        if frames.dropTimeless(now: now) {
            watch.giveUp("\(source.name): three frames in a row arrived without their times")
        }
        for line in log.lines(now: now) { listener.onLog("\(source.name): \(source.withoutSecrets(in: line))") }
        tell()
        return watch.state != .over
    }

    private func begin(_ now: Seconds) {
        if case .device(let path) = source, let problem = CameraProblem.ofDevice(path) {
            watch.couldNotStart(problem, now: now)
            return
        }
        var wish = CaptureCommand.Request()
        (wish.size, wish.framesPerSecond) = (options.size, options.framesPerSecond)
        (wish.maximumWidth, wish.isPaced) = (options.maximumWidth, options.isPaced)
        (wish.rotate, wish.isMirrored) = (options.rotate, options.isMirrored)
        log.begin()
        frames.restart(clock: source.clock(options))
        do {
            try spawn(CaptureCommand(source, wish))
        } catch {
            closeAll()
            watch.couldNotStart(error.number == ENOENT ? CameraProblem.noProgram : error.description, now: now)
        }
    }

    private func spawn(_ command: CaptureCommand) throws(ChildProcess.Failure) {
        let ends = pipes.open()
        defer { for case let end? in ends.values { close(end) } }
        child = try ChildProcess(command.words, pipes: ends)
    }

    /// When to poll the child again if the system does not report its end. It is nil if the system does.
    private var unwatched: Seconds? { child.flatMap { $0.descriptor < 0 ? cposix_monotonic_now() + 0.25 : nil } }

    /// The latest time for the next `turn`.
    var deadline: Seconds? {
        [
            watch.deadline, log.deadline, unwatched, frames.deadline, child.flatMap { _ in log.opens(after: turnedAt) },
        ].compactMap { $0 }.min()
    }

    /// The descriptors to wait for, in the order in which `handle` reads them.
    var waits: [pollfd] {
        // Without a size, pixels have no meaning. Without room they stay in the pipe, and the capture program waits.
        let isHeld = waitsForRoom || frames.completeAt != nil
        let wantsPixels = frames.size != nil && !isHeld
        return [
            pollfd(fd: pipes.times.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wantsPixels ? pipes.pixels.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: log.opens(after: turnedAt) == nil ? pipes.errors.descriptor : -1, events: Int16(POLLIN), revents: 0),
            // The end of the capture program is detected only after the bytes that it left in the pipe were read.
            pollfd(fd: isHeld ? -1 : child?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waitsForRoom ? hub.room : -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// Processes the events.
    func handle(_ waits: [pollfd]) {
        let now = cposix_monotonic_now()
        if waits[4].revents != 0 { _ = cposix_counter_take(hub.room) }
        // The times before the pixels that they belong to.
        if waits[0].revents != 0 { readTimes(now) }
        if waits[1].revents != 0 { readPixels() }
        if waits[2].revents != 0 { readErrors(now) }
        // A program that has ended is reaped after its frames were read, even if all of them arrived before their size
        // was known.
        let isDrained = waits[1].fd >= 0 && waits[1].revents == 0
        if pipes.pixels.descriptor < 0 || waits[3].revents != 0 && (isDrained || frames.byteCount == nil) { reap(now) }
    }

    private func readTimes(_ now: Seconds) {
        var failure: FrameTimes.Failure?
        _ = pipes.times.read { bytes in
            do throws(FrameTimes.Failure) { try frames.feedTimes(bytes) } catch { failure = error }
        }
        if let failure { watch.giveUp("\(source.name): invalid frame times: \(failure.line)") }
        if frames.adoptNewSize() { report.record(size: frames.size) }
        publish()
    }

    /// Reads frames until the pipe is empty, or until something must come first: room, or the frame's time.
    private func readPixels() {
        while pipes.pixels.descriptor >= 0, frames.completeAt == nil, frames.isBegun || hub.hasRoom {
            guard frames.readPixels(&pipes.pixels) else { return }
            publish()
        }
    }

    /// Passes on the complete frame if its time is known.
    private func publish() {
        guard let frame = frames.next() else { return }
        watch.sign(now: frame.arrival)
        report.recordFrame(at: frame.arrival, isEstimated: frames.isEstimated)
        hub.publish(frame)
    }

    private func readErrors(_ now: Seconds) {
        let room = log.room(now: now)
        guard room > 0 else { return }
        _ = pipes.errors.read(room) { log.feed($0, now: now) }
    }

    private func reap(_ now: Seconds) {
        guard let ending = child?.ending() else { return }
        pipes.errors.drain { log.feed($0, now: now) }
        // The program's last log line becomes the reported problem, so it is not also logged.
        _ = log.lines(now: now, isEnd: true)
        closeAll()
        let isDone = source.ends && ending == .exited(0)
        // A file that cannot be read will not become readable in a moment.
        let isHopeless = source.ends && !isDone
        watch.ended(
            isHopeless ? .exited(Self.noInput) : ending, isDone: isDone,
            reason: CameraProblem.words(log.last.map { source.withoutSecrets(in: $0) }, of: source.name), now: now)
        report.recordEnd()
    }

    /// EX_NOINPUT of sysexits.
    private static let noInput: Int32 = 66

    private func closeAll() {
        pipes.close()
        child?.close()
        child = nil
        frames.discard()
    }

    private func tell() {
        guard let news = report.dueReport(of: watch) else { return }
        if let line = news.line { listener.onLog(line) }
        listener.onChange(news.health)
    }

    /// Ends the program, and ends the stream for all taps.
    func end() {
        child?.end()
        closeAll()
        hub.finish()
    }
}

/// The pipes to read from a capture program; the descriptor of a closed one is -1.
private struct CapturePipes {
    var pixels = ChildPipe(), times = ChildPipe(), errors = ChildPipe()

    /// Opens the pipes and returns the program's ends, which the caller closes after the start.
    mutating func open() -> [Int32: Int32?] {
        [
            1: pixels.open(toChild: false, room: 1 << 20), 2: errors.open(toChild: false),
            CaptureCommand.times: times.open(toChild: false),
        ]
    }

    mutating func close() {
        pixels.close()
        times.close()
        errors.close()
    }
}

extension CameraSource {
    /// Returns the clock of its times.
    fileprivate func clock(_ options: Capture.Options) -> ExposureClock {
        let kind: ExposureClock.Kind =
            switch self {
            case .device: .device
            case .file: options.isPaced ? .film : .recorded
            case .test: .film
            case .network: .network
            }
        return ExposureClock(kind, latency: options.latency)
    }

    /// Whether the source has an end.
    fileprivate var ends: Bool {
        if case .file(_, false) = self { return true }
        return false
    }
}
