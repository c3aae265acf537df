internal import CPosix
internal import Geometry
internal import Glibc
public import PictureShare
internal import Processes
internal import Synchronization

/// The number of programs that see a camera's pictures, in all sizes together.
public final class ReaderTally: Sendable {
    private let count = Atomic<Int>(0)

    /// Creates a tally of no programs.
    public init() {}

    /// The number of programs.
    public var total: Int { count.load(ordering: .acquiring) }

    func add(_ change: Int) { count.add(change, ordering: .acquiringAndReleasing) }
}

/// Passes a camera's pictures to other processes, each of which has opened them. While none has, it costs nothing.
///
/// The camera's thread writes; any thread opens and closes. Readers never delay the camera: its pictures are read from
/// the capture program directly into the share, and a reader that is too slow misses some.
public final class PictureOutlet: Sendable {
    /// Why pictures cannot be opened.
    public enum Refusal: Error, Sendable, Equatable {
        /// There are `mostReaders` readers.
        case tooManyReaders
        /// The pictures are wider than the reader accepts: their width, in pixels.
        case tooWide(Int)
        /// The reader has closed the pictures, or opened them again, before the first one came.
        case replaced
        /// The system has no memory or descriptor left, in words.
        case exhausted(String)
        /// The camera has ended.
        case over
    }

    /// Receives the answer once; on any thread, and it must not block.
    public typealias Answer = @Sendable (Result<PictureOpening, Refusal>) -> Void

    /// A reader that waits for the camera's first picture.
    private struct Waiting {
        /// The largest width that it accepts, in pixels.
        let most: Int
        let since: Seconds
        let answer: Answer
    }

    private struct State {
        var size: (width: Int, height: Int)?
        var writer: PictureWriter?
        var bells: [Int: PictureBell] = [:]
        var waiting: [Int: Waiting] = [:]
        /// When the last reader closed.
        var closedAt: Seconds = -.infinity
        var isOver = false

        var readers: Int { bells.count + waiting.count }
    }

    /// An answer that is given after the lock is released.
    private typealias Reply = (answer: Answer, result: Result<PictureOpening, Refusal>)

    /// The largest number of readers.
    public static let mostReaders = 64
    /// How long an unused share is kept, so that a program that opens it again and again does not get new memory each
    /// time, and how long a reader waits for the first picture; both in seconds.
    static let kept: Seconds = 10, patience: Seconds = 10

    private let state = Locked(State())
    /// The format of the pictures.
    public let format: PictureFormat
    private let poses: PoseRing
    private let tally: ReaderTally
    private let onReaders: @Sendable () -> Void

    /// Creates an outlet without readers.
    /// - Parameters:
    ///   - format: the format of the pictures.
    ///   - poses: the poses of the head that carries the camera.
    ///   - tally: counts the readers of all outlets of the camera.
    ///   - onReaders: is called after the tally has changed; on any thread, and it must not block.
    public init(
        _ format: PictureFormat = .rgb24, poses: PoseRing, tally: ReaderTally = ReaderTally(),
        onReaders: @escaping @Sendable () -> Void = {}
    ) {
        (self.format, self.poses, self.tally, self.onReaders) = (format, poses, tally, onReaders)
    }

    /// The number of readers.
    public var readers: Int { state.withLock { $0.readers } }

    /// The size of the pictures, or nil before the first one.
    public var size: (width: Int, height: Int)? { state.withLock { $0.size } }

    /// Changes the state, then gives the answers and reports a new number of readers.
    private func change(_ body: (inout State) -> [Reply]) {
        let (replies, isChanged) = state.withLock { state in
            let before = state.readers, replies = body(&state)
            let more = state.readers - before
            if more != 0 { tally.add(more) }
            return (replies, more != 0)
        }
        for reply in replies { reply.answer(reply.result) }
        if isChanged { onReaders() }
    }

    // MARK: readers

