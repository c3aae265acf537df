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
    private var health: CameraHealth
    private var told: CameraHealth?
    private var log = ChildLog()
    private var child: ChildProcess?
    /// The pipes to read: pixels, times, log lines; the descriptor of a closed one is -1.
    private var pixels = ChildPipe(), times = ChildPipe(), errors = ChildPipe()
    private var reader = FrameTimes()
    private var clock: ExposureClock
    private var pool: FramePool?
    /// The frame that is being read.
    private var memory: UnsafeMutableRawBufferPointer?
    private var filled = 0
    /// Since when the frame has been complete and waits for its time, which arrives separately; nil if it does not wait.
    private var completeAt: Seconds?
    /// The number of frames in a row without a time.
    private var timeless = 0
    private var sequence = 0
    private var lastArrival: Seconds?
    private var waitsForRoom = false
    /// Whether a problem was reported and the recovery was not.
    private var isAway = false
    /// The time of the last `turn`. Anything that was not due then must wake the thread, even if it has become due since.
    private var turnedAt: Seconds = -.infinity

    init(_ source: CameraSource, _ options: Capture.Options, hub: FrameHub, listener: Capture.Listener) {
        (self.source, self.options, self.hub, self.listener) = (source, options, hub, listener)
        watch = ProcessWatch(options.patience)
        health = CameraHealth(name: source.name)
        clock = ExposureClock(source.clock(isPaced: options.isPaced), latency: options.latency)
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
        if let since = completeAt, now - since >= Self.longestWait { giveUpPicture(now) }
        for line in log.lines(now: now) { listener.onLog("\(source.name): \(source.withoutSecrets(in: line))") }
        tell()
        return watch.state != .over
    }

    private func begin(_ now: Seconds) {
        if case .device(let path) = source, let problem = CameraProblem.ofDevice(path) {
            watch.couldNotStart(problem, now: now)
            return
        }
        var wish = CaptureCommand.Wish()
        (wish.size, wish.framesPerSecond) = (options.size, options.framesPerSecond)
        (wish.maximumWidth, wish.isPaced) = (options.maximumWidth, options.isPaced)
        (wish.rotate, wish.isMirrored) = (options.rotate, options.isMirrored)
        log.begin()
        reader = FrameTimes()
        timeless = 0
        clock = ExposureClock(source.clock(isPaced: options.isPaced), latency: options.latency)
        do {
            try spawn(CaptureCommand(source, wish))
        } catch {
            closeAll()
            watch.couldNotStart(error.number == ENOENT ? CameraProblem.noProgram : error.description, now: now)
        }
    }

    private func spawn(_ command: CaptureCommand) throws(ChildProcess.Failure) {
        let ends: [Int32: Int32?] = [
            1: pixels.open(toChild: false, room: 1 << 20), 2: errors.open(toChild: false),
            CaptureCommand.times: times.open(toChild: false),
        ]
        defer { for case let end? in ends.values { close(end) } }
        child = try ChildProcess(command.words, pipes: ends)
    }

    /// The longest wait from the pixels of a frame to its time, seconds.
    private static let longestWait: Seconds = 0.5

    /// When to poll the child again if the system does not report its end; nil: it does.
    private var unwatched: Seconds? { child.flatMap { $0.descriptor < 0 ? cposix_monotonic_now() + 0.25 : nil } }

    /// The latest time for the next `turn`.
    var deadline: Seconds? {
        [
            watch.deadline, log.deadline, unwatched, completeAt.map { $0 + Self.longestWait },
            child.flatMap { _ in log.opens(after: turnedAt) },
        ].compactMap { $0 }.min()
    }

    /// The descriptors to wait for, in the order in which `take` reads them.
    var waits: [pollfd] {
        // Without a size, pixels have no meaning. Without room they stay in the pipe, and the capture program waits.
        let isHeld = waitsForRoom || completeAt != nil
        let wantsPixels = reader.size != nil && !isHeld
        return [
            pollfd(fd: times.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wantsPixels ? pixels.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: log.opens(after: turnedAt) == nil ? errors.descriptor : -1, events: Int16(POLLIN), revents: 0),
            // The end of the capture program is noticed only after the bytes that it left in the pipe were read.
            pollfd(fd: isHeld ? -1 : child?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waitsForRoom ? hub.room : -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// Processes the events.
    func take(_ waits: [pollfd]) {
        let now = cposix_monotonic_now()
        if waits[4].revents != 0 { _ = cposix_counter_take(hub.room) }
        // The times before the pixels that they belong to.
        if waits[0].revents != 0 { readTimes(now) }
        if waits[1].revents != 0 { readPixels() }
        if waits[2].revents != 0 { readErrors(now) }
        // A program that has ended is reaped after its frames were read, even if all of them arrived before their size was
        // known.
        let isDrained = waits[1].fd >= 0 && waits[1].revents == 0
        if pixels.descriptor < 0 || waits[3].revents != 0 && (isDrained || byteCount == nil) { reap(now) }
    }

    private func readTimes(_ now: Seconds) {
        var failure: FrameTimes.Failure?
        _ = times.read { bytes in
            do throws(FrameTimes.Failure) { try reader.feed(bytes) } catch { failure = error }
        }
        if let failure { watch.giveUp("\(source.name): invalid frame times: \(failure.line)") }
        if pool == nil || pool?.size != byteCount, let byteCount {
            pool = FramePool(size: byteCount)
            (health.width, health.height) = (reader.size?.width, reader.size?.height)
        }
        if completeAt != nil { publish() }
    }

    private var byteCount: Int? { reader.size.map { $0.width * $0.height * 3 } }

    /// Reads frames until the pipe is empty, or until something must come first: room, or the frame's time.
    private func readPixels() {
        guard let pool else { return }
        while pixels.descriptor >= 0, completeAt == nil {
            if memory == nil {
                guard hub.hasRoom else { return }
                memory = pool.take()
                filled = 0
            }
            guard let memory else { return }
            let count = pixels.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[filled...]))
            guard count > 0 else { return }
            filled += count
            if filled == memory.count {
                completeAt = cposix_monotonic_now()
                publish()
            }
        }
    }

    /// Passes on the complete frame if its time is known.
    private func publish() {
        guard let arrival = completeAt, let memory, let pool, let size = reader.size, let time = reader.next() else {
            return
        }
        (self.memory, completeAt, timeless) = (nil, nil, 0)
        let exposure = clock.exposure(time: time, arrival: arrival)
        let frame = CameraFrame(
            memory, of: pool, sequence: sequence, exposure: exposure, arrival: arrival,
            isEstimated: clock.isEstimated ?? true, width: size.width, height: size.height)
        sequence += 1
        watch.sign(now: arrival)
        count(arrival)
        hub.publish(frame)
    }

    /// Measures the frame rate.
    private func count(_ now: Seconds) {
        if let lastArrival, now > lastArrival {
            let rate = 1 / (now - lastArrival)
            health.framesPerSecond = health.framesPerSecond.map { $0 + 0.05 * (min(rate, 2 * $0) - $0) } ?? rate
        }
        lastArrival = now
        health.isEstimated = clock.isEstimated
    }

    /// Drops the complete frame, because its time has not arrived; the time is dropped too when it comes. After three such frames
    /// in a row the program is restarted.
    private func giveUpPicture(_ now: Seconds) {
        completeAt = nil
        filled = 0
        reader.skip()
        timeless += 1
        if timeless >= 3 { watch.giveUp("\(source.name): three frames in a row arrived without their times") }
    }

    private func readErrors(_ now: Seconds) {
        let room = log.room(now: now)
        guard room > 0 else { return }
        _ = errors.read(room) { log.feed($0, now: now) }
    }

    private func reap(_ now: Seconds) {
        guard let ending = child?.ending() else { return }
        errors.drain { log.feed($0, now: now) }
        // The program's last log line becomes the reported problem, so it is not logged as well.
        _ = log.lines(now: now, isEnd: true)
        closeAll()
        let isDone = source.ends && ending == .exited(0)
        // A file that cannot be read will not become readable in a moment.
        let isHopeless = source.ends && !isDone
        watch.ended(
            isHopeless ? .exited(Self.noInput) : ending, isDone: isDone,
            reason: CameraProblem.words(log.last.map { source.withoutSecrets(in: $0) }, of: source.name), now: now)
        health.framesPerSecond = nil
        lastArrival = nil
    }

    /// EX_NOINPUT of sysexits.
    private static let noInput: Int32 = 66

    private func closeAll() {
        pixels.close()
        times.close()
        errors.close()
        child?.close()
        child = nil
        completeAt = nil
        if let memory, let pool { pool.give(memory) }
        memory = nil
    }

    private func tell() {
        health.state = watch.state
        health.restarts = watch.restarts
        health.problem = watch.problem
        var shown = health
        // It changes a little with every frame; that is not worth a notification.
        shown.framesPerSecond = shown.framesPerSecond?.rounded()
        guard shown != told else { return }
        if let problem = shown.problem, problem != told?.problem, shown.state != .running {
            listener.onLog("camera \(shown.state.rawValue): \(problem)")
            isAway = true
        } else if isAway, shown.state == .running {
            isAway = false
            listener.onLog("camera \(shown.name) is back")
        }
        told = shown
        listener.onChange(shown)
    }

    /// Ends the program, and ends the stream for all taps.
    func end() {
        child?.end()
        closeAll()
        hub.finish()
    }
}

extension CameraSource {
    /// The clock of its times.
    fileprivate func clock(isPaced: Bool) -> ExposureClock.Kind {
        switch self {
        case .device: .device
        case .file: isPaced ? .film : .recorded
        case .test: .film
        case .network: .network
        }
    }

    /// Whether the source has an end.
    fileprivate var ends: Bool {
        if case .file(_, false) = self { return true }
        return false
    }
}
