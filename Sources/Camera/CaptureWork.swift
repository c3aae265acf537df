internal import CPosix
internal import Geometry
internal import Glibc
internal import Processes

/// The work of a camera's thread between two waits. A class, because some parts of it change while others are read.
final class CaptureWork: PolledWork {
    private var choice: CaptureChoice
    private let options: Capture.Options
    private let hub: FrameHub
    private let outlets: Capture.Outlets
    private let listener: Capture.Listener
    private var watch: ProcessWatch
    private var report: CaptureReport
    private var child: ChildProcess?
    private var errors = CaptureErrors()
    private let ledger: FrameLedger
    /// The frames for detectors.
    private var usual: CaptureStream
    /// The frames in the camera's own size, which the program writes once another program has asked for them.
    private var full: CaptureStream
    private var waitsForRoom = false

    init(
        _ choice: CaptureChoice, _ options: Capture.Options, hub: FrameHub, outlets: Capture.Outlets,
        listener: Capture.Listener
    ) {
        (self.choice, self.options, self.hub, self.listener) = (choice, options, hub, listener)
        self.outlets = outlets
        watch = ProcessWatch(options.patience)
        report = CaptureReport(name: choice.camera.source.name, place: choice.place)
        ledger = FrameLedger(clock: choice.camera.clock(options))
        usual = CaptureStream(ledger, .usual, outlet: outlets.usual)
        full = CaptureStream(ledger, .full, outlet: outlets.full)
    }

    private var source: CameraSource { choice.camera.source }
    /// Whether the camera is a program, which can say that it waits.
    private var isProgram: Bool { if case .program = source { true } else { false } }

    /// Does everything that is due. Returns false when the source has ended for good.
    func turn() -> Bool {
        let now = cposix_monotonic_now()
        choice.look(ledger, now: now)
        replaceProgram(now)
        // Before a deadline that has passed meanwhile is noticed.
        if errors.isWaiting { watch.rest() }
        while let order = watch.next(now: now) {
            if let signal = order.signal { child?.signal(signal) } else { begin(now) }
        }
        // If the system does not report the end of a child, the child is polled.
        if let child, child.descriptor < 0 { reap(now) }
        waitsForRoom = !hub.hasRoom
        if waitsForRoom || errors.isWaiting { watch.rest() } else { watch.expect(now: now) }
        let isTimeless = (usual.dropTimeless(now: now), full.dropTimeless(now: now))
        if isTimeless.0 || isTimeless.1 {
            watch.giveUp("\(source.name): three frames in a row arrived without their times")
        }
        for line in errors.show(now: now) { listener.onLog("\(source.name): \(source.withoutSecrets(in: line))") }
        tell()
        return watch.state != .over
    }

    /// Ends the program if another one must take its place. `reap` starts that one.
    private func replaceProgram(_ now: Seconds) {
        if let child {
            let isFullWanted = outlets.isFullWanted.isWanted, isRunning = watch.state == .running
            guard let signal = choice.signal(isFullWanted: isFullWanted, isRunning: isRunning, now: now) else { return }
            child.signal(signal)
        } else if choice.wantsAnother {
            // The camera that is gone need not be waited for.
            watch.startAtOnce()
        }
    }

    private func begin(_ now: Seconds) {
        if choice.begins(isFullWanted: outlets.isFullWanted.isWanted) {
            report = CaptureReport(name: source.name, place: choice.place)
            ledger.changeSource()
            listener.onLog("the camera is now \(source.name)")
        }
        choice.look(ledger, now: now)
        if case .device(let path) = source, let problem = CameraProblem.ofDevice(path) {
            watch.couldNotStart(problem, now: now)
            return
        }
        var request = CaptureCommand.Request()
        (request.size, request.framesPerSecond) = (options.size, options.framesPerSecond)
        (request.maximumWidth, request.isPaced) = (options.maximumWidth, options.isPaced)
        (request.rotate, request.isMirrored) = (choice.camera.rotate, choice.camera.isMirrored)
        request.isFull = choice.isFull
        // A film that is restarted goes on where it was.
        request.begin = ledger.position
        ledger.restart(clock: choice.camera.clock(options))
        do {
            try spawn(CaptureCommand(source, request))
        } catch {
            closeAll()
            watch.couldNotStart(error.number == ENOENT ? CameraProblem.noProgram : error.description, now: now)
        }
    }

    private func spawn(_ command: CaptureCommand) throws(ChildProcess.Failure) {
        let (pixels, times) = usual.open()
        var ends: [Int32: Int32?] = [1: pixels, 2: errors.open(), CaptureCommand.times: times]
        if choice.isFull {
            let (pixels, times) = full.open()
            (ends[CaptureCommand.full], ends[CaptureCommand.fullTimes]) = (.some(pixels), .some(times))
        }
        defer { for case let end? in ends.values { close(end) } }
        child = try ChildProcess(command.words, pipes: ends)
    }

    /// When to poll the child again if the system does not report its end. It is nil if the system does.
    private var unwatched: Seconds? { child.flatMap { $0.descriptor < 0 ? cposix_monotonic_now() + 0.25 : nil } }

