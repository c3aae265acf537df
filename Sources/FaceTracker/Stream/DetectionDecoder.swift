public import Geometry

/// Decodes a detection stream. It accepts bytes and returns one event after another.
///
/// Feed the bytes that were read, then call `next` until it returns nil. All frames of one read are returned (each
/// passes through the tracker), and the owner steers once, after the nil, with the last one. No input can make it trap
/// or keep more than one line.
public struct DetectionDecoder: Sendable {
    /// The number of bad lines in a row after which a child stage should be restarted.
    public static let badLinesUntilRestart = 20

    /// The properties that are known before the hello.
    public let options: DecoderOptions
    /// The frame of the last `.frame` event. The next one reuses its memory.
    public private(set) var frame = DetectionFrame(exposure: 0)
    /// The stream's hello, once it has arrived.
    public private(set) var hello: StreamHello?
    /// Counts of lines and frames so far.
    public private(set) var counters = DecoderCounters()

    /// The line of the last event, as it was written. It is valid until bytes are fed.
    public var line: ArraySlice<UInt8> { lines.bytes[lineRange] }

    private var lineRange = 0..<0
    private var lines = LineSplitter()
    private var parsed = ParsedLine()
    private var clock: FrameClock
    private var convention: PictureConvention
    private var points: FacePoints?
    private var problems: ProblemLimiter
    private var waiting: [DetectionEvent] = []
    private var isRefused = false
    private var hadFrame = false
    private var places = FacePlaces()

    /// Creates a decoder at the beginning of a stream.
    public init(options: DecoderOptions = DecoderOptions()) {
        self.options = options
        // A file or a filter has no clock by which its problems could be limited, so the first ones are all reported.
        problems = ProblemLimiter(free: options.isLive ? 0 : 20)
        clock = FrameClock(options: options)
        convention = PictureConvention(options: options)
    }

    /// Whether bytes wait for the end of their line.
    public var hasRemainder: Bool { lines.hasRemainder }

    /// Whether there were so many bad lines in a row that a child stage should be restarted.
    public var wantsRestart: Bool { counters.consecutiveBadLines >= Self.badLinesUntilRestart }

    /// The clock in use: declared, or guessed from the first `t`.
    public var streamClock: StreamClock? { clock.clock }

    /// The size of the upright frame in pixels, if the stream gives it.
    public var pictureSize: PictureSize? { convention.upright(convention.image) }

