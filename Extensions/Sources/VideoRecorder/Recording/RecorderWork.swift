internal import Codecs
internal import DockTypes
internal import FacePrivacy
internal import Geometry
internal import Glibc
internal import Processes

/// The work of the recorder's thread: it covers pictures, feeds encoders, and passes their fragments on to the disk. It
/// carries out what the machine decides.
final class RecorderWork: PolledWork {
    let settings: RecorderSettings
    /// What encodes: as set, until hardware has failed.
    var encoding: EncoderSettings
    private let mailbox: Mailbox<RecorderMessage>
    let disk: DiskThread
    let order: @Sendable (RecorderOrder) -> Void
    private let publish: @Sendable (RecorderStatus) -> Void
    private let clock: @Sendable () -> ClockReading
    private var upkeep = Upkeep()
    var machine: RecorderMachine
    private var stage: PrivacyStage
    /// The microphone; nil if no sound is recorded.
    let sound: SoundCapture?
    /// Chunks whose encoders work; the last one may be open.
    var chunks: [OpenChunk] = []
    /// An encoder for the next chunk, which was started early.
    var spare: ChunkEncoder?
    private var status = RecorderStatus()
    private var isFinishing = false
    /// Pictures that never arrived.
    var gaps = FrameGaps()

    /// What is done besides recording.
    private struct Upkeep {
        var calendar = ExpiryCalendar()
        var deletions = DeletionNews()
        /// When to publish the status again, CLOCK_MONOTONIC.
        var reportAt: Seconds = -.infinity
    }

    /// The maximum number of encoders. With so many, a chunk goes on beyond its length. If it must end nevertheless, the
    /// oldest encoder is ended.
    static let mostEncoders = 4

    init(
        _ settings: RecorderSettings, _ mailbox: Mailbox<RecorderMessage>, _ disk: DiskThread,
        order: @escaping @Sendable (RecorderOrder) -> Void, publish: @escaping @Sendable (RecorderStatus) -> Void,
        clock: @escaping @Sendable () -> ClockReading = { ClockReading.now() }
    ) {
        (self.settings, encoding, self.mailbox, self.disk) = (settings, settings.encoder, mailbox, disk)
        (self.order, self.publish, self.clock) = (order, publish, clock)
        stage = PrivacyStage(settings.privacy)
        sound = settings.sound.map { SoundCapture($0, program: settings.encoder.program) }
        machine = RecorderMachine(length: settings.length, delay: stage.delay)
    }

    var now: Seconds { clock().monotonic }

    // MARK: the thread

    func turn() -> Bool {
        for message in mailbox.takeAll() { handle(message) }
        for news in sound?.turn(clock()) ?? [] { order(.say(news.text, isWarning: news.isWarning)) }
        record(stage.pop(now: now))
        carryOut(machine.tick(clock()))
        expire()
        runEncoders()
        report()
        return !(isFinishing && chunks.isEmpty && machine.state(now: now) == .off)
    }

    var deadline: Seconds? {
        let now = now
        var times = [stage.due, machine.deadline(now: now), upkeep.calendar.deadline, sound?.deadline(now: now)]
        for encoder in encoders { times.append(encoder.deadline(now: now)) }
        if disk.isBusy { times.append(now + 0.05) }
        return times.compactMap { $0 }.min()
    }

    var waits: [pollfd] {
        let isHeld = disk.isBusy, now = now
        return encoders.flatMap { $0.waits(isHeld: isHeld, now: now) } + (sound?.waits(now: now) ?? [])
    }

    // Each turn tries everything that does not block, so that the events themselves say nothing new.
    func handle(_ waits: [pollfd]) {}

    func end() {
        sound?.end()
        spare?.end()
        for chunk in chunks {
            chunk.encoder.end()
            store(chunk)
        }
        disk.stop()
        // What the disk has reported meanwhile.
        for case .disk(let report) in mailbox.takeAll() { handle(report) }
        report(isLast: true)
        order(.over)
    }

    /// Whether the disk has said that there is room, for tests.
    var isRoomKnown: Bool { machine.isRoomKnown }
    /// The pictures that the open chunk's encoder has given back, for tests.
    var fragments: Int { chunks.last?.encoder.length.frames ?? 0 }
    /// The number of encoders that work, for tests.
    var encoderCount: Int { chunks.count }
    /// Kills the open chunk's encoder, for tests.
    func killEncoder() { chunks.last?.encoder.kill() }

