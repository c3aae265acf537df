internal import CPosix
internal import Geometry
internal import Glibc
internal import Processes

/// The work of a stage's thread between two waits. A class, because some parts of it change while others are read.
final class StageWork: PolledWork {
    private let options: DetectorStage.Options
    let feed: PictureFeed?
    private let listener: DetectorStage.Listener
    let outlet: DetectionOutlet
    private let isWanted: () -> Bool
    var watch: ProcessWatch
    private var relay: StreamRelay
    /// The output is not read before this time, because the child has sent more than it may.
    private var opensAt: Seconds = -.infinity
    var child: StageProcess?
    var health: DetectorHealth
    private var told: DetectorHealth?
    private var nextTelling: Seconds = -.infinity
    private var log = ChildLog()
    private var gate = LogGate()
    var pace: StagePace
    var isActive = true
    /// The child has sent its bye; there are no more frames for it.
    private var saidBye = false
    var hasEndedPictures = false
    /// The stage has finished.
    private var isOver = false
    /// When to check for the child's end, if no descriptor reports it.
    private var nextLook: Seconds = -.infinity
    /// When its output was closed; nil while it is open.
    private var closedAt: Seconds?
    var nextPing: Seconds = .infinity
    private var pulse = StagePulse()
    /// The frame of a file that is being processed. If the child ends during it, the frame is handed out once more.
    var held = HeldPicture()
    var nextGlance: Seconds = -.infinity
    /// The time of the last `turn`. Anything that was not due then must wake the thread, even if it has become due since.
    private var turnedAt: Seconds = -.infinity

    /// `isWanted`: the source is not on standby.
    init(
        options: DetectorStage.Options, feed: PictureFeed?, listener: DetectorStage.Listener, outlet: DetectionOutlet,
        isWanted: @escaping () -> Bool
    ) {
        (self.options, self.feed, self.listener, self.outlet) = (options, feed, listener, outlet)
        self.isWanted = isWanted
        // Every frame of a file is answered, and the next one is handed out only after that.
        relay = StreamRelay(
            to: outlet, source: options.source, isGivenPictures: feed != nil, isCapped: feed?.isLossless != true)
        watch = ProcessWatch(options.patience)
        // Networks are warmed up by their first frame.
        if feed != nil {
            watch.patience.silence = 5
            watch.firstSign = #"{"type":"hello","v":1} line, which precedes the first frame,"#
        }
        health = DetectorHealth(name: options.name)
        pace = StagePace(framesPerSecond: options.framesPerSecond)
    }

    /// Does everything that is due; false if the stage has finished.
    func turn() -> Bool {
        let now = cposix_monotonic_now()
        turnedAt = now
        while let order = watch.next(now: now) {
            if let signal = order.signal { child?.process.signal(signal) } else { begin(now) }
        }
        let isWanted = isWanted()
        if isWanted != isActive { activate(isWanted, now) }
        if now >= nextPing {
            nextPing = now + 10
            child?.say(.ping(sent: now))
        }
        switch pulse.next(isResting: child != nil && !isActive && health.detector != nil, now: now) {
        case .ask: child?.say(.ping(sent: now))
        case .silent: watch.giveUp("it no longer answers on standby")
        case nil: break
        }
        if let child, child.process.descriptor < 0, now >= nextLook {
            // This system does not report the end of a child, so the child is polled.
            nextLook = now + 0.25
            reap(now)
        }
        judgeClosed(now)
        for line in log.lines(now: now) { listener.onLog("\(options.name): \(line)") }
        // First, because a frame of a file waits until the last frame's answer is written.
        outlet.flush()
        handOut(now)
        child?.flush()
        // Before the last line: its reader then knows the final state.
        tell(now)
        if watch.state == .over, !isOver {
            isOver = true
            _ = outlet.end(of: options.source, saying: Self.bye)
        }
        outlet.flush()
        return outlet.isOpen && !(isOver && !outlet.isWaiting(for: options.source))
    }

