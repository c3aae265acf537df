internal import Codecs
internal import Geometry
internal import Glibc
internal import Processes

/// A running ffmpeg: whole pictures go in through one pipe, its progress comes out through another. It belongs to one
/// thread, which polls its descriptors.
final class StreamChild {
    /// Without a byte in for this time, in seconds, it hangs, or no connection can be made.
    static let patience: Seconds = 10
    /// The most lines of its errors that are kept.
    private static let mostLines = 20

    let began: Seconds
    let width: Int, height: Int
    private let address: StreamAddress
    private let child: ChildProcess
    /// The way to a server that wants a password.
    private let door: RTSPDoor?
    private var input = ChildPipe(), output = ChildPipe(), errors = ChildPipe()
    private var log = ChildLog()
    private var lines: [String] = []
    /// The picture that is on its way, from the first byte that was not written.
    private var waiting: (picture: RGBPicture, from: Int)?
    private var progressAt: Seconds
    private var progress = StreamProgress()
    private var hang: String?
    private(set) var ending: String?

    /// The pictures that it has sent.
    var frames: Int { progress.frames }

    init(_ settings: StreamSettings, width: Int, height: Int, now: Seconds) throws(ChildProcess.Failure) {
        (address, self.width, self.height, began, progressAt) = (settings.address, width, height, now, now)
        var secrets = ChildPipe()
        var ends: [Int32: Int32?] = [
            0: input.open(toChild: true, room: 1 << 20), 1: output.open(toChild: false), 2: errors.open(toChild: false),
        ]
        let secret = StreamCommand.secretOptions(settings.address)
        if !secret.isEmpty { ends[StreamCommand.options] = secrets.open(toChild: true) }
        defer {
            for case let end? in ends.values { close(end) }
            secrets.close()
        }
        // It is shorter than any pipe.
        if !secret.isEmpty { _ = secret.withUnsafeBytes { secrets.write($0) } }
        door = settings.address.login.flatMap {
            RTSPDoor(host: $0.host, port: $0.port, path: $0.path, access: $0.access)
        }
        let target = door?.target ?? settings.address.target
        let words = StreamCommand.words(settings, to: target, width: width, height: height)
        do throws(ChildProcess.Failure) {
            child = try ChildProcess(words, pipes: ends)
        } catch {
            for var pipe in [input, output, errors] { pipe.close() }
            door?.close()
            throw error
        }
    }

    deinit {
        if ending == nil { child.end() }
        child.close()
        door?.close()
        input.close()
        output.close()
        errors.close()
    }

    /// Whether the next picture may be put.
    var isReady: Bool { waiting == nil && ending == nil }

    func put(_ picture: RGBPicture, now: Seconds) {
        guard isReady else { return }
        waiting = (picture, 0)
        write(now)
    }

    private func write(_ now: Seconds) {
        guard let (picture, from) = waiting else { return }
        let count = picture.bytes.withUnsafeBytes { input.write(UnsafeRawBufferPointer(rebasing: $0[from...])) }
        guard count > 0 else { return }
        progressAt = now
        waiting = from + count < picture.bytes.count ? (picture, from + count) : nil
    }

    // MARK: polling

    var waits: [pollfd] {
        [
            pollfd(fd: waiting == nil ? -1 : input.descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// The latest time for the next `turn`.
    func deadline(now: Seconds) -> Seconds? {
        let hang = waiting == nil ? nil : progressAt + Self.patience
        return [hang, child.descriptor < 0 ? now + 0.25 : nil].compactMap { $0 }.min()
    }

    func turn(now: Seconds) {
        guard ending == nil else { return }
        write(now)
        _ = output.read { progress.feed($0) }
        _ = errors.read { log.feed($0, now: now) }
        keep(log.lines(now: now))
        // A receiver that calls us may take its time to do so.
        let mayWait = address.isListener && frames == 0
        if waiting != nil, !mayWait, hang == nil, now >= progressAt + Self.patience {
            hang = (frames == 0 ? "no connection within" : "no picture left for") + " \(Int(Self.patience)) s"
            child.signal(SIGKILL)
        }
        guard let ended = child.ending() else { return }
        errors.drain { log.feed($0, now: now) }
        keep(log.lines(now: now, isEnd: true))
        ending = hang ?? door?.problem ?? StreamComplaint.words(lines, "\(ended)", address)
    }

    private func keep(_ new: [String]) {
        lines += new
        if lines.count > Self.mostLines { lines.removeFirst(lines.count - Self.mostLines) }
    }
}

/// What ffmpeg reports of its progress: lines such as `frame=120`.
struct StreamProgress: Sendable, Equatable {
    private(set) var frames = 0
    private var line: [UInt8] = []

    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if byte != 0x0A {
                if line.count < 64 { line.append(byte) }
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("frame="), let count = Int(text.dropFirst(6).filter(\.isNumber)) { frames = count }
            line = []
        }
    }
}
