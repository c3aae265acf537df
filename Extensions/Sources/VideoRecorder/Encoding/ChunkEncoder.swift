internal import Codecs
internal import Geometry
internal import Glibc
internal import Processes

/// A program that encodes one chunk: pictures and sound go in through one pipe, fragments come out through another. It
/// belongs to one thread, which polls its descriptors.
///
/// It may be started before its chunk begins: it then waits for the first byte.
final class ChunkEncoder {
    /// What has happened to it.
    enum Ending: Equatable {
        /// All frames are encoded.
        case finished
        /// It ended too early, or hung.
        case failed(String)
    }

    /// Without a byte in or out for this time (5 s), a program that has work hangs.
    static let patience: Seconds = 5
    /// The requested capacity of its pipes, in bytes: a picture of 640 x 480 passes in one turn.
    static let room: Int32 = 1 << 20

    private var child: ChildProcess?
    private var pipes = Pipes()
    private var log = ChildLog()
    private var waiting = EncoderInput()
    private var stream = FragmentStream()
    private var film = FilmReader()
    private var writer: MatroskaWriter?
    private var firstExposure: Seconds = 0
    /// Whether its film has a track of sound.
    let hasSound: Bool
    private var isClosing = false
    private var problem: String?
    private var progressAt: Seconds
    private(set) var ending: Ending?
    /// Whether it has made a fragment.
    private(set) var hasWorked = false
    /// The pictures in its fragments so far.
    var length: FilmLength { film.length }

    /// Our ends of its pipes.
    private struct Pipes {
        var input = ChildPipe(), output = ChildPipe(), errors = ChildPipe()
    }

    /// Starts the program.
    init(_ settings: EncoderSettings, hasSound: Bool = false, now: Seconds) throws(ChildProcess.Failure) {
        (progressAt, self.hasSound) = (now, hasSound)
        let ends: [Int32: Int32?] = [
            0: pipes.input.open(toChild: true, room: Self.room),
            1: pipes.output.open(toChild: false, room: Self.room), 2: pipes.errors.open(toChild: false),
        ]
        defer { for case let end? in ends.values { close(end) } }
        do throws(ChildProcess.Failure) {
            child = try ChildProcess(EncoderCommand.encode(settings, hasSound: hasSound), pipes: ends)
        } catch {
            closePipes()
            throw error
        }
    }

    deinit { end() }

    // MARK: frames

    /// The exposure of the last frame of which it got a byte, CLOCK_MONOTONIC.
    var lastSent: Seconds? { waiting.lastSent }

    /// Adds a frame. Its time in the file begins with the first frame. Returns false if too many wait already.
    func put(_ frame: ChunkFrame, now: Seconds) -> Bool {
        let writer = begin(frame, now)
        guard ending == nil, !isClosing, waiting.hasRoom(for: frame.picture) else { return false }
        let time = frame.exposure - firstExposure
        waiting.add(writer.blockHead(.video, time: time, count: frame.picture.bytes.count), frame)
        return true
    }

    private func begin(_ frame: ChunkFrame, _ now: Seconds) -> MatroskaWriter {
        if let writer { return writer }
        let new = MatroskaWriter(size: frame.size, soundRate: hasSound ? SoundSource.rate : nil)
        (writer, firstExposure, progressAt) = (new, frame.exposure, now)
        waiting.add(new.head)
        return new
    }

    /// Whether sound may be added. Before the first frame there is none.
    var takesSound: Bool { hasSound && writer != nil && ending == nil && !isClosing && waiting.hasRoom }

    /// Adds sound. It may be later in the pipe than its frames.
    func put(_ sound: SoundTrack.Block) {
        guard let writer, hasSound, ending == nil, !isClosing else { return }
        waiting.add(writer.blockHead(.sound, time: sound.time, count: sound.bytes.count) + sound.bytes)
    }

    /// Ends the chunk when all frames are encoded.
    func finish(now: Seconds) {
        isClosing = true
        progressAt = now
        closeInputIfDone()
    }

