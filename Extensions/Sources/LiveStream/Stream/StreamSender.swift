public import Codecs
public import DockTypes
internal import Geometry
internal import Glibc
internal import Processes
internal import Synchronization

/// What a stream does.
public enum StreamState: Sendable, Equatable {
    /// It may not send, or there is no picture yet.
    case idle
    /// ffmpeg runs, and has not sent a picture yet.
    case connecting
    /// It sends: so many pictures so far.
    case sending(pictures: Int)
    /// It has failed, and why. It is begun again after a pause.
    case waiting(String)
}

/// Publishes the newest pictures with ffmpeg, on a thread of its own, until it is stopped. A stream that ends is begun
/// again.
public final class StreamSender: Sendable {
    private let thread: PollThread
    private let desk = StreamDesk()

    /// Starts the thread. Nothing is sent before `permit`.
    /// - Parameter changed: receives each new state, on the thread; further pictures are no new state.
    /// - Throws: `limitReached` if the system has no thread left.
    public init(
        _ settings: StreamSettings, changed: @escaping @Sendable (StreamState) -> Void
    ) throws(DockError) {
        guard let thread = PollThread(name: "uplink-stream") else { throw Self.none }
        self.thread = thread
        guard thread.start({ [desk] in StreamWork(settings, desk, changed) }) else { throw Self.none }
    }

    private static let none = DockError(
        .limitReached, "the system has no thread or no descriptors left", hint: "end other programs")

    /// Permits pictures to leave, or forbids it: then ffmpeg is ended at once.
    public func permit(_ mayLeave: Bool) {
        if desk.permit(mayLeave) { thread.wake() }
    }

    /// The newest picture counts.
    public func put(_ picture: RGBPicture) {
        desk.put(picture)
        thread.wake()
    }

    /// What it does now.
    public var state: StreamState { desk.state }

    /// Ends ffmpeg, and waits for that.
    public func stop() { thread.stop() }
}

/// What passes between the thread and the others.
final class StreamDesk: Sendable {
    private struct Shared {
        var mayLeave = false
        var picture: RGBPicture?
        var state = StreamState.idle
    }

    private let shared = Mutex(Shared())

    var state: StreamState {
        get { shared.withLock { $0.state } }
        set { shared.withLock { $0.state = newValue } }
    }

    var mayLeave: Bool { shared.withLock { $0.mayLeave } }

    /// Returns whether that is new.
    func permit(_ mayLeave: Bool) -> Bool {
        shared.withLock { shared in
            defer { shared.mayLeave = mayLeave }
            return shared.mayLeave != mayLeave
        }
    }

    func put(_ picture: RGBPicture) { shared.withLock { $0.picture = picture } }

    func take() -> RGBPicture? {
        shared.withLock { shared in
            defer { shared.picture = nil }
            return shared.picture
        }
    }
}

/// The work of the stream's thread.
final class StreamWork: PolledWork {
    /// A picture is repeated after this time, in seconds, so that the rate of the stream stays even.
    static let repeatAfter: Seconds = 0.2
    /// Without a new picture for this time, in seconds, the stream ends: a picture that stands still is not live.
    static let longestStill: Seconds = 5

    private let settings: StreamSettings
    private let desk: StreamDesk
    private let changed: @Sendable (StreamState) -> Void
    private var child: StreamChild?
    private var pauses = StreamPauses()
    private var startAt: Seconds = 0
    private var newest: RGBPicture?, newestAt: Seconds = 0, isUnsent = false
    private var fedAt: Seconds = 0
    private var said = StreamState.idle

    init(_ settings: StreamSettings, _ desk: StreamDesk, _ changed: @escaping @Sendable (StreamState) -> Void) {
        (self.settings, self.desk, self.changed) = (settings, desk, changed)
    }

    private var now: Seconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) / 1e9
    }

    func turn() -> Bool {
        let fresh = desk.take(), now = now
        if let fresh { (newest, newestAt, isUnsent) = (fresh, now, true) }
        if now >= newestAt + Self.longestStill { newest = nil }
        guard desk.mayLeave, let picture = newest else {
            (child, newest) = (nil, nil)
            say(.idle)
            return true
        }
        // ffmpeg knows one size only.
        if let running = child, (running.width, running.height) != (picture.width, picture.height) { child = nil }
        if child == nil, now >= startAt { begin(picture, now) }
        guard let child else { return true }
        child.turn(now: now)
        if let reason = child.ending {
            failed(reason, lasted: child.frames > 0 ? now - child.began : 0, now)
            return true
        }
        if child.isReady, isUnsent || now >= fedAt + Self.repeatAfter {
            (fedAt, isUnsent) = (now, false)
            child.put(picture, now: now)
        }
        say(child.frames > 0 ? .sending(pictures: child.frames) : .connecting)
        return true
    }

    private func begin(_ picture: RGBPicture, _ now: Seconds) {
        do throws(ChildProcess.Failure) {
            child = try StreamChild(settings, width: picture.width, height: picture.height, now: now)
        } catch {
            let reason = error.number == ENOENT ? "ffmpeg is missing (apt-get install ffmpeg)" : error.description
            failed(reason, lasted: 0, now)
        }
    }

    private func failed(_ reason: String, lasted: Seconds, _ now: Seconds) {
        child = nil
        startAt = now + pauses.next(after: lasted)
        say(.waiting(reason))
    }

    private func say(_ state: StreamState) {
        desk.state = state
        defer { said = state }
        if case .sending = state, case .sending = said { return }
        if state != said { changed(state) }
    }

    var deadline: Seconds? {
        guard desk.mayLeave, newest != nil else { return nil }
        guard let child else { return min(startAt, newestAt + Self.longestStill) }
        let feed = child.isReady ? fedAt + Self.repeatAfter : nil
        return [feed, newestAt + Self.longestStill, child.deadline(now: now)].compactMap { $0 }.min()
    }

    var waits: [pollfd] { child?.waits ?? [] }

    func handle(_ waits: [pollfd]) {}

    func end() { child = nil }
}
