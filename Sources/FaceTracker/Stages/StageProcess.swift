internal import Geometry
internal import Glibc
internal import Processes

/// A stage's process with its three pipes: one for frames and requests to it, one for its lines, and one for its log
/// lines.
struct StageProcess {
    let process: ChildProcess
    private(set) var input = ChildPipe()
    var output = ChildPipe(), errors = ChildPipe()
    private var lines: [UInt8] = []
    private var linesSent = 0
    private var picture: (any StagePicture)?
    private var pixelsSent = 0
    /// The requests that wait until a frame is written.
    private var later: [DetectorRequest] = []
    /// When to check for its end, if no descriptor reports it.
    private var nextPoll: Seconds = -.infinity

    /// The number of bytes above which requests for a stage that does not read them are dropped.
    private static let room = 1 << 14
    /// The time between two checks for its end, in seconds.
    private static let pollPeriod: Seconds = 0.25

    init(_ words: [String]) throws(ChildProcess.Failure) {
        // The pipe has room for a frame, which then passes in a few turns.
        let ends: [Int32: Int32?] = [
            0: input.open(toChild: true, room: 1 << 20), 1: output.open(toChild: false), 2: errors.open(toChild: false),
        ]
        defer { for case let end? in ends.values { Glibc.close(end) } }
        do throws(ChildProcess.Failure) {
            process = try ChildProcess(words, pipes: ends)
        } catch {
            input.close()
            output.close()
            errors.close()
            throw error
        }
    }

    /// When to check for its end. It is nil if the system reports the end.
    var pollDeadline: Seconds? { process.descriptor < 0 ? nextPoll : nil }

    /// Returns whether to check for its end now, and then starts the next period.
    mutating func isPollDue(now: Seconds) -> Bool {
        guard let deadline = pollDeadline, now >= deadline else { return false }
        nextPoll = now + Self.pollPeriod
        return true
    }

    /// Whether data waits to be written.
    var isWriting: Bool { input.descriptor >= 0 && (linesSent < lines.count || picture != nil) }

    /// Queues a request behind the current data: between two frames, never inside one.
    mutating func say(_ request: DetectorRequest) {
        guard input.descriptor >= 0, lines.count - linesSent < Self.room else { return }
        if picture != nil {
            later.append(request)
        } else {
            request.write(to: &lines)
        }
        flush()
    }

    /// Starts to write a frame: a line that describes it, then its pixels.
    mutating func send(_ picture: any StagePicture) {
        guard input.descriptor >= 0 else { return }
        var writer = JSONWriter()
        writer.raw(#"{"type":"image","seq":"#)
        writer.integer(picture.sequence)
        writer.raw(#","t":"#)
        writer.number(picture.exposure, decimals: 6)
        writer.raw(#","w":"#)
        writer.integer(picture.width)
        writer.raw(#","h":"#)
        writer.integer(picture.height)
        writer.raw(",\"format\":\"rgb24\"}\n")
        lines += writer.bytes
        self.picture = picture
        pixelsSent = 0
    }

    /// Writes what the pipe accepts.
    mutating func flush() {
        while isWriting {
            if linesSent < lines.count {
                let count = lines[linesSent...].withUnsafeBytes { input.write($0) }
                guard count > 0 else { break }
                linesSent += count
                continue
            }
            if let picture {
                let count = input.write(UnsafeRawBufferPointer(rebasing: picture.bytes[pixelsSent...]))
                guard count > 0 else { break }
                pixelsSent += count
                guard pixelsSent == picture.bytes.count else { continue }
                self.picture = nil
                for request in later { request.write(to: &lines) }
                later = []
            }
        }
        if linesSent == lines.count {
            lines.removeAll(keepingCapacity: true)
            linesSent = 0
        }
        // The process no longer reads. The reason becomes visible on its output.
        if input.descriptor < 0 { endInput() }
    }

    /// Ends its standard input after the bytes that were written.
    mutating func endInput() {
        input.close()
        picture = nil
        lines = []
        linesSent = 0
    }

    /// Closes everything after the process has ended.
    mutating func close() {
        endInput()
        output.close()
        errors.close()
        process.close()
    }
}