    /// Takes the frames that it did not get, after it has failed.
    func takeUnsent() -> [ChunkFrame] { waiting.takeUnsent() }

    private func closeInputIfDone() { if isClosing, waiting.isEmpty { pipes.input.close() } }

    // MARK: polling

    /// The number of entries of `waits`.
    static let waitCount = 4

    /// The descriptors to wait for. `isHeld`: fragments stay in their pipe, because the disk is slow.
    func waits(isHeld: Bool, now: Seconds) -> [pollfd] {
        [
            pollfd(fd: waiting.isEmpty ? -1 : pipes.input.descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: isHeld ? -1 : pipes.output.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: log.opens(after: now) == nil ? pipes.errors.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: child?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// The latest time for the next `turn`, CLOCK_MONOTONIC.
    func deadline(now: Seconds) -> Seconds? {
        guard let child else { return nil }
        let hang = hasWork ? progressAt + Self.patience : nil
        return [hang, child.descriptor < 0 ? now + 0.25 : nil, log.opens(after: now)].compactMap { $0 }.min()
    }

    private var hasWork: Bool { !waiting.isEmpty || isClosing || problem != nil }

    /// Moves bytes, and returns the pieces that are whole now.
    func turn(isHeld: Bool, now: Seconds) -> [FragmentStream.Whole] {
        guard child != nil else { return [] }
        if waiting.write(to: &pipes.input) > 0 { progressAt = now }
        closeInputIfDone()
        if pipes.errors.descriptor >= 0, case let room = log.room(now: now), room > 0 {
            _ = pipes.errors.read(room) { log.feed($0, now: now) }
        }
        var pieces: [FragmentStream.Whole] = []
        if !isHeld { readOutput(into: &pieces, now) }
        if hasWork, now >= progressAt + Self.patience, !isHeld {
            fail("it did nothing for \(Int(Self.patience)) s", now)
        }
        reap(into: &pieces, now)
        return pieces
    }

    private func readOutput(into pieces: inout [FragmentStream.Whole], _ now: Seconds) {
        // A few reads a turn: a program that floods must not keep this thread.
        for _ in 0..<16 {
            var count = 0
            _ = pipes.output.read { bytes in
                count = bytes.count
                feed(bytes, into: &pieces, now)
            }
            guard count > 0 else { return }
            progressAt = now
        }
    }

    private func feed(_ bytes: UnsafeRawBufferPointer, into pieces: inout [FragmentStream.Whole], _ now: Seconds) {
        guard problem == nil else { return }
        do throws(FragmentWalk.Problem) {
            let new = try stream.feed(bytes)
            for piece in new {
                film.read(piece)
                if piece.piece == .fragment { hasWorked = true }
            }
            pieces += new
        } catch {
            fail("its output is not as expected: \(error.rawValue)", now)
        }
    }

    private func fail(_ reason: String, _ now: Seconds) {
        problem = problem ?? reason
        // A program that cannot be killed is not asked again and again.
        progressAt = now
        child?.signal(SIGKILL)
    }

    private func reap(into pieces: inout [FragmentStream.Whole], _ now: Seconds) {
        guard let child, let ended = child.ending() else { return }
        var rest = pieces
        pipes.output.drain { feed($0, into: &rest, now) }
        pieces = rest
        pipes.errors.drain { log.feed($0, now: now) }
        _ = log.lines(now: now, isEnd: true)
        let isComplete = ended == .exited(0) && isClosing && waiting.isEmpty && problem == nil
        ending = isComplete ? .finished : .failed(problem ?? log.last.map { "\($0) (\(ended))" } ?? "\(ended)")
        closePipes()
        child.close()
        self.child = nil
    }

    private func closePipes() {
        pipes.input.close()
        pipes.output.close()
        pipes.errors.close()
    }

    /// Kills the program; `turn` then takes what it has left.
    func kill() { child?.signal(SIGKILL) }

    /// Kills the program, and waits until it is gone.
    func end() {
        child?.end()
        child?.close()
        child = nil
        closePipes()
        if ending == nil { ending = .failed("it was ended") }
    }
}
