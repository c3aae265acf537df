internal import Geometry
internal import Glibc
internal import Processes

/// The program that opens a microphone, as long as a recording is wanted. It belongs to one thread, which polls its
/// descriptors.
///
/// A device that is not there, or is lost, is tried again with longer and longer pauses.
final class SoundCapture {
    /// Bytes a second that are read at most, twice what a device gives, and the largest burst.
    private static let bytesPerSecond = 4.0 * Double(SoundSource.rate), burst = 2 * bytesPerSecond
    /// Bytes that are read at once: 85 ms.
    private static let piece = 8192
    /// Sound that is later than now by more stays in its pipe, in seconds. A device has none.
    private static let ahead: Seconds = 0.25

    /// How long the program may take, in seconds: to open its device, and between two packets.
    private static let patience: ProcessWatch.Patience = {
        var patience = ProcessWatch.Patience()
        (patience.start, patience.silence, patience.grace) = (5, 2, 1)
        (patience.first, patience.longest) = (0.5, 10)
        return patience
    }()

    private let source: SoundSource
    private let program: String
    private var child: ChildProcess?
    private var pipes = Pipes()
    private var log = ChildLog()
    private var packets = SoundPackets()
    private var clock = SoundClock()
    private var watch = ProcessWatch(patience)
    private var allowance = Allowance(bytesPerSecond, most: burst)
    private var gate = LogGate()
    private var isWanted = false
    /// Why there is no sound, or nil while there is some or may soon be.
    private var problem: String?
    /// The sound of the last seconds.
    private(set) var ring = SoundRing()

    /// Our ends of its pipes.
    private struct Pipes {
        var samples = ChildPipe(), times = ChildPipe(), errors = ChildPipe()
    }

    /// Lines for the log of the recorder.
    typealias News = [(text: String, isWarning: Bool)]

    init(_ source: SoundSource, program: String) { (self.source, self.program) = (source, program) }

    deinit { end() }

    /// Whether a chunk that begins now gets a track of sound.
    var isHopeful: Bool { isWanted && problem == nil }

    /// What it does.
    var state: SoundState { isWanted ? problem.map(SoundState.failed) ?? .open : .closed }

    /// Opens or closes the device.
    func want(_ isWanted: Bool) {
        guard isWanted != self.isWanted else { return }
        self.isWanted = isWanted
        (problem, watch) = (nil, ProcessWatch(Self.patience))
        ring.clear()
        // Not waited for: a device that hangs must not hold up pictures.
        child?.signal(SIGKILL)
        isDismissed = child != nil
    }

    /// Whether the program that runs is no longer wanted. Another one starts when it has ended.
    private var isDismissed = false

    // MARK: polling

