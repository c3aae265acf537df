internal import Codecs
internal import Geometry
internal import Glibc
internal import Processes

/// A running encoder. It belongs to one thread, which polls its descriptors.
final class VideoChild {
    let width: Int, height: Int
    private let child: ChildProcess
    private var input = ChildPipe(), output = ChildPipe(), errors = ChildPipe()
    private var log = ChildLog()
    private var reader = FLVReader()
    /// The picture that is on its way, from the first byte that was not written.
    private var waiting: (picture: RGBPicture, from: Int)?
    /// Pictures that have come out and were not asked for yet.
    private var done: [EncodedPicture] = []
    private(set) var ending: String?

    init(_ program: String, _ picture: RGBPicture, _ shape: VideoShape, now: Seconds) throws(ChildProcess.Failure) {
        (width, height) = (picture.width, picture.height)
        let ends: [Int32: Int32?] = [
            0: input.open(toChild: true, room: 1 << 20), 1: output.open(toChild: false, room: 1 << 20),
            2: errors.open(toChild: false),
        ]
        defer { for case let end? in ends.values { close(end) } }
        do throws(ChildProcess.Failure) {
            let (bits, rate) = (shape.bits, shape.rate)
            child = try ChildProcess(
                VideoCommand.words(program, width: width, height: height, bits: bits, rate: rate), pipes: ends)
        } catch {
            for var pipe in [input, output, errors] { pipe.close() }
            throw error
        }
    }

    deinit {
        if ending == nil { child.end() }
        child.close()
        input.close()
        output.close()
        errors.close()
    }

    func put(_ picture: RGBPicture) {
        waiting = (picture, 0)
        write()
    }

    private func write() {
        guard let (picture, from) = waiting else { return }
        let count = picture.bytes.withUnsafeBytes { input.write(UnsafeRawBufferPointer(rebasing: $0[from...])) }
        waiting = from + count < picture.bytes.count ? (picture, from + count) : nil
    }

    var waits: [pollfd] {
        [
            pollfd(fd: waiting == nil ? -1 : input.descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// Moves bytes. Returns the next picture that is whole.
    func turn(now: Seconds) -> EncodedPicture? {
        guard ending == nil else { return nil }
        write()
        _ = output.read { bytes in
            do throws(FLVReader.Flaw) {
                done += try reader.feed(bytes)
            } catch {
                ending = "its output is not as expected: \(error.rawValue)"
                child.end()
            }
        }
        _ = errors.read { log.feed($0, now: now) }
        if !done.isEmpty { return done.removeFirst() }
        guard ending == nil, let ended = child.ending() else { return nil }
        errors.drain { log.feed($0, now: now) }
        _ = log.lines(now: now, isEnd: true)
        ending = log.last.map { "\($0) (\(ended))" } ?? "ffmpeg has ended (\(ended))"
        return nil
    }
}
