internal import DockTypes
internal import Geometry
internal import Glibc
internal import Processes

/// The thread that writes to the disk, so that a slow disk delays no picture. It carries out jobs in order.
final class DiskThread: Sendable {
    /// Jobs that wait: at most this number, and this number of bytes of pieces (32 MB, a minute or more of pictures).
    static let most = 4096, mostBytes = 32 << 20

    private let thread: PollThread
    private let jobs = Mailbox<DiskJob>(most: most, bytes: mostBytes)

    /// Starts the thread. `report` is called on it.
    /// - Throws: `limitReached` if the system has no descriptors or no thread left.
    init(
        _ desk: sending DiskDesk, copies: Bool, program: String, report: @escaping @Sendable (DiskReport) -> Void
    ) throws(DockError) {
        guard let thread = PollThread(name: "record-disk") else { throw Self.none }
        self.thread = thread
        let jobs = jobs, hand = Hand(desk)
        let hasStarted = thread.start {
            DiskWork(hand.desk, jobs, fastStart: copies ? FastStart(hand.desk.folder, program: program) : nil, report)
        }
        guard hasStarted else { throw Self.none }
    }

    private static let none = DockError(
        .limitReached, "the system has no thread or no descriptors left", hint: "end other programs")

    /// Hands the desk over to the thread. Only `make` uses it.
    private struct Hand: @unchecked Sendable {
        let desk: DiskDesk
        init(_ desk: DiskDesk) { self.desk = desk }
    }

    /// Whether pieces should rather wait in their pipe.
    var isBusy: Bool { jobs.bytes > Self.mostBytes / 2 }

    /// Adds a job. Returns false if the disk is too slow.
    func add(_ job: DiskJob) -> Bool {
        let hasRoom = jobs.put(job, bytes: job.bytes)
        thread.wake()
        return hasRoom
    }

    /// Carries out all jobs, and ends the thread.
    func stop() { thread.stop() }
}

/// The work of the disk's thread.
private final class DiskWork: PolledWork {
    private let desk: DiskDesk
    private let jobs: Mailbox<DiskJob>
    private let fastStart: FastStart?
    private let report: @Sendable (DiskReport) -> Void

    init(
        _ desk: DiskDesk, _ jobs: Mailbox<DiskJob>, fastStart: FastStart?,
        _ report: @escaping @Sendable (DiskReport) -> Void
    ) {
        (self.desk, self.jobs, self.fastStart, self.report) = (desk, jobs, fastStart, report)
        for name in desk.uncopied { fastStart?.add(name) }
    }

    func turn() -> Bool {
        carryOut()
        for one in desk.tick(now: now) { report(one) }
        if let fastStart {
            for one in fastStart.turn(now: now, hasRoom: desk.hasRoom(toCopy:)) { report(one) }
            desk.copyBytes = fastStart.copied.flatMap(desk.bytes(of:)) ?? 0
        }
        return true
    }

    private func carryOut() {
        for job in jobs.takeAll() {
            for one in desk.carryOut(job, now: now) {
                if case .stored(let record, _) = one { fastStart?.add(record.name) }
                report(one)
            }
        }
    }

    private var now: Seconds { ClockReading.now().monotonic }

    var deadline: Seconds? {
        [desk.deadline, fastStart?.deadline(now: now)].compactMap { $0 }.min()
    }

    var waits: [pollfd] { fastStart?.waits ?? [] }

    func handle(_ waits: [pollfd]) {}

    func end() {
        carryOut()
        fastStart?.end()
    }
}

extension DiskDesk {
    /// The size of a finished chunk, in bytes, or nil if it is gone.
    func bytes(of name: ChunkName) -> Int? { ring.entries.last { $0.name == name }?.bytes }

    /// Whether a copy of a chunk fits beside everything else.
    func hasRoom(toCopy name: ChunkName) -> Bool { bytes(of: name).map(fits) ?? false }
}
