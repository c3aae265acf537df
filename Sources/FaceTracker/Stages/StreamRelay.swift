package import Geometry

/// Sees what a source's stream says, line by line, and hands on what makes sense.
///
/// A bye stops here: whether the stream is over is decided by whoever starts the source.
package struct StreamRelay: Sendable {
    /// What a line meant.
    package enum Event: Sendable, Equatable {
        /// A picture's detections, good or late.
        case frame
        /// It introduces itself.
        case hello(StreamHello)
        /// It answers a ping.
        case pong
        /// It ends.
        case bye
        /// A line that could not be used.
        case problem(String)
        /// It speaks another version: nothing more of it is handed on.
        case refused(version: String)
    }

    private let outlet: DetectionOutlet
    private let source: Int
    private let isGivenPictures: Bool
    private var lines = LineSplitter()
    private var decoder = DetectionDecoder(options: Self.options)
    private var isRefused = false
    private var oversizeInARow = 0
    private var oversize = ProblemLimiter()

    /// Nothing came yet from the source of this number. `isGivenPictures`: it looks at pictures of ours, which are upright and not
    /// mirrored, whatever the rig's camera is.
    package init(to outlet: DetectionOutlet, source: Int, isGivenPictures: Bool = false) {
        (self.outlet, self.source, self.isGivenPictures) = (outlet, source, isGivenPictures)
    }

    private static var options: DecoderOptions {
        var options = DecoderOptions()
        options.acceptsCommands = false
        return options
    }

    /// Whether the last lines were so bad that the source should be started again.
    package var wantsRestart: Bool { decoder.wantsRestart || oversizeInARow >= DetectionDecoder.badLinesUntilRestart }

    /// The source begins anew: half a line of the last one is nothing.
    package mutating func begin() {
        self = StreamRelay(to: outlet, source: source, isGivenPictures: isGivenPictures)
        outlet.forget(source)
    }

    /// Takes in what was read from the source, and tells what it meant.
    package mutating func feed(_ bytes: UnsafeRawBufferPointer, now: Seconds, realtime: Seconds) -> [Event] {
        var events: [Event] = []
        lines.feed(bytes)
        while let piece = lines.next() {
            switch piece {
            case .oversize:
                oversizeInARow += 1
                if let problem = oversize.report(.oversize, line: decoder.counters.lines + 1, at: now) {
                    events.append(.problem(problem.words))
                }
            case .line(let range):
                oversizeInARow = 0
                take(range, now: now, realtime: realtime, &events)
            }
        }
        return events
    }

    /// Says what a hello leaves to the rig's profile, which does not hold for pictures of ours.
    private static func complete(_ line: inout ArraySlice<UInt8>, _ hello: StreamHello) {
        guard let brace = line.firstIndex(of: UInt8(ascii: "{")) else { return }
        var says = ""
        if hello.mirrored == nil { says += #""mirrored":false,"# }
        if hello.rotate == nil { says += #""rotate":0,"# }
        line.insert(contentsOf: Array(says.utf8), at: brace + 1)
    }

    private mutating func take(_ range: Range<Int>, now: Seconds, realtime: Seconds, _ events: inout [Event]) {
        var line = lines.bytes[range] + [0x0A]
        let before = decoder.counters
        line.withUnsafeBytes { decoder.feed($0) }
        var isBye = false, isFrame = false, isHello = false
        while let event = decoder.next(arrival: now, realtime: realtime) {
            switch event {
            case .frame: isFrame = true
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
            // Whoever reads the stream hears it there.
            case .status, .newEpoch, .command, .clockMismatch: break
            }
        }
        let after = decoder.counters
        // Too late to steer, and a sign of life all the same.
        if isFrame || after.framesDropped > before.framesDropped { events.append(.frame) }
        if after.pongs > before.pongs { events.append(.pong) }
        if !isBye, !isRefused, after.badLines == before.badLines { outlet.put(line, from: source, isHello: isHello) }
    }
}

extension DecoderProblem {
    /// In words, for a log.
    fileprivate var words: String { "line \(line): \(text)" + (count > 1 ? " (\(count) times)" : "") }
}
