public import Codecs
public import DockTypes
internal import Geometry
internal import Glibc
internal import Processes
internal import Synchronization

/// Encodes pictures as H.264 with ffmpeg, one after the other, on a thread of its own.
public final class VideoEncoder: Sendable {
    /// A picture that takes longer than this, in seconds, is lost, and the encoder with it.
    static let patience: Seconds = 3
    /// The same for the first picture, because ffmpeg takes its time to start on a busy machine.
    static let firstPatience: Seconds = 10

    private let thread: PollThread
    private let desk = VideoDesk()

    /// Starts the thread. ffmpeg is started with the first picture.
    /// - Throws: `limitReached` if the system has no thread left.
    public init(program: String = "ffmpeg") throws(DockError) {
        guard let thread = PollThread(name: "uplink-video") else { throw Self.none }
        self.thread = thread
        guard thread.start({ [desk] in VideoWork(program, desk) }) else { throw Self.none }
    }

    private static let none = DockError(
        .limitReached, "the system has no thread or no descriptors left", hint: "end other programs")

    /// Encodes a picture. The result is nil if that is impossible, or another one is being encoded.
    public func encode(_ picture: RGBPicture, as shape: VideoShape) async -> EncodedPicture? {
        await withCheckedContinuation { continuation in
            let request = VideoRequest(picture: picture, shape: shape, answer: continuation)
            guard desk.put(request) else { return continuation.resume(returning: nil) }
            thread.wake()
        }
    }

    /// The next picture needs no other one.
    public func keyFrame() { desk.restart() }

    /// Why the last picture could not be encoded, or nil.
    public var problem: String? { desk.problem }

    /// Ends ffmpeg, and waits for that.
    public func stop() {
        desk.close()
        thread.stop()
    }
}

/// A picture, and who waits for it.
struct VideoRequest: Sendable {
    var picture: RGBPicture
    var shape: VideoShape
    var answer: CheckedContinuation<EncodedPicture?, Never>
}

/// What passes between the thread and the others.
final class VideoDesk: Sendable {
    private struct Shared {
        var request: VideoRequest?
        var isBusy = false, isClosed = false, restarts = false
        var problem: String?
    }

    private let shared = Mutex(Shared())

    var problem: String? { shared.withLock { $0.problem } }

    func put(_ request: VideoRequest) -> Bool {
        shared.withLock { shared in
            guard !shared.isBusy, !shared.isClosed else { return false }
            (shared.request, shared.isBusy) = (request, true)
            return true
        }
    }

    func restart() { shared.withLock { $0.restarts = true } }

    func close() { shared.withLock { $0.isClosed = true } }

    /// Returns the request, once, and whether it wants a new encoder.
    func take() -> (request: VideoRequest, restarts: Bool)? {
        shared.withLock { shared in
            guard let request = shared.request else { return nil }
            defer { (shared.request, shared.restarts) = (nil, false) }
            return (request, shared.restarts)
        }
    }

    func answer(_ request: VideoRequest, _ result: EncodedPicture?, problem: String?) {
        shared.withLock { ($0.isBusy, $0.problem) = (false, problem) }
        request.answer.resume(returning: result)
    }
}

/// The work of the encoder's thread.
private final class VideoWork: PolledWork {
    private let program: String
    private let desk: VideoDesk
    private var child: VideoChild?
    /// What the child was started for.
    private var shape: VideoShape?
    private var open: (request: VideoRequest, since: Seconds)?
    /// How long the open picture may take, in seconds.
    private var patience = VideoEncoder.firstPatience

    init(_ program: String, _ desk: VideoDesk) { (self.program, self.desk) = (program, desk) }

    private var now: Seconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) / 1e9
    }

    func turn() -> Bool {
        let now = now
        if open == nil, let (request, restarts) = desk.take() { begin(request, restarts: restarts, now) }
        guard let child, let open else {
            // A child that ends between two pictures is found with the next one.
            return true
        }
        if let picture = child.turn(now: now) {
            self.open = nil
            desk.answer(open.request, picture, problem: nil)
        } else if let reason = child.ending {
            fail(reason)
        } else if now >= open.since + patience {
            fail("it did nothing for \(Int(patience)) s")
        }
        return true
    }

    private func begin(_ request: VideoRequest, restarts: Bool, _ now: Seconds) {
        let picture = request.picture
        let fits = child.map { ($0.width, $0.height) == (picture.width, picture.height) } ?? false
        if restarts || !fits || shape != request.shape || child?.ending != nil { child = nil }
        open = (request, now)
        do throws(ChildProcess.Failure) {
            patience = child == nil ? VideoEncoder.firstPatience : VideoEncoder.patience
            if child == nil { child = try VideoChild(program, picture, request.shape, now: now) }
            shape = request.shape
            child?.put(picture)
        } catch {
            fail(error.number == ENOENT ? "ffmpeg is missing (apt-get install ffmpeg)" : error.description)
        }
    }

    private func fail(_ reason: String) {
        child = nil
        guard let (request, _) = open else { return }
        open = nil
        desk.answer(request, nil, problem: reason)
    }

    var deadline: Seconds? { open.map { $0.since + patience } }
    var waits: [pollfd] { open == nil ? [] : child?.waits ?? [] }

    func handle(_ waits: [pollfd]) {}

    func end() {
        if open == nil, let (request, _) = desk.take() { open = (request, now) }
        fail("the encoder was ended")
    }
}