    /// The descriptors to wait for. Times come with samples, and need no waiting.
    func waits(now: Seconds) -> [pollfd] {
        [
            pollfd(
                fd: isRead && pause(now) == nil ? pipes.samples.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: log.opens(after: now) == nil ? pipes.errors.descriptor : -1, events: Int16(POLLIN),
                revents: 0),
            pollfd(fd: child?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// The latest time for the next `turn`, CLOCK_MONOTONIC; nil if there is none.
    func deadline(now: Seconds) -> Seconds? {
        var times = [isRead ? pause(now) : nil, log.opens(after: now)]
        if isWanted, !isDismissed { times.append(watch.deadline) }
        if let child, child.descriptor < 0 { times.append(now + 0.25) }
        return times.compactMap { $0 }.min()
    }

    /// Whether its output is read. That of a program that is being ended is not.
    private var isRead: Bool { isWanted && !isDismissed && watch.state != .stalled && pipes.samples.descriptor >= 0 }

    /// Until when nothing is read, because the source is faster than time; nil if it is not.
    private func pause(_ now: Seconds) -> Seconds? {
        if let end = ring.end {
            let ripe = Seconds(end) / Seconds(SoundSource.rate) - Self.ahead
            if ripe > now { return ripe }
        }
        let due = allowance.due(Self.piece)
        return due > now ? due : nil
    }

    /// Moves bytes, and starts or ends the program. Returns lines for the log.
    func turn(_ reading: ClockReading) -> News {
        var news: News = []
        read(reading, &news)
        reap(reading.monotonic, &news)
        act(reading.monotonic, &news)
        return news
    }

    private func read(_ reading: ClockReading, _ news: inout News) {
        let now = reading.monotonic
        if pipes.errors.descriptor >= 0, case let room = log.room(now: now), room > 0 {
            _ = pipes.errors.read(room) { log.feed($0, now: now) }
        }
        guard isRead else { return }
        do throws(SoundFault) {
            // A few reads a turn: a program that floods must not keep this thread.
            for _ in 0..<16 where allowance.available(now: now) >= Self.piece && pause(now) == nil {
                guard try readPiece(now) > 0 else { break }
                try unpack(reading, &news)
            }
        } catch {
            watch.giveUp(error.words)
        }
    }

    private func readPiece(_ now: Seconds) throws(SoundFault) -> Int {
        var count = 0, failure: SoundFault?
        for isTimes in [true, false] {
            let receive: (UnsafeRawBufferPointer) -> Void = { [self] bytes in
                do throws(SoundFault) {
                    if isTimes { try packets.feed(lines: bytes) } else { try packets.feed(samples: bytes) }
                } catch {
                    failure = failure ?? error
                }
                count += bytes.count
            }
            _ = isTimes ? pipes.times.read(Self.piece, receive) : pipes.samples.read(Self.piece, receive)
        }
        if let failure { throw failure }
        _ = allowance.spend(count, now: now)
        return count
    }

    private func unpack(_ reading: ClockReading, _ news: inout News) throws(SoundFault) {
        var isFirst = true
        while let packet = packets.next() {
            if isFirst { try clock.read(reading) }
            isFirst = false
            ring.put(packet.samples, at: try clock.time(of: packet.stamp, samples: packet.samples.count))
            watch.sign(now: reading.monotonic)
            if problem != nil { say("sound is recorded again, from \(source.name)", false, reading.monotonic, &news) }
            problem = nil
        }
    }

    private func reap(_ now: Seconds, _ news: inout News) {
        guard let child, let ending = child.ending() else { return }
        pipes.errors.drain { log.feed($0, now: now) }
        let lines = log.lines(now: now, isEnd: true)
        close(child)
        // One that was dismissed has not failed.
        guard !isDismissed else { return isDismissed = false }
        watch.ended(ending, reason: Self.reason(lines), now: now)
        lose(watch.problem ?? "\(ending)", now, &news)
    }

    /// Returns the line that says why a device could not be opened, without the address of an object before it.
    private static func reason(_ lines: [String]) -> String? {
        let line = lines.last { $0.contains("cannot ") } ?? lines.last
        return line.map { String($0.hasPrefix("[") ? $0.drop { $0 != "]" }.dropFirst(2) : $0[...]) }
    }

    private func lose(_ reason: String, _ now: Seconds, _ news: inout News) {
        if problem == nil { say("no sound is recorded: \(reason); it is tried again", true, now, &news) }
        problem = reason
    }

    /// A device that comes and goes must not fill the log.
    private func say(_ text: String, _ isWarning: Bool, _ now: Seconds, _ news: inout News) {
        if let line = gate.pass(text, now: now) { news.append((line, isWarning)) }
    }

    private func act(_ now: Seconds, _ news: inout News) {
        guard isWanted, !isDismissed else { return }
        while let order = watch.next(now: now) {
            if let signal = order.signal { child?.signal(signal) } else { start(now, &news) }
        }
    }

    private func start(_ now: Seconds, _ news: inout News) {
        (packets, clock) = (SoundPackets(), SoundClock())
        log.begin()
        let ends: [Int32: Int32?] = [
            1: pipes.samples.open(toChild: false), SoundSource.times: pipes.times.open(toChild: false),
            2: pipes.errors.open(toChild: false),
        ]
        defer { for case let end? in ends.values { Glibc.close(end) } }
        do throws(ChildProcess.Failure) {
            child = try ChildProcess(source.capture(program), pipes: ends)
        } catch {
            closePipes()
            watch.couldNotStart(error.description, now: now)
            lose(error.description, now, &news)
        }
    }

    private func close(_ child: ChildProcess) {
        closePipes()
        child.close()
        self.child = nil
    }

    private func closePipes() {
        pipes.samples.close()
        pipes.times.close()
        pipes.errors.close()
    }

    /// Kills the program, and waits until it is gone.
    func end() {
        isWanted = false
        guard let child else { return }
        child.end()
        close(child)
    }
}
