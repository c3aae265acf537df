package import Geometry
internal import Glibc

/// Decodes a source's stream line by line, and passes valid lines on.
///
/// A bye is not passed on: the owner of the source decides whether the stream has ended.
package struct StreamRelay: Sendable {
    /// The meaning of a line.
    package enum Event: Sendable, Equatable {
        /// The detections of a frame, on time or late.
        case frame
        /// The source's hello.
        case hello(StreamHello)
        /// An answer to a ping.
        case pong
        /// The source's bye.
        case bye
        /// A line that could not be used.
        case problem(String)
        /// The stream has another version. No further lines are passed on.
        case refused(version: String)
    }

    private let outlet: DetectionOutlet
    private let source: Int
    private let isGivenPictures: Bool
    private let isCapped: Bool
    /// The frame that the source processes, if it is given our frames.
    var given: GivenPicture?
    private var cap = StreamCap()
    private var lines = LineSplitter()
    private var decoder = DetectionDecoder(options: Self.options)
    private var isRefused = false
    private var oversizeInARow = 0
    private var oversize = ProblemLimiter()

    /// Creates a relay at the start of a stream. `isGivenPictures`: the source processes our frames, which are upright
    /// and not mirrored, whatever the rig's camera is. If `isCapped` is false, every line counts, however many arrive.
    package init(to outlet: DetectionOutlet, source: Int, isGivenPictures: Bool = false, isCapped: Bool = true) {
        (self.outlet, self.source, self.isGivenPictures) = (outlet, source, isGivenPictures)
        self.isCapped = isCapped
    }

    /// Returns how many bytes may be read from the source now; 0 means none before `opens`.
    package mutating func room(now: Seconds) -> Int { isCapped ? cap.room(now: now) : 1 << 16 }

    /// When the source may be read again; CLOCK_MONOTONIC.
    package var opens: Seconds { cap.due }

    private static var options: DecoderOptions {
        var options = DecoderOptions()
        options.acceptsCommands = false
        options.reportsDropped = true
        return options
    }

    /// Whether the last lines were so bad that the source should be restarted.
    package var wantsRestart: Bool { decoder.wantsRestart || oversizeInARow >= DetectionDecoder.badLinesUntilRestart }

    /// Begins again, because the source restarts. An incomplete line is discarded.
    package mutating func begin() {
        // A restart does not renew its allowance.
        let cap = cap
        self = StreamRelay(to: outlet, source: source, isGivenPictures: isGivenPictures, isCapped: isCapped)
        self.cap = cap
        outlet.forget(source)
    }

    /// Decodes bytes from the source and returns their meaning.
    package mutating func feed(_ bytes: UnsafeRawBufferPointer, now: Seconds, realtime: Seconds) -> [Event] {
        var events: [Event] = []
        cap.didRead(bytes.count, now: now)
        lines.feed(bytes)
        var pieces: [LineSplitter.Piece] = []
        while let piece = lines.next() { pieces.append(piece) }
        for piece in chosen(pieces, now: now) {
            switch piece {
            case .oversize:
                oversizeInARow += 1
                if let problem = oversize.report(.oversize, line: decoder.counters.lines + 1, at: now) {
                    events.append(.problem(problem.words))
                }
            case .line(let range):
                oversizeInARow = 0
                relay(range, now: now, realtime: realtime, &events)
            }
        }
        if let report = cap.report(now: now) { events.append(.problem(report)) }
        return events
    }

    /// Returns the lines within the limit.
    private mutating func chosen(_ pieces: [LineSplitter.Piece], now: Seconds) -> [LineSplitter.Piece] {
        guard isCapped else { return pieces }
        let areFrames = pieces.map { piece in
            guard case .line(let range) = piece else { return false }
            return lines.bytes[range].looksLikeFrame
        }
        return zip(pieces, cap.choose(areFrames: areFrames, now: now)).filter(\.1).map(\.0)
    }

    /// Completes a hello with the values that the rig's profile would otherwise supply, which do not apply to our
    /// frames.
    private static func complete(_ line: inout ArraySlice<UInt8>, _ hello: StreamHello) {
        guard let brace = line.firstIndex(of: UInt8(ascii: "{")) else { return }
        var says = ""
        if hello.mirrored == nil { says += #""mirrored":false,"# }
        if hello.rotate == nil { says += #""rotate":0,"# }
        line.insert(contentsOf: Array(says.utf8), at: brace + 1)
    }

    /// Completes a frame with its optics and, unless the source states another one, with its size.
    private static func complete(_ line: inout ArraySlice<UInt8>, _ given: GivenPicture, statesSize: Bool) {
        guard let first = line.firstIndex(of: UInt8(ascii: "{")), let brace = line.lastIndex(of: UInt8(ascii: "}"))
        else { return }
        let optics = given.optics
        // Of two members with one name, the later one counts.
        defer {
            if !statesSize {
                line.insert(contentsOf: Array(#""size":[\#(given.width),\#(given.height)],"#.utf8), at: first + 1)
            }
        }
        guard optics != .usual else { return }
        line.insert(contentsOf: Array(#","camera":\#(optics.camera),"zoom":\#(optics.zoom)"#.utf8), at: brace)
    }

    private mutating func relay(_ range: Range<Int>, now: Seconds, realtime: Seconds, _ events: inout [Event]) {
        var line = lines.bytes[range] + [0x0A]
        if isGivenPictures, let given, line.looksLikeFrame {
            // The pixels of a hello are those of the source's own, smaller copy.
            Self.complete(&line, given, statesSize: decoder.hello?.image != nil && decoder.hello?.units == .pixels)
        }
        let before = decoder.counters
        line.withUnsafeBytes { decoder.feed($0) }
        var isBye = false, isFrame = false, isHello = false
        let tap = outlet.answers.isWanted ? outlet.answers : nil
        while let event = decoder.next(arrival: now, realtime: realtime) {
            switch event {
            case .frame:
                isFrame = true
                tap?.tell(outlet.answer(decoder.frame, from: source, line: line.dropLast()))
            case .dropped(let reason):
                tap?.tell(outlet.answer(decoder.frame, drop: reason, from: source, line: line.dropLast()))
            case .hello(let hello):
                (isHello, isRefused) = (true, false)
                if isGivenPictures { Self.complete(&line, hello) }
                events.append(.hello(hello))
            case .bye:
                isBye = true
                events.append(.bye)
            case .problem(let problem): events.append(.problem(problem.words))
            case .refused(let version):
                isRefused = true
                events.append(.refused(version: version))
            // The reader of the stream handles these.
            case .status, .newEpoch, .command, .clockMismatch: break
            }
        }
        let after = decoder.counters
        // It is too late to steer, but it is still a sign of life.
        if isFrame || after.framesDropped > before.framesDropped { events.append(.frame) }
        if after.pongs > before.pongs { events.append(.pong) }
        if !isBye, !isRefused, after.badLines == before.badLines { outlet.put(line, from: source, isHello: isHello) }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the line looks like a frame. This is a quick check: every line that is not a frame names its type.
    fileprivate var looksLikeFrame: Bool {
        withUnsafeBytes { line in
            guard let place = Self.place(of: Self.type, in: line) else { return true }
            let rest = UnsafeRawBufferPointer(rebasing: line[(place + Self.type.count)...].prefix(16))
            return Self.place(of: Self.frame, in: rest) != nil
        }
    }

    private static let type = Array(#""type""#.utf8), frame = Array(#""frame""#.utf8)

    private static func place(of word: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
        var start = 0
        while start + word.count <= bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(word[0]), bytes.count - start - word.count + 1)
        {
            let place = base.distance(to: UnsafeRawPointer(found))
            if memcmp(found, word, word.count) == 0 { return place }
            start = place + 1
        }
        return nil
    }
}

extension DecoderProblem {
    /// The problem in words, for a log.
    fileprivate var words: String { "line \(line): \(text)" + (count > 1 ? " (\(count) times)" : "") }
}
