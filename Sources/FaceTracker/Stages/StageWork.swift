internal import CPosix
internal import Geometry
internal import Glibc
internal import Processes

/// What a stage's thread does between two waits. A class, because the parts of it are changed while others are read.
final class StageWork: PolledWork {
    private let options: DetectorStage.Options
    let feed: PictureFeed?
    private let listener: DetectorStage.Listener
    let outlet: DetectionOutlet
    private let isWanted: () -> Bool
    var watch: ProcessWatch
    private var relay: StreamRelay
    /// Its output is not read before: it has sent more than it may.
    private var opensAt: Seconds = -.infinity
    var child: StageProcess?
    var health: DetectorHealth
    private var told: DetectorHealth?
    private var nextTelling: Seconds = -.infinity
    private var log = ChildLog()
    private var gate = LogGate()
    var pace: StagePace
    var isActive = true
    /// It has said that it is done; there are no more pictures for it.
    private var saidBye = false
    var hasEndedPictures = false
    /// It has said all that it had to say.
    private var isOver = false
    /// Where nothing tells when the child ends: when it is asked again.
    private var nextLook: Seconds = -.infinity
    /// Since when its output is closed; nil: it is open.
    private var closedAt: Seconds?
    var nextPing: Seconds = .infinity
    private var pulse = StagePulse()
    /// The picture of a film that is being looked at: whoever ends over it is given it once more.
    var held = HeldPicture()
    var nextGlance: Seconds = -.infinity
    /// When `turn` looked at the clock: what was not due then must wake the thread, even if it has become due since.
    private var turnedAt: Seconds = -.infinity

    /// `isWanted`: it is not on standby.
    init(
        options: DetectorStage.Options, feed: PictureFeed?, listener: DetectorStage.Listener, outlet: DetectionOutlet,
        isWanted: @escaping () -> Bool
    ) {
        (self.options, self.feed, self.listener, self.outlet) = (options, feed, listener, outlet)
        self.isWanted = isWanted
        // Of a film every picture is answered, and none is given before the last answer.
        relay = StreamRelay(
            to: outlet, source: options.source, isGivenPictures: feed != nil, isCapped: feed?.isLossless != true)
        watch = ProcessWatch(options.patience)
        // Networks are warmed up by their first picture.
        if feed != nil {
            watch.patience.silence = 5
            watch.firstSign = #"{"type":"hello","v":1} line, which comes before the first picture,"#
        }
        health = DetectorHealth(name: options.name)
        pace = StagePace(framesPerSecond: options.framesPerSecond)
    }

    /// Does what is due; false: the stage is over.
    func turn() -> Bool {
        let now = cposix_monotonic_now()
        turnedAt = now
        while let order = watch.next(now: now) {
            switch order {
            case .start: begin(now)
            case .ask: child?.process.signal(SIGTERM)
            case .kill: child?.process.signal(SIGKILL)
            }
        }
        let isWanted = isWanted()
        if isWanted != isActive { activate(isWanted, now) }
        if now >= nextPing {
            nextPing = now + 10
            child?.say(.ping(sent: now))
        }
        switch pulse.next(isResting: child != nil && !isActive && health.detector != nil, now: now) {
        case .ask: child?.say(.ping(sent: now))
        case .silent: watch.giveUp("on standby, it does not answer any more")
        case nil: break
        }
        if let child, child.process.descriptor < 0, now >= nextLook {
            // This system does not tell when a child ends: it is asked now and then.
            nextLook = now + 0.25
            reap(now)
        }
        judgeClosed(now)
        for line in log.lines(now: now) { listener.onLog("\(options.name): \(line)") }
        // First, because a picture of a film waits until the last one's answer is written.
        outlet.flush()
        handOut(now)
        child?.flush()
        // Whoever reads the last line knows how it went.
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
            // Nothing is expected from one that is on standby.
            if !isActive {
                child?.say(.pause)
                watch.rest()
            }
        } catch {
            watch.couldNotStart("\(error)", now: now)
        }
    }

    /// When `turn` has something to do at the latest.
    var deadline: Seconds? {
        let due = takesPictures && pace.due > turnedAt ? pace.due : nil
        return [
            watch.deadline, nextPing < .infinity ? nextPing : nil, log.deadline, due,
            child != nil && opensAt > turnedAt ? opensAt : nil, child.flatMap { _ in log.opens(after: turnedAt) },
            closedAt.map { $0 + Self.lastMoment }, pulse.deadline,
            glances ? nextGlance : nil, child.flatMap { $0.process.descriptor < 0 ? nextLook : nil },
        ].compactMap { $0 }.min()
    }

    /// What to wait for, in the order in which `take` reads it.
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

    /// Takes in what came.
    func take(_ waits: [pollfd]) {
        let now = cposix_monotonic_now()
        // Whoever read the detections has gone.
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
        // What the libraries of one that is being loaded print is no reason.
        if relay.wantsRestart, feed == nil || health.detector != nil {
            watch.giveUp("20 lines in a row were no detections")
        }
        if !isOpen, !reap(now) { closedAt = now }
    }

    /// It has closed its output and goes on: of no use to anybody. Most end a moment later by themselves.
    private func judgeClosed(_ now: Seconds) {
        guard let since = closedAt, now - since >= Self.lastMoment, !reap(now) else { return }
        closedAt = nil
        if saidBye { child?.process.signal(SIGTERM) } else { watch.giveUp("it closed its output") }
    }

    /// From the end of the output to the end of the process, usually, seconds.
    private static let lastMoment: Seconds = 0.5

    private func hear(_ event: StreamRelay.Event, _ now: Seconds) {
        switch event {
        case .frame:
            watch.sign(now: now)
            held.answered()
            if let took = pace.answered(now: now) { (health.latency, health.latencyP95) = (took.median, took.p95) }
            watch.patience.silence = pace.silence(isFed: feed != nil)
            // Nothing is expected from it until it is given the next picture.
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
            tellProblem("it speaks version \(version) of the stream, this is version 1", now)
            watch.giveUp("it speaks version \(version) of the stream")
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

    /// Takes the ending of the process; whether it has ended.
    @discardableResult
    private func reap(_ now: Seconds) -> Bool {
        guard let ending = child?.process.ending() else { return child == nil }
        // Its last words.
        var events: [StreamRelay.Event] = []
        child?.output.drain { events += relay.feed($0, now: now, realtime: cposix_realtime_now()) }
        for event in events { hear(event, now) }
        child?.errors.drain { log.feed($0, now: now) }
        for line in log.lines(now: now, isEnd: true) { listener.onLog("\(options.name): \(line)") }
        child?.close()
        child = nil
        closedAt = nil
        if held.lost() { listener.onLog("\(options.name): a picture is left out, over which it has ended twice") }
        // Where there are no more pictures, there is nothing left for another one. One that we have ended, however politely it went,
        // has not done its work; one that went on after its bye and was asked to end has.
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
        // A latency changes with each picture; that is no news.
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
