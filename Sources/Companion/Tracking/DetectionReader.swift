internal import CPosix
internal import DockControl
internal import FaceTracker
internal import Geometry
internal import Glibc

/// Reads the detections' descriptor and decodes them, for a limited time in each turn, so that a flood does not delay a
/// stop.
final class DetectionReader {
    /// The machine's clocks, or those of a simulation in virtual time.
    struct Clocks {
        /// CLOCK_MONOTONIC.
        var monotonic: () -> Seconds = { cposix_monotonic_now() }
        /// CLOCK_REALTIME.
        var realtime: () -> Seconds = { cposix_realtime_now() }
    }

    /// The descriptor for `poll`; -1 if there is none or its stream has ended.
    private(set) var descriptor: Int32
    /// The result of the turn's read.
    private(set) var reading = SteeringReading()
    /// Whether there may be further events in this turn.
    var isReading: Bool { deadline != nil }

    private let opened: Int32
    private let isOurs: Bool
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    private let clocks: Clocks
    private var decoder: DetectionDecoder
    /// The end of the time for this turn's lines, CLOCK_MONOTONIC, or nil if none are processed.
    private var deadline: Seconds?
    /// The number of lines of this turn. Command words, garbage and status lines also count, because they also take
    /// time.
    private var lines = 0
    /// Whether a turn has left bytes in the decoder.
    private var isBehind = false
    private var hasToldEnd = false

    /// The maximum time for detections in one turn of the loop, in seconds.
    static let longestTurn: Seconds = 0.005

    /// Creates a reader. If `descriptor` is -1, there is none, but bytes may still be fed.
    init(descriptor: Int32, options: DecoderOptions, clocks: Clocks) {
        self.clocks = clocks
        self.descriptor = descriptor
        decoder = DetectionDecoder(options: options)
        // The loop must not block in a read, even if another process reads the same pipe. A terminal remains blocking,
        // because it is shared with the shell and `poll` is reliable there.
        isOurs = descriptor >= 0 && isatty(descriptor) == 0
        if isOurs { _ = cposix_set_nonblocking(descriptor, true) }
        opened = descriptor
    }

    deinit {
        buffer.deallocate()
        if isOurs { _ = cposix_set_nonblocking(opened, false) }
    }

    /// The frame of the last event `frame`.
    var frame: DetectionFrame { decoder.frame }
    /// The stream's hello, or nil if it has sent none.
    var hello: StreamHello? { decoder.hello }
    /// The line of the last event, as it was written.
    var line: ArraySlice<UInt8> { decoder.line }
    /// The size of the upright frame in pixels, if the stream gives it.
    var pictureSize: PictureSize? { decoder.pictureSize }
    /// The clock of the stream's times, or nil if unknown.
    var streamClock: StreamClock? { decoder.streamClock }

    /// Adds bytes that did not come from the descriptor. The next turn decodes them.
    func feed(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { decoder.feed($0) }
        isBehind = true
    }

    /// Begins a turn: reads the descriptor, unless the last turn has left bytes.
    func read(now: Seconds) {
        let isReady = isBehind || receive()
        (reading.hasMore, reading.hasEnded, reading.exposure) = (false, false, nil)
        (deadline, lines) = (isReady ? now + Self.longestTurn : nil, 0)
        isBehind = false
    }

    /// Reads the descriptor. Returns false if it has nothing to read now.
    private func receive() -> Bool {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        if count > 0 {
            decoder.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } else {
            decoder.finish()
            descriptor = -1
        }
        return true
    }

    /// Decodes the next event. The result is nil if there is no further one in this turn; then `reading` is complete.
    func next(now: Seconds) -> DetectionEvent? {
        guard let deadline else { return nil }
        // The clock is read at every eighth line only, because reading it also takes time.
        isBehind = lines > 0 && lines & 7 == 0 && clocks.monotonic() > deadline
        guard !isBehind, let event = decoder.next(arrival: now, realtime: clocks.realtime()) else {
            end()
            return nil
        }
        lines += 1
        if case .frame = event { reading.exposure = tellsExposure ? decoder.frame.exposure : nil }
        return event
    }

    private func end() {
        deadline = nil
        reading.hasMore = isBehind
        reading.hasEnded = descriptor < 0 && !isBehind && !hasToldEnd
        hasToldEnd = hasToldEnd || reading.hasEnded
        reading.dropped = decoder.counters.framesDropped
    }

    /// Whether the detector reports the times of its frames on a known clock.
    private var tellsExposure: Bool {
        switch decoder.streamClock {
        case .monotonic, .unix, .remote: true
        case .media, .some(.none), nil: false
        }
    }
}
