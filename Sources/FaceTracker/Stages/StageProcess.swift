internal import CPosix
internal import Geometry
internal import Glibc
internal import Processes

/// A stage's process with its three pipes: pictures and requests in, lines out, words for the log out.
struct StageProcess {
    let process: ChildProcess
    private(set) var input: Int32 = -1, output: Int32 = -1, errors: Int32 = -1
    private var lines: [UInt8] = []
    private var linesSent = 0
    private var picture: (any StagePicture)?
    private var pixelsSent = 0
    /// Requests that wait for the end of a picture.
    private var later: [DetectorRequest] = []

    /// Requests that wait for a stage that does not read them are dropped beyond so many bytes.
    private static let room = 1 << 14

    init(_ words: [String]) throws(ChildProcess.Failure) {
        var theirs: [Int32] = []
        defer { for open in theirs { close(open) } }
        func pipe(_ ours: inout Int32, isInput: Bool) -> Int32? {
            var readEnd: Int32 = -1, writeEnd: Int32 = -1
            guard cposix_pipe(&readEnd, &writeEnd) == 0 else { return nil }
            ours = isInput ? writeEnd : readEnd
            theirs.append(isInput ? readEnd : writeEnd)
            _ = cposix_set_nonblocking(ours, true)
            return theirs.last
        }
        var ends: [Int32: Int32] = [:]
        ends[0] = pipe(&input, isInput: true)
        ends[1] = pipe(&output, isInput: false)
        ends[2] = pipe(&errors, isInput: false)
        cposix_pipe_size(input, 1 << 20)
        do {
            process = try ChildProcess(words, descriptors: ends)
        } catch {
            for open in [input, output, errors] where open >= 0 { close(open) }
            throw error
        }
    }

    /// Whether something waits to be written.
    var isWriting: Bool { input >= 0 && (linesSent < lines.count || picture != nil) }

    /// Puts a request behind what is being written; between two pictures, never inside of one.
    mutating func say(_ request: DetectorRequest) {
        guard input >= 0, lines.count - linesSent < Self.room else { return }
        if picture != nil {
            later.append(request)
        } else {
            request.write(to: &lines)
        }
        flush()
    }

    /// Begins to write a picture: a line that tells what follows, and its pixels.
    mutating func send(_ picture: any StagePicture) {
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

    /// Writes what the pipe takes.
    mutating func flush() {
        while isWriting {
            if linesSent < lines.count {
                guard let count = write(lines[linesSent...]) else { return }
                linesSent += count
                continue
            }
            lines.removeAll(keepingCapacity: true)
            linesSent = 0
            if let picture {
                let rest = UnsafeRawBufferPointer(rebasing: picture.bytes[pixelsSent...])
                guard let count = write(rest) else { return }
                pixelsSent += count
                guard pixelsSent == picture.bytes.count else { continue }
                self.picture = nil
                for request in later { request.write(to: &lines) }
                later = []
            }
        }
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>) -> Int? { bytes.withUnsafeBytes { write($0) } }

    /// Nil: it takes nothing more for now, or never again.
    private mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
        while true {
            let count = Glibc.write(input, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            if errno == EINTR { continue }
            // It reads nothing any more; what that means is seen where it is read from.
            if errno != EAGAIN { closeInput() }
            return nil
        }
    }

    /// Its standard input ends behind what it has got.
    mutating func endInput() { closeInput() }

    private mutating func closeInput() {
        if input >= 0 { close(input) }
        input = -1
        picture = nil
        lines = []
        linesSent = 0
    }

    /// Reads lines once; false: there will be no more.
    mutating func readOutput(_ take: (UnsafeRawBufferPointer) -> Void) -> Bool { Self.read(&output, take) }

    /// Reads words for the log once; false: there will be no more.
    mutating func readErrors(_ take: (UnsafeRawBufferPointer) -> Void) -> Bool { Self.read(&errors, take) }

    private static func read(_ descriptor: inout Int32, _ take: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard descriptor >= 0 else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 {
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return true
            }
            if count < 0, errno == EAGAIN || errno == EINTR { return true }
            close(descriptor)
            descriptor = -1
            return false
        }
    }

    /// Closes everything; the process has ended.
    mutating func closeAll() {
        closeInput()
        for open in [output, errors, process.descriptor] where open >= 0 { close(open) }
        (output, errors) = (-1, -1)
    }
}
