public import DockTypes
public import Geometry
internal import Glibc
internal import Processes
internal import Synchronization

/// What a file is and where.
public struct SpatialSettings: Sendable {
    /// The path of the file.
    public var path: String
    /// Whether a file that exists is replaced.
    public var replaces = false
    /// The quality of JPEG, 1...100 on the scale of libjpeg.
    public var quality = 60
    /// The program that writes, with its version.
    public var library: String
    /// What the file says about itself.
    public var facts: [(key: String, value: String)] = []
    /// The bytes that stay free on the disk.
    public var leastFree = 256 << 20

    /// Creates the usual settings.
    public init(path: String, library: String) { (self.path, self.library) = (path, library) }
}

/// How a file has ended.
public struct SpatialEnding: Sendable, Equatable {
    /// Why it ended before its owner wanted that, or nil.
    public var error: DockError?
    /// Whether it has its summary. Without it, tools must repair it first.
    public var isComplete: Bool
}

/// Figures of a file.
public struct SpatialFigures: Sendable, Equatable {
    /// Pictures that were taken, and that were left out because the disk or the encoder was too slow.
    public var pictures = 0, dropped = 0
    /// The bytes of the file so far.
    public var bytes = 0
    /// How it has ended, or nil.
    public var ending: SpatialEnding?
}

/// Writes pictures, lenses, transforms and people to an MCAP file, on a thread of its own: a slow disk delays nothing
/// else, and a full one ends only the file.
public final class SpatialRecorder: Sendable {
    /// The most pictures that wait, and the most reports of people.
    static let mostPictures = 8, mostReports = 64

    private let thread: PollThread
    private let desk: SpatialDesk

    /// Creates the file, and starts the thread.
    /// - Parameter ended: called once, on the thread, when the file ends by itself.
    /// - Throws: `configuration` if the file exists and is not to be replaced; `permission`, `cannotOpen`; `limitReached`
    ///   if the system has no thread left.
    public init(
        _ settings: SpatialSettings, now: Seconds, unix: Double, ended: @escaping @Sendable (SpatialEnding) -> Void
    ) throws(DockError) {
        guard let thread = PollThread(name: "spatial-log") else { throw Self.none }
        let hand = Hand(try SpatialRecording(settings, now: now, unix: unix)), desk = SpatialDesk()
        (self.thread, self.desk) = (thread, desk)
        guard thread.start({ SpatialWork(hand.recording, desk, ended) }) else { throw Self.none }
    }

    private static let none = DockError(
        .limitReached, "the system has no thread or no descriptors left", hint: "end other programs")

    /// Hands the file over to the thread. Only `make` uses it.
    private struct Hand: @unchecked Sendable {
        let recording: SpatialRecording
        init(_ recording: SpatialRecording) { self.recording = recording }
    }

    /// Adds a picture. If too many wait, it is left out and counted.
    public func put(_ picture: LoggedPicture) {
        desk.put(.picture(picture))
        thread.wake()
    }

    /// Adds people of a time, CLOCK_MONOTONIC.
    public func put(_ people: [LoggedPerson], of source: PeopleSource, time: Seconds) {
        desk.put(.people(people, source, time: time))
        thread.wake()
    }

    /// The figures of now.
    public var figures: SpatialFigures { desk.figures }

    /// Completes the file, and waits for that.
    public func stop() { thread.stop() }
}

/// What waits for the thread, and what it reports.
final class SpatialDesk: Sendable {
    private struct State {
        var waiting: [SpatialEntry] = []
        var figures = SpatialFigures()
    }

    private let state = Mutex(State())

    var figures: SpatialFigures { state.withLock { $0.figures } }

    func put(_ entry: SpatialEntry) {
        state.withLock { state in
            guard state.figures.ending == nil else { return }
            let isPicture = entry.isPicture, count = state.waiting.count { $0.isPicture == isPicture }
            let hasRoom = count < (isPicture ? SpatialRecorder.mostPictures : SpatialRecorder.mostReports)
            if isPicture { if hasRoom { state.figures.pictures += 1 } else { state.figures.dropped += 1 } }
            if hasRoom { state.waiting.append(entry) }
        }
    }

    func take() -> [SpatialEntry] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    func report(bytes: Int, ending: SpatialEnding?) {
        state.withLock { ($0.figures.bytes, $0.figures.ending) = (bytes, ending) }
    }
}

/// The work of the file's thread.
private final class SpatialWork: PolledWork {
    private let recording: SpatialRecording
    private let desk: SpatialDesk
    private let ended: @Sendable (SpatialEnding) -> Void

    init(_ recording: SpatialRecording, _ desk: SpatialDesk, _ ended: @escaping @Sendable (SpatialEnding) -> Void) {
        (self.recording, self.desk, self.ended) = (recording, desk, ended)
    }

    func turn() -> Bool {
        for entry in desk.take() { recording.put(entry, now: now) }
        recording.tick(now: now)
        desk.report(bytes: recording.length, ending: recording.ending)
        guard let ending = recording.ending else { return true }
        ended(ending)
        return false
    }

    private var now: Seconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) / 1e9
    }

    var deadline: Seconds? { recording.deadline }
    var waits: [pollfd] { [] }

    func handle(_ waits: [pollfd]) {}

    func end() {
        guard recording.ending == nil else { return }
        for entry in desk.take() { recording.put(entry, now: now) }
        recording.finish(now: now)
        desk.report(bytes: recording.length, ending: recording.ending)
        if let ending = recording.ending, ending.error != nil { ended(ending) }
    }
}