    private func begin(_ now: Seconds) {
        relay.begin()
        closedAt = nil
        pace.forget()
        pulse = StagePulse()
        log.begin()
        (saidBye, hasEndedPictures, nextPing) = (false, false, .infinity)
        do {
            child = try StageProcess(options.words)
            let scores = options.scores
            if feed == nil || scores != nil {
                let rate = feed == nil ? options.framesPerSecond : nil
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
        let due = takesPictures && pace.due > turnedAt ? pace.due : nil
        return [
            watch.deadline, nextPing < .infinity ? nextPing : nil, log.deadline, due,
            child != nil && opensAt > turnedAt ? opensAt : nil, child.flatMap { _ in log.opens(after: turnedAt) },
            closedAt.map { $0 + Self.lastMoment }, pulse.deadline,
            glances ? nextGlance : nil, child.flatMap { $0.process.descriptor < 0 ? nextLook : nil },
        ].compactMap { $0 }.min()
    }

    /// The descriptors to wait for, in the order in which `take` reads them.
    var waits: [pollfd] {
        let isOpen = turnedAt >= opensAt
        let wantsPicture = takesPictures && pace.due <= turnedAt
        let isHeld = feed?.isLossless == true && outlet.isWaiting
        return [
            pollfd(fd: isOpen ? child?.output.descriptor ?? -1 : -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: log.opens(after: turnedAt) == nil ? child?.errors.descriptor ?? -1 : -1, events: Int16(POLLIN),
                revents: 0),
            pollfd(fd: child?.process.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: child?.isWriting == true ? child?.input.descriptor ?? -1 : -1, events: Int16(POLLOUT), revents: 0),
            outlet.wait(for: options.source),
            pollfd(fd: wantsPicture && !isHeld ? feed?.descriptor ?? -1 : -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// Processes the events.
    func take(_ waits: [pollfd]) {
        let now = cposix_monotonic_now()
        // The reader of the detections has gone.
        if waits[4].revents & Int16(POLLERR | POLLNVAL) != 0 { outlet.finish() }
        if waits[0].revents != 0 { readOutput(now) }
        if waits[1].revents != 0 { readErrors(now) }
        if waits[2].revents != 0 { reap(now) }
    }

    private func readOutput(_ now: Seconds) {
        var events: [StreamRelay.Event] = []
        let room = relay.room(now: now)
        guard room > 0 else {
            opensAt = relay.opens
            return
        }
        let isOpen =
            child?.output.read(room) { events = relay.feed($0, now: now, realtime: cposix_realtime_now()) } ?? true
        for event in events { hear(event, now) }
        // Output of libraries while the detector is loading is no reason for a restart.
        if relay.wantsRestart, feed == nil || health.detector != nil {
            watch.giveUp("20 lines in a row were not detections")
        }
        if !isOpen, !reap(now) { closedAt = now }
    }

    /// The child has closed its output but still runs, so it is of no use. Most children exit a moment later.
    private func judgeClosed(_ now: Seconds) {
        guard let since = closedAt, now - since >= Self.lastMoment, !reap(now) else { return }
        closedAt = nil
        if saidBye { child?.process.signal(SIGTERM) } else { watch.giveUp("it closed its output") }
    }

    /// The usual time from the end of the output to the end of the process, seconds.
    private static let lastMoment: Seconds = 0.5

    private func hear(_ event: StreamRelay.Event, _ now: Seconds) {
        switch event {
        case .frame:
            watch.sign(now: now)
            held.answered()
            if let took = pace.answered(now: now) { (health.latency, health.latencyP95) = (took.median, took.p95) }
            watch.patience.silence = pace.silence(isFed: feed != nil)
            // Nothing is expected until it gets the next frame.
            if feed != nil || !isActive { watch.rest() }
        case .hello(let hello):
            health.detector = hello.detector ?? options.name
            if let rate = hello.framesPerSecond, rate > 0 { pace.declared = 1 / rate }
            if hello.clock == .remote { nextPing = now }
            if feed != nil || !isActive {
                watch.sign(now: now)
                watch.rest()
            }
        case .pong: pulse.answered()
        case .bye: saidBye = true
        case .problem(let text): tellProblem(text, now)
        case .refused(let version):
            tellProblem("its stream has version \(version), but this program supports version 1", now)
            watch.giveUp("its stream has version \(version)")
        }
    }

    private func tellProblem(_ text: String, _ now: Seconds) {
        if let line = gate.pass(text, now: now) { listener.onLog("\(options.name): \(line)") }
    }

    private func readErrors(_ now: Seconds) {
        let room = log.room(now: now)
        guard room > 0 else { return }
        _ = child?.errors.read(room) { log.feed($0, now: now) }
        for line in log.lines(now: now) { listener.onLog("\(options.name): \(line)") }
    }

    /// Collects the exit status of the process; whether it has ended.
    @discardableResult
    private func reap(_ now: Seconds) -> Bool {
        guard let ending = child?.process.ending() else { return child == nil }
        // The remaining output.
        var events: [StreamRelay.Event] = []
        child?.output.drain { events += relay.feed($0, now: now, realtime: cposix_realtime_now()) }
        for event in events { hear(event, now) }
        child?.errors.drain { log.feed($0, now: now) }
        for line in log.lines(now: now, isEnd: true) { listener.onLog("\(options.name): \(line)") }
        child?.close()
        child = nil
        closedAt = nil
        if held.lost() {
            listener.onLog("\(options.name): frame skipped: the detector ended twice while it processed the frame")
        }
        // Without further frames there is no work for another child. A child that we ended has not finished its work, however
        // cleanly it exited; a child that kept running after its bye and was asked to end has.
        let leave = saidBye && watch.state != .stalled && [.exited(0), .signalled(SIGTERM)].contains(ending)
        let isDone = hasEndedPictures || leave
        if isDone, !leave { listener.onLog("\(options.name): it ended without a bye, with \(ending)") }
        watch.ended(ending, isDone: isDone, reason: log.last.map { "\($0) (\(ending))" }, now: now)
        if !isDone { health.detector = nil }
        return true
    }

    private static let bye: [UInt8] = {
        var line: [UInt8] = []
        var encoder = DetectionEncoder()
        encoder.writeBye(reason: "eof", to: &line)
        return line
    }()

    private func tell(_ now: Seconds) {
        health.state = watch.state
        health.restarts = watch.restarts
        health.problem = watch.problem
        // The latency changes with every frame and is not worth a notification.
        let isNews =
            told?.state != health.state || told?.detector != health.detector || told?.restarts != health.restarts
        guard isNews || health != told && now >= nextTelling else { return }
        if isNews, told != nil, [.restarting, .failed, .stalled].contains(health.state) {
            listener.onLog("\(options.name) \(health.state.rawValue): \(health.problem ?? "no reason was given")")
        }
        told = health
        nextTelling = now + 1
        listener.onChange(health)
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