    private var encoders: [ChunkEncoder] { chunks.map(\.encoder) + (spare.map { [$0] } ?? []) }

    // MARK: messages

    private func handle(_ message: RecorderMessage) {
        switch message {
        case .picture(let picture, let stamp):
            carryOut(machine.sawPicture(now: now))
            record(stage.push(picture, stamp, now: now))
        case .look(let look): stage.add(look)
        case .refused(let problem, let source, let arrival):
            stage.refuse(problem, source: source, arrival: arrival, now: now)
        case .start(let party, let seconds):
            // It would never be over.
            guard !isFinishing else { return }
            carryOut(machine.start(party, until: seconds.map { now + $0 }, now: now))
        case .stop(let party): carryOut(machine.stop(party, now: now))
        case .shown(let sign, let problem): carryOut(machine.shown(sign, problem: problem, now: now))
        case .connected: carryOut(machine.connected(now: now))
        case .mark(let date, let mark): _ = disk.add(.mark(date: date, mark))
        case .length(let length): machine.set(length: length)
        case .limits(let limits): _ = disk.add(.limits(limits))
        case .cut: machine.cut()
        case .ping: status.pings += 1
        case .disk(let report): handle(report)
        case .overrun: status.overrun += 1
        case .finish:
            isFinishing = true
            // Looks at later pictures will not follow. Where they are missing, the whole picture is covered.
            record(stage.flush())
            carryOut(machine.finish(now: now))
        }
    }

    func handle(_ report: DiskReport) {
        switch report {
        case .room(let problem): carryOut(machine.hasRoom(problem: problem, now: now))
        case .folderLost: order(.folderLost)
        case .failed(let id, let reason): carryOut(machine.diskFailed(id, reason, now: now))
        case .gone(let id): carryOut(machine.wasDeleted(id, now: now))
        case .note(let text, let isWarning): order(.say(text, isWarning: isWarning))
        case .stored(let record, let bytes):
            status.chunks += 1
            status.tally = status.tally + record.tally
            order(.stored(record, bytes: bytes))
        case .deleted(let entries):
            status.deletedUnsent += entries.count { !$0.isSent }
            if let words = upkeep.deletions.add(entries, now: now) { order(.say(words, isWarning: false)) }
        }
    }

    // MARK: frames

    func record(_ frames: [ChunkFrame]) {
        for frame in frames {
            // Another chunk would end the oldest encoder, which is only slow.
            let isCrowded = chunks.count >= Self.mostEncoders
            carryOut(machine.handleFrame(frame.exposure, frame.size, isCrowded: isCrowded, clock()), frame)
        }
    }

    func carryOut(_ actions: [RecorderMachine.Action], _ frame: ChunkFrame? = nil) {
        for action in actions {
            switch action {
            case .show(let sign): order(.show(sign))
            case .watch(let isWanted):
                if !isWanted { stage.clear() }
                sound?.want(isWanted)
                order(.watch(isWanted))
            case .makeRoom: makeRoom()
            case .warm: warm()
            case .begin(let beginning): begin(beginning)
            case .put: put(frame)
            case .end(let id, let reason, let next): close(id, reason, next)
            case .say(let text, let isWarning): order(.say(text, isWarning: isWarning))
            }
        }
    }

    private func put(_ frame: ChunkFrame?) {
        guard let frame, let last = chunks.indices.last, chunks[last].end == nil else { return }
        chunks[last].put(frame, missed: gaps.missed(before: frame.sequence), now: now)
        if let sound { chunks[last].pass(sound.ring) }
    }

    private func makeRoom() {
        if !disk.add(.makeRoom(now: upkeep.calendar.date(clock()))) { handle(.room(problem: "the disk is too slow")) }
    }

    /// Deletes chunks that are too old, also while nothing is recorded.
    private func expire() {
        let reading = clock()
        guard upkeep.calendar.isExpiryDue(reading), let date = upkeep.calendar.date(reading) else { return }
        _ = disk.add(.expire(now: date))
    }

    /// Publishes the status a few times a second.
    private func report(isLast: Bool = false) {
        let now = now
        guard isLast || now >= upkeep.reportAt else { return }
        upkeep.reportAt = now + 0.2
        status.state = machine.state(now: now)
        (status.verdicts, status.drops, status.sound) = (stage.counts, machine.drops, sound?.state ?? .off)
        publish(status)
    }
}
