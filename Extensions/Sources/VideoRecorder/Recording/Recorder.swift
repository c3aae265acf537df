public import Codecs
public import DockTypes
public import FacePrivacy
public import Geometry
internal import Processes
internal import Synchronization

/// Records pictures in chunks: covered, encoded, on the disk; with sound, if the settings name a source. It is off until a party starts it.
///
/// It has two threads: one for pictures and encoders, one for the disk. Its functions may be called from any task, and
/// return at once.
public final class Recorder: Sendable {
    /// Messages that wait: pictures of one second at 1920 x 1080, in bytes (93 MB).
    static let mostBytes = 93 << 20, most = 2048

    private let thread: PollThread
    private let mailbox = Mailbox<RecorderMessage>(most: most, bytes: mostBytes)
    private let board = StatusBoard()
    /// Held until the end, so that no other recorder writes in the folder.
    private let lock: RecorderLock

    /// Prepares a folder, and finishes what an earlier run has left open there. Nothing is recorded yet.
    /// - Parameter order: receives what the recorder wants, on its thread. It must return at once.
    /// - Throws: `portBusy` if another recorder uses the folder, `permission`, `cannotOpen`, `limitReached`.
    public init(
        _ settings: RecorderSettings, in folder: ChunkFolder, order: @escaping @Sendable (RecorderOrder) -> Void
    ) throws(DockError) {
        lock = try RecorderLock(folder, note: settings.sound?.name ?? "")
        guard let thread = PollThread(name: "record") else { throw Self.none }
        self.thread = thread
        let mailbox = mailbox, board = board
        let disk = try Self.disk(settings, folder, order) { [weak thread] report in
            _ = mailbox.put(.disk(report), isUrgent: true)
            thread?.wake()
        }
        let hasStarted = thread.start {
            RecorderWork(settings, mailbox, disk, order: order) { board.set($0) }
        }
        guard hasStarted else { throw Self.none }
    }

    deinit { thread.stop() }

    private static func disk(
        _ settings: RecorderSettings, _ folder: ChunkFolder, _ order: @Sendable (RecorderOrder) -> Void,
        report: @escaping @Sendable (DiskReport) -> Void
    ) throws(DockError) -> DiskThread {
        var news: [DiskReport] = []
        let desk = try DiskDesk(folder, settings.limits, length: settings.length, news: &news)
        for case .note(let text, let isWarning) in news { order(.say(text, isWarning: isWarning)) }
        return try DiskThread(desk, copies: settings.copies, program: settings.encoder.program, report: report)
    }

    private static let none = DockError(
        .limitReached, "the system has no thread or no descriptors left", hint: "end other programs")

    // MARK: what it gets

    /// Adds a picture of the camera. If too many wait, it is lost, and counted.
    public func receive(_ picture: PlanarPicture, _ stamp: FrameStamp) {
        if !mailbox.put(.picture(picture, stamp), bytes: picture.bytes.count) { _ = mailbox.put(.overrun) }
        thread.wake()
    }

    /// Adds what a detector says.
    public func receive(_ look: FaceLook) { post(.look(look), isUrgent: false) }

    /// Notes an answer of a detector that cannot be used. `arrival`: when the daemon read it, CLOCK_MONOTONIC.
    public func refuse(_ problem: LookProblem, source: String, arrival: Seconds) {
        post(.refused(problem, source: source, arrival: arrival), isUrgent: false)
    }

    /// A party wants a recording, for some seconds, or until it stops it.
    public func start(_ party: RecordingParty, seconds: Seconds? = nil) { post(.start(party, seconds: seconds)) }

    /// A party no longer wants a recording. A person's stop ends those of all.
    public func stop(_ party: RecordingParty) { post(.stop(party)) }

    /// Notes something about the finished chunk that began at this date, in milliseconds since 1970.
    public func mark(_ date: Int, _ mark: ChunkMark) { post(.mark(date: date, mark)) }

    /// Sets the length of the chunks after the open one, 2 to 600 seconds.
    public func set(length: Seconds) { post(.length(length)) }

    /// Sets how much room chunks may take, from the next chunk on.
    public func set(limits: RingLimits) { post(.limits(limits)) }

    /// Ends the open chunk at the next frame, which begins another one, so that a server can have what there is.
    public func cut() { post(.cut) }

    /// Answers the order `show`: it is shown, or it is not for this reason.
    public func shown(_ sign: RecorderMachine.Sign, problem: String? = nil) { post(.shown(sign, problem: problem)) }

    /// The connection to the daemon is a new one, which does not show our state yet.
    public func connected() { post(.connected) }

    /// Stops the recording, and writes what there is. The order `over` follows.
    public func finish() { post(.finish) }

    /// Ends the threads, waits for that, and frees the folder. What is not written by then is lost.
    public func end() {
        thread.stop()
        lock.release()
    }

    /// Asks for a sign of life: `pings` of the status grows if the thread of pictures works.
    public func ping() { post(.ping, isUrgent: false) }

    /// What it has done so far.
    public var status: RecorderStatus { board.status }

    private func post(_ message: RecorderMessage, isUrgent: Bool = true) {
        _ = mailbox.put(message, isUrgent: isUrgent)
        thread.wake()
    }
}

/// The newest status, for any thread.
private final class StatusBoard: Sendable {
    private let shared = Mutex(RecorderStatus())

    var status: RecorderStatus { shared.withLock { $0 } }
    func set(_ new: RecorderStatus) { shared.withLock { $0 = new } }
}