    /// Opens the pictures for a reader; what it had open before is closed. The answer waits for the camera's first
    /// picture. `most`: the largest width that it accepts, in pixels.
    public func open(reader: Int, most: Int = .max, answer: @escaping Answer) {
        change { state in
            var replies = Self.close(reader, &state)
            if state.isOver {
                replies.append((answer, .failure(.over)))
            } else if state.readers >= Self.mostReaders {
                replies.append((answer, .failure(.tooManyReaders)))
            } else if state.size == nil {
                state.waiting[reader] = Waiting(most: most, since: cposix_monotonic_now(), answer: answer)
            } else {
                replies.append((answer, admit(reader, most: most, to: &state)))
            }
            return replies
        }
    }

    /// Closes the pictures of a reader. Idempotent.
    public func close(reader: Int) { change { Self.close(reader, &$0) } }

    /// Closes the pictures of a reader whose bell is gone, unless it has opened them again.
    private func close(reader: Int, of bell: PictureBell) {
        change { state in state.bells[reader] === bell ? Self.close(reader, &state) : [] }
    }

    private static func close(_ reader: Int, _ state: inout State) -> [Reply] {
        state.bells[reader] = nil
        if state.bells.isEmpty { state.closedAt = cposix_monotonic_now() }
        return state.waiting.removeValue(forKey: reader).map { [($0.answer, .failure(.replaced))] } ?? []
    }

    private func admit(_ reader: Int, most: Int, to state: inout State) -> Result<PictureOpening, Refusal> {
        guard let size = state.size, let layout = ShareLayout(format: format, width: size.width, height: size.height)
        else { return .failure(.exhausted("pictures of this size cannot be shared")) }
        guard size.width <= most else { return .failure(.tooWide(size.width)) }
        let writer: PictureWriter
        do throws(ShareFailure) {
            if let shared = state.writer { writer = shared } else { writer = try PictureWriter(layout) }
            // Without readers it got no pictures: what it has is from before, and not what the camera sees now.
            if state.bells.isEmpty { writer.forget() }
        } catch {
            return .failure(.exhausted(error.description))
        }
        let noDescriptor = Result<PictureOpening, Refusal>.failure(.exhausted("no descriptor is left for pictures"))
        let memory = fcntl(writer.descriptor, F_DUPFD_CLOEXEC, 0)
        guard memory >= 0 else { return noDescriptor }
        guard let bell = PictureBell() else {
            Glibc.close(memory)
            return noDescriptor
        }
        (state.writer, state.bells[reader]) = (writer, bell)
        return .success(PictureOpening(memory: memory, bell: bell.readEnd, layout: layout))
    }

    // MARK: the camera's thread

    /// Returns the share to write the next picture of this size into, or nil if there is no reader.
    func writer(width: Int, height: Int) -> PictureWriter? {
        let (writer, isNew) = state.withLock { state in
            if state.bells.isEmpty, state.writer != nil, cposix_monotonic_now() - state.closedAt > Self.kept {
                state.writer = nil
            }
            return (state.bells.isEmpty ? nil : state.writer, state.size.map { $0 != (width, height) } ?? true)
        }
        guard isNew else { return writer }
        change { state in
            // A share has one size. Readers open the new one.
            Self.endShare(&state)
            state.size = (width, height)
            let waiting = state.waiting, now = cposix_monotonic_now()
            state.waiting = [:]
            return waiting.map { reader, opening in
                let isLate = now - opening.since > Self.patience
                return (opening.answer, isLate ? .failure(.replaced) : admit(reader, most: opening.most, to: &state))
            }
        }
        return state.withLock { $0.bells.isEmpty ? nil : $0.writer }
    }

    /// Shows a picture to the readers.
    func publish(_ slot: PictureWriter.Slot, of writer: PictureWriter, _ facts: PictureFacts) {
        var facts = facts
        facts.pose = poses.motion(at: facts.exposure)
        writer.publish(slot, facts)
        let bells = state.withLock { $0.bells }
        for (reader, bell) in bells where !bell.ring() { close(reader: reader, of: bell) }
    }

    /// Ends all shares: the camera has ended.
    func finish() {
        change { state in
            Self.endShare(&state)
            state.isOver = true
            defer { state.waiting = [:] }
            return state.waiting.values.map { ($0.answer, .failure(.over)) }
        }
    }

    private static func endShare(_ state: inout State) {
        state.writer?.end()
        for bell in state.bells.values { bell.ring() }
        (state.writer, state.bells) = (nil, [:])
    }
}