    /// The latest time for the next `turn`.
    var deadline: Seconds? {
        [
            watch.deadline, errors.deadline(hasProgram: child != nil), unwatched, usual.frames.deadline,
            full.frames.deadline, choice.deadline,
        ].compactMap { $0 }.min()
    }

    /// The descriptors to wait for, in the order in which `handle` reads them.
    var waits: [pollfd] {
        // Without room pixels stay in the pipe, and the capture program waits.
        let isHeld = waitsForRoom || usual.frames.completeAt != nil
        return usual.waits(isHeld: waitsForRoom) + [
            pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
            // The end of the capture program is detected only after the bytes that it left in the pipe were read.
            pollfd(fd: isHeld ? -1 : child?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waitsForRoom ? hub.room : -1, events: Int16(POLLIN), revents: 0),
        ] + full.waits(isHeld: false)
    }

    /// Processes the events.
    func handle(_ waits: [pollfd]) {
        let now = cposix_monotonic_now()
        if waits[4].revents != 0 { _ = cposix_counter_take(hub.room) }
        // The times before the pixels that they belong to.
        if waits[5].revents != 0 { reject(full.readTimes()) }
        if waits[0].revents != 0 { readTimes() }
        if waits[1].revents != 0 { readPixels() }
        if waits[2].revents != 0 { errors.read(canWait: isProgram, now: now) }
        readFull(waits[6])
        // A program that has ended is reaped after its frames were read, even if all of them arrived before their size
        // was known.
        let isDrained = waits[1].fd >= 0 && waits[1].revents == 0
        if usual.pixels.descriptor < 0 || waits[3].revents != 0 && (isDrained || usual.frames.byteCount == nil) {
            reap(now)
        }
    }

    private func readTimes() {
        reject(usual.readTimes())
        _ = usual.adoptNewSize()
        publish()
    }

    private func reject(_ line: String?) {
        if let line { watch.giveUp("\(source.name): invalid frame times: \(line)") }
    }

    /// Reads frames until the pipe is empty, or until something must come first: room, or the frame's time.
    private func readPixels() {
        while usual.pixels.descriptor >= 0, usual.frames.completeAt == nil, usual.frames.isBegun || hub.hasRoom {
            guard usual.readPixels() else { return }
            publish()
        }
    }

    /// Reads frames in the camera's own size. They go only to other programs.
    private func readFull(_ wait: pollfd) {
        _ = full.adoptNewSize()
        _ = full.next()
        guard wait.revents != 0 else { return }
        while full.pixels.descriptor >= 0, full.frames.completeAt == nil, full.readPixels() { _ = full.next() }
    }

    /// Passes on the complete frame if its time is known.
    private func publish() {
        choice.look(ledger, now: cposix_monotonic_now())
        guard let frame = usual.next() else { return }
        watch.sign(now: frame.arrival)
        errors.endWait()
        report.record(size: (frame.width, frame.height))
        report.recordFrame(at: frame.arrival, isEstimated: ledger.isEstimated)
        // While the lens moves, frames show neither the old angles nor the new ones, so they do not steer.
        if !choice.isUnsettled(now: frame.arrival) { hub.publish(frame) }
    }

    private func reap(_ now: Seconds) {
        guard let ending = child?.ending() else { return }
        errors.drain(canWait: isProgram, now: now)
        closeAll()
        let isDone = source.ends && ending == .exited(0)
        if choice.isUnderWay, !isDone || choice.wantsAnother {
            watch.restarted(now: now)
            return begin(now)
        }
        // A file that cannot be read will not become readable in a moment.
        let isHopeless = source.ends && !isDone
        watch.ended(
            isHopeless ? .exited(Self.noInput) : ending, isDone: isDone,
            reason: problem(errors.last), now: now)
        report.recordEnd()
    }

    private func problem(_ line: String?) -> String? {
        if isProgram, let problem = CameraProblem.ofProgram(line, of: source.name) { return problem }
        return CameraProblem.words(line.map { source.withoutSecrets(in: $0) }, of: source.name)
    }

    /// EX_NOINPUT of sysexits.
    private static let noInput: Int32 = 66

    private func closeAll() {
        usual.close()
        full.close()
        errors.close()
        child?.close()
        child = nil
    }

    private func tell() {
        guard let news = report.dueReport(of: watch, waiting: errors.waitsFor.map { source.withoutSecrets(in: $0) })
        else { return }
        if let line = news.line { listener.onLog(line) }
        listener.onChange(news.health)
    }

    /// Ends the program, and ends the stream for all taps.
    func end() {
        child?.end()
        closeAll()
        hub.finish()
        outlets.usual.finish()
        outlets.full.finish()
    }
}

extension Capture.Camera {
    /// Returns the clock of its times.
    fileprivate func clock(_ options: Capture.Options) -> ExposureClock {
        let kind: ExposureClock.Kind =
            switch source {
            case .device: .device
            case .file: options.isPaced ? .film : .recorded
            case .program: .program
            case .test: .film
            case .network: .network
            }
        return ExposureClock(kind, latency: latency)
    }
}

extension CameraSource {

    /// Whether the source has an end.
    fileprivate var ends: Bool {
        if case .file(_, false) = self { return true }
        return false
    }
}
