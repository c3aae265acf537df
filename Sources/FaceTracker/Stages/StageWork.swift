internal import CPosix
internal import Geometry
internal import Glibc
internal import Processes

/// The work of a stage's thread between two waits. A class, because some parts of it change while others are read.
final class StageWork: PolledWork {
    private let options: DetectorStage.Options
    private let listener: DetectorStage.Listener
    let outlet: DetectionOutlet
    private let isWanted: () -> Bool
    var watch: ProcessWatch
    var child: StageProcess?
    private var output: StageOutput
    var frames: StageFrames
    var report: StageReport
    private var log: StageLog
    var pings = StagePings()
    var isActive = true
    /// Whether the stage has finished.
    private var isOver = false
    /// The time of the last `turn`. Anything that was not yet due then must still wake the thread, even if it is due by
    /// now.
    private var turnedAt: Seconds = -.infinity

    /// Creates the work. `isWanted` returns whether the source is not on standby.
    init(
        options: DetectorStage.Options, feed: PictureFeed?, listener: DetectorStage.Listener, outlet: DetectionOutlet,
        isWanted: @escaping () -> Bool
    ) {
        (self.options, self.listener, self.outlet, self.isWanted) = (options, listener, outlet, isWanted)
        frames = StageFrames(feed: feed, framesPerSecond: options.framesPerSecond)
        // Every frame of a file is answered, and the next one is handed out only after that.
        output = StageOutput(
            StreamRelay(
                to: outlet, source: options.source, isGivenPictures: feed != nil, isCapped: feed?.isLossless != true))
        watch = ProcessWatch(options.patience)
        // Neural networks are warmed up by their first frame.
        if feed != nil {
            watch.patience.silence = 5
            watch.firstSign = #"{"type":"hello","v":1} line, which precedes the first frame,"#
        }
        report = StageReport(name: options.name)
        log = StageLog(name: options.name, onLog: listener.onLog)
    }

    /// Does everything that is due. Returns false if the stage has finished.
    func turn() -> Bool {
        let now = cposix_monotonic_now()
        turnedAt = now
        while let order = watch.next(now: now) {
            if let signal = order.signal { child?.process.signal(signal) } else { begin(now) }
        }
        let isWanted = isWanted()
        if isWanted != isActive { activate(isWanted, now) }
        if pings.clockIsDue(now: now) { child?.say(.ping(sent: now)) }
        switch pings.next(isResting: child != nil && !isActive && isReady, now: now) {
        case .ask: child?.say(.ping(sent: now))
        case .silent: watch.giveUp("it no longer answers on standby")
        case nil: break
        }
        if child?.isPollDue(now: now) == true { reap(now) }
        judgeClosed(now)
        log.flush(now: now)
        // This comes first, because a frame of a file waits until the last frame's answer is written.
        outlet.flush()
        handOut(now)
        child?.flush()
        // This precedes the last line, so that its reader then has the final state.
        tell(now)
        if watch.state == .over, !isOver {
            isOver = true
            _ = outlet.end(of: options.source, saying: Self.bye)
        }
        outlet.flush()
        return outlet.isOpen && !(isOver && !outlet.isWaiting(for: options.source))
    }

    private func begin(_ now: Seconds) {
        output.begin()
        frames.begin()
        pings = StagePings()
        log.begin(now: now)
        do {
            child = try StageProcess(options.words)
            let scores = options.scores
            if !frames.isFed || scores != nil {
                let rate = !frames.isFed ? options.framesPerSecond : nil
                child?.say(.config(framesPerSecond: rate, acquire: scores?.acquire, hold: scores?.hold))
            }
            // No output is expected on standby.
            if !isActive {
                child?.say(.pause)
                watch.rest()
            }
        } catch {
            watch.couldNotStart("\(error)", now: now)
        }
    }

    /// The latest time for the next `turn`.
    var deadline: Seconds? {
        let due = takesPictures && frames.pace.due > turnedAt ? frames.pace.due : nil
        return [
            watch.deadline, pings.deadline, log.deadline, due, output.deadline,
            child.flatMap { _ in output.opens(after: turnedAt) },
            child.flatMap { _ in log.errors.opens(after: turnedAt) }, glances ? frames.glanceDeadline : nil,
            child?.pollDeadline,
        ].compactMap { $0 }.min()
    }

