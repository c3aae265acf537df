package import Geometry

/// Hands a stage's stream on, line by line, and sees what comes: a stage may be started again, its stream goes on in the same pipe.
///
/// What makes no sense stops here, and so does a bye: whether the stream is over is decided by whoever starts the stage.
package struct StreamRelay: Sendable {
    /// At most so many bytes wait for the reader; lines that find no room are dropped, for a reader that is late wants newer ones.
    package static let room = 1 << 18

    /// What a line meant.
    package enum Event: Sendable, Equatable {
        /// A picture's detections, good or late; `sequence` as the stage has numbered it.
        case frame(sequence: Int?)
        /// It introduces itself.
        case hello(StreamHello)
        /// It ends.
        case bye
        /// It speaks of its own state.
        case status(level: String, text: String)
        /// A line that could not be used.
        case problem(String)
        /// It speaks another version.
        case refused(version: String)
    }

    private var lines = LineSplitter()
    private var decoder = DetectionDecoder(options: Self.options)
    /// Whole lines on their way to the reader.
    private var output: [UInt8] = []
    private var sent = 0
    /// Lines that found no room.
    package private(set) var dropped = 0

    /// Nothing came yet.
    package init() {}

    private static var options: DecoderOptions {
        var options = DecoderOptions()
        options.acceptsCommands = false
        return options
    }

    /// Whether the last lines were so bad that the stage should be started again.
    package var wantsRestart: Bool { decoder.wantsRestart }

    /// What waits to be written.
    package var waiting: ArraySlice<UInt8> { output[sent...] }

    /// What was begun to be written is ended, the rest is not wanted any more: somebody else writes from now on.
    package mutating func yield() {
        guard sent < output.count else { return }
        guard sent > 0, let end = output[sent...].firstIndex(of: 0x0A) else {
            if sent == 0 { output.removeAll(keepingCapacity: true) }
            return
        }
        output.removeSubrange((end + 1)...)
    }

    /// The stage begins anew: half a line of the last one is nothing.
    package mutating func begin() {
        lines = LineSplitter()
        decoder = DetectionDecoder(options: Self.options)
    }

    /// Adds a line of our own.
    package mutating func add(_ line: [UInt8]) { put(line[...]) }

    /// So many bytes were written.
    package mutating func wrote(_ count: Int) {
        sent += count
        if sent == output.count {
            output.removeAll(keepingCapacity: true)
            sent = 0
        }
    }

    /// Takes in what was read from the stage, and tells what it meant.
    package mutating func feed(_ bytes: UnsafeRawBufferPointer, now: Seconds, realtime: Seconds) -> [Event] {
        var events: [Event] = []
        lines.feed(bytes)
        while let piece = lines.next() {
            switch piece {
            case .oversize: events.append(.problem("a line is longer than 65536 bytes"))
            case .line(let range): take(range, now: now, realtime: realtime, &events)
            }
        }
        return events
    }

    private mutating func take(_ range: Range<Int>, now: Seconds, realtime: Seconds, _ events: inout [Event]) {
        let line = lines.bytes[range] + [0x0A]
        let before = decoder.counters
        line.withUnsafeBytes { decoder.feed($0) }
        var isWanted = true, isFrame = false
        while let event = decoder.next(arrival: now, realtime: realtime) {
            switch event {
            case .frame:
                isFrame = true
                events.append(.frame(sequence: decoder.frame.sequence))
            case .hello(let hello): events.append(.hello(hello))
            case .bye:
                isWanted = false
                events.append(.bye)
            case .status(let level, _, let text): events.append(.status(level: level, text: text))
            case .problem(let problem):
                events.append(
                    .problem(
                        "line \(problem.line): \(problem.text)" + (problem.count > 1 ? " (\(problem.count) times)" : "")
                    ))
            case .refused(let version):
                isWanted = false
                events.append(.refused(version: version))
            case .newEpoch, .command, .clockMismatch: break
            }
        }
        let after = decoder.counters
        // Too late to steer, and a sign of life all the same.
        if !isFrame, after.framesDropped > before.framesDropped { events.append(.frame(sequence: nil)) }
        if isWanted, after.badLines == before.badLines { put(line) }
    }

    private mutating func put(_ line: ArraySlice<UInt8>) {
        guard output.count - sent + line.count <= Self.room else {
            dropped += 1
            return
        }
        if sent > 0 {
            output.removeSubrange(..<sent)
            sent = 0
        }
        output += line
    }
}