    /// Accepts bytes that were read, whole lines or not.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        lines.feed(bytes)
        lineRange = 0..<0
    }

    /// Records that the stream has ended. Its last line counts even without a line end. Call `next` until it returns
    /// nil afterwards.
    public mutating func finish() {
        guard lines.hasRemainder else { return }
        withUnsafeBytes(of: UInt8(0x0A)) { feed($0) }
    }

    /// Returns the problem that was held back, if the input has ended and `next` has returned nil.
    mutating func lastProblem() -> DecoderProblem? { problems.flush() }

    /// Returns the next event, or nil if more bytes are needed.
    ///
    /// `arrival` is when the bytes were read on CLOCK_MONOTONIC, `realtime` the same moment in seconds since 1970.
    public mutating func next(arrival: Seconds, realtime: Seconds) -> DetectionEvent? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        while let piece = lines.next() {
            counters.lines += 1
            switch piece {
            case .oversize:
                counters.oversize += 1
                bad(.oversize, at: arrival)
            case .line(let range): if let event = decode(range, arrival: arrival, realtime: realtime) { return event }
            }
            if !waiting.isEmpty { return waiting.removeFirst() }
        }
        return problems.overdue(at: arrival).map { .problem($0) }
    }

    private mutating func decode(_ range: Range<Int>, arrival: Seconds, realtime: Seconds) -> DetectionEvent? {
        var range = range
        if counters.lines == 1, lines.bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) {
            range = range.lowerBound + 3..<range.upperBound
        }
        while let last = range.last, lines.bytes[last] == 0x0D { range = range.lowerBound..<last }
        guard let first = lines.bytes[range].first(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
        lineRange = range
        guard first == 0x7B else { return command(range, at: arrival) }
        do {
            let bytes = lines.bytes
            try parsed.parse(bytes.span.extracting(range))
        } catch {
            bad(.syntax(byte: error.position + 1), at: arrival)
            return nil
        }
        switch parsed.kind {
        case .call: return command(range, at: arrival)
        case .hello: return greet(at: arrival)
        case _ where isRefused: return nil
        case .frame: return decodeFrame(arrival: arrival, realtime: realtime)
        case .status:
            good()
            let said = parsed.declarations
            return .status(level: said.level, code: said.code, text: said.text)
        case .bye:
            good()
            return .bye(reason: parsed.declarations.reason)
        case .pong:
            if let time = parsed.time, let sent = parsed.sent { clock.pong(time: time, sent: sent, arrival: arrival) }
            counters.pongs += 1
            good()
        case .other: good()
        case nil: bad(.noType, at: arrival)
        }
        return nil
    }

    private mutating func command(_ range: Range<Int>, at arrival: Seconds) -> DetectionEvent? {
        guard options.acceptsCommands else {
            bad(.noCommandsHere, at: arrival)
            return nil
        }
        good()
        return .command(String(decoding: lines.bytes[range], as: UTF8.self))
    }

    private mutating func greet(at arrival: Seconds) -> DetectionEvent? {
        let said = parsed.declarations
        if let version = said.wrongVersion {
            isRefused = true
            return .refused(version: version)
        }
        good()
        isRefused = false
        let isFirst = hello == nil && !hadFrame
        hello = said.hello
        clock.begin(hello: said.hello)
        convention = PictureConvention(options: options, hello: said.hello)
        points = FacePoints(names: said.hello.landmarks)
        if !isFirst { waiting.append(.newEpoch) }
        if let key = said.unknownKey { report(.unknownValue(key: key), at: arrival) }
        return .hello(said.hello)
    }

    private mutating func decodeFrame(arrival: Seconds, realtime: Seconds) -> DetectionEvent? {
        guard parsed.hasFaces, !parsed.facesAreWrong else {
            bad(.noFaces, at: arrival)
            return nil
        }
        guard !parsed.timeIsWrong else {
            bad(.badTime, at: arrival)
            return nil
        }
        let size = parsed.size ?? convention.image
        guard !convention.isPixels || size != nil else {
            bad(.noPictureSize, at: arrival)
            return nil
        }
        good()
        let verdict = clock.judge(
            time: parsed.time, sequence: parsed.sequence, arrival: arrival, realtime: realtime)
        switch verdict {
        case .drop(let reason, let exposure):
            count(reason)
            let isWrongClock = reason == .future && clock.futureInARow == FrameClock.mismatchCount
            guard options.reportsDropped else { return isWrongClock ? .clockMismatch : nil }
            readFaces(exposure: exposure ?? .nan, arrival: arrival, size: size, isUsed: false)
            if isWrongClock { waiting.append(.clockMismatch) }
            return .dropped(reason)
        case .accept(let exposure):
            fill(exposure: exposure, arrival: arrival, size: size)
            return .frame
        case .acceptInNewEpoch(let exposure):
            fill(exposure: exposure, arrival: arrival, size: size)
            waiting.append(.frame)
            return .newEpoch
        }
    }

    private mutating func count(_ reason: DropReason) {
        switch reason {
        case .repeated: counters.repeated += 1
        case .outOfOrder: counters.outOfOrder += 1
        case .tooOld: counters.tooOld += 1
        case .future: counters.future += 1
        }
    }

    private mutating func fill(exposure: Seconds, arrival: Seconds, size: PictureSize?) {
        hadFrame = true
        readFaces(exposure: exposure, arrival: arrival, size: size)
        counters.frames += 1
        counters.faces += frame.detections.count
        if options.isLive, arrival - exposure > options.maximumAge / 2 { counters.late += 1 }
    }

    /// Reads the faces of a line. `isUsed`: the frame counts, so that what is wrong with its faces is reported.
    private mutating func readFaces(exposure: Seconds, arrival: Seconds, size: PictureSize?, isUsed: Bool = true) {
        frame.sequence = parsed.sequence
        frame.streamTime = parsed.time
        frame.exposure = exposure
        frame.arrival = arrival
        frame.size = convention.upright(size)
        frame.optics = parsed.optics
        frame.detections.removeAll(keepingCapacity: true)
        frame.maybe.removeAll(keepingCapacity: true)
        frame.unread = parsed.maybeIsWrong ? 1 : 0
        for face in parsed.maybe {
            guard case .rect(let rect) = convention.rect(face.numbers, size: size), face.detection.score.isFinite
            else {
                frame.unread += 1
                continue
            }
            var detection = face.detection
            (detection.rect, detection.landmarks) = (rect, Landmarks())
            frame.maybe.append(detection)
        }
        for face in parsed.faces {
            var detection = face.detection
            switch convention.rect(face.numbers, size: size) {
            case .rect(let rect) where detection.score.isFinite:
                detection.rect = rect
                detection.attributes = convention.orientation.upright(detection.attributes)
                if detection.landmarks.count > 0 {
                    detection.landmarks = detection.landmarks.map { convention.point($0, size: size) }
                    let aspect = (frame.size ?? pictureSize)?.aspect ?? 16.0 / 9
                    detection.attributes.yaw =
                        detection.attributes.yaw ?? points?.yaw(of: detection.landmarks, aspect: aspect)
                }
                frame.detections.append(detection)
                if isUsed, places.isWrong(rect) { report(.faceOutside, at: arrival) }
            case _ where !isUsed: frame.unread += 1
            case .outside: dropFace(.faceOutside, at: arrival)
            default: dropFace(.badFace, at: arrival)
            }
        }
    }

    private mutating func dropFace(_ reason: DecoderProblem.Reason, at arrival: Seconds) {
        counters.facesDropped += 1
        frame.unread += 1
        report(reason, at: arrival)
    }

    private mutating func good() { counters.consecutiveBadLines = 0 }

    private mutating func bad(_ reason: DecoderProblem.Reason, at arrival: Seconds) {
        counters.badLines += 1
        counters.consecutiveBadLines += 1
        report(reason, at: arrival)
    }

    private mutating func report(_ reason: DecoderProblem.Reason, at arrival: Seconds) {
        if let problem = problems.report(reason, line: counters.lines, at: arrival) {
            waiting.append(.problem(problem))
        }
    }
}