    /// The descriptors to wait for, in the order in which `handle` reads them.
    var waits: [pollfd] {
        let isOpen = output.opens(after: turnedAt) == nil
        let wantsPicture = takesPictures && frames.pace.due <= turnedAt
        let isHeld = frames.isLossless && outlet.isWaiting
        return [
            pollfd(fd: isOpen ? child?.output.descriptor ?? -1 : -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: log.errors.opens(after: turnedAt) == nil ? child?.errors.descriptor ?? -1 : -1,
                events: Int16(POLLIN),
                revents: 0),
            pollfd(fd: child?.process.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: child?.isWriting == true ? child?.input.descriptor ?? -1 : -1, events: Int16(POLLOUT), revents: 0),
            outlet.wait(for: options.source),
            pollfd(fd: wantsPicture && !isHeld ? frames.feed?.descriptor ?? -1 : -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// Processes the events.
    func handle(_ waits: [pollfd]) {
        let now = cposix_monotonic_now()
        // The reader of the detections is gone.
        if waits[4].revents & Int16(POLLERR | POLLNVAL) != 0 { outlet.finish() }
        if waits[0].revents != 0 { readOutput(now) }
        if waits[1].revents != 0 { readErrors(now) }
        if waits[2].revents != 0 { reap(now) }
    }

    private func readOutput(_ now: Seconds) {
        var events: [StreamRelay.Event] = []
        let room = output.room(now: now)
        guard room > 0 else { return }
        output.relay.given = frames.given
        let isOpen =
            child?.output.read(room) { events = output.relay.feed($0, now: now, realtime: cposix_realtime_now()) }
            ?? true
        for event in events { hear(event, now) }
        // Output of libraries while the detector is loading is not a reason for a restart.
        if output.relay.wantsRestart, !frames.isFed || isReady {
            watch.giveUp("20 lines in a row were not detections")
        }
        if !isOpen, !reap(now) { output.closed(now: now) }
    }

    /// Handles a child that has closed its output but still runs, so that it is of no use. Most children exit a moment
    /// later.
    private func judgeClosed(_ now: Seconds) {
        guard let deadline = output.deadline, now >= deadline, !reap(now) else { return }
        output.ended()
        if output.saidBye { child?.process.signal(SIGTERM) } else { watch.giveUp("it closed its output") }
    }

    private func hear(_ event: StreamRelay.Event, _ now: Seconds) {
        switch event {
        case .frame:
            watch.sign(now: now)
            if let took = frames.answered(now: now) {
                (report.health.latency, report.health.latencyP95) = (took.median, took.p95)
            }
            watch.patience.silence = frames.pace.silence(isFed: frames.isFed)
            // Nothing is expected until it gets the next frame.
            if frames.isFed || !isActive { watch.rest() }
        case .hello(let hello):
            report.health.detector = hello.detector ?? options.name
            if let rate = hello.framesPerSecond, rate > 0 { frames.pace.declared = 1 / rate }
            if hello.clock == .remote { pings.compareClocks(now: now) }
            if frames.isFed || !isActive {
                watch.sign(now: now)
                watch.rest()
            }
        case .pong: pings.answered()
        case .bye: output.bye()
        case .problem(let text): log.problem(text, now: now)
        case .refused(let version):
            log.problem("its stream has version \(version), but this program supports version 1", now: now)
            watch.giveUp("its stream has version \(version)")
        }
    }

    private func readErrors(_ now: Seconds) {
        let room = log.errors.room(now: now)
        guard room > 0 else { return }
        _ = child?.errors.read(room) { log.errors.feed($0, now: now) }
        log.flush(now: now)
    }

    /// Collects the exit status of the process. Returns whether it has ended.
    @discardableResult
    private func reap(_ now: Seconds) -> Bool {
        guard let ending = child?.process.ending() else { return child == nil }
        // The remaining output is read here.
        var events: [StreamRelay.Event] = []
        output.relay.given = frames.given
        child?.output.drain { events += output.relay.feed($0, now: now, realtime: cposix_realtime_now()) }
        for event in events { hear(event, now) }
        child?.errors.drain { log.errors.feed($0, now: now) }
        log.finish(now: now, ending)
        child?.close()
        child = nil
        output.ended()
        if frames.lost() { log.note("frame skipped: the detector ended twice while it processed the frame") }
        // Without further frames there is no work for another child. A child that we ended has not finished its work,
        // however cleanly it exited. A child that kept running after its bye and was then asked to end has finished.
        let leave = output.saidBye && watch.state != .stalled && [.exited(0), .signalled(SIGTERM)].contains(ending)
        let isDone = frames.hasEnded || leave
        if isDone, !leave { log.note("it ended without a bye, with \(ending)") }
        watch.ended(ending, isDone: isDone, reason: log.errors.last.map { "\($0) (\(ending))" }, now: now)
        if !isDone { report.health.detector = nil }
        return true
    }

    private static let bye: [UInt8] = {
        var line: [UInt8] = []
        var encoder = DetectionEncoder()
        encoder.writeBye(reason: "eof", to: &line)
        return line
    }()

    private func tell(_ now: Seconds) {
        let news = report.dueReport(of: watch, now: now)
        if let fault = news.fault { listener.onLog(fault) }
        if news.isDue { listener.onChange(report.health) }
    }

    /// Ends the process.
    func end() {
        if outlet.end(of: options.source) { outlet.finish() }
        guard child != nil else { return }
        child?.endInput()
        child?.process.signal(SIGTERM)
        let deadline = cposix_monotonic_now() + 0.3
        while child?.process.ending() == nil {
            guard cposix_monotonic_now() < deadline else {
                child?.process.end()
                break
            }
            poll(nil, 0, 5)
        }
        child?.close()
        child = nil
    }
}
