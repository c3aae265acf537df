internal import Geometry
internal import PlainText

/// Reads the lines that tell each picture's time (ffmpeg's `framecrc` format): a head with the size and the time base, then a line
/// a picture: stream, decoding time, presentation time, duration, size, checksum.
struct FrameTimes: Sendable, Equatable {
    /// Why a line makes no sense.
    struct Failure: Error, Equatable {
        var line: String
    }

    /// Pixels of a picture; nil: not told yet.
    private(set) var size: (width: Int, height: Int)?
    /// Seconds of one step of the clock; nil: not told yet.
    private(set) var step: Seconds?
    /// Times of pictures whose pixels are still to come, seconds, the oldest first.
    private(set) var waiting: [Seconds] = []
    private var line: [UInt8] = []
    /// Times that are still to come of pictures that were dropped.
    private var owed = 0

    /// No picture is larger, no line longer: what says so is none of ours.
    private static let largest = 16_384, longest = 512

    /// Takes in what was read.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        for byte in bytes {
            if byte == 0x0A {
                try take()
                line.removeAll(keepingCapacity: true)
            } else {
                guard line.count < Self.longest else { throw failure }
                line.append(byte)
            }
        }
    }

    /// The next picture has been dropped: its time means nothing when it comes.
    mutating func skip() { if waiting.isEmpty { owed += 1 } else { waiting.removeFirst() } }

    /// The time of the next picture; nil: it was not told.
    mutating func next() -> Seconds? { waiting.isEmpty ? nil : waiting.removeFirst() }

    private var failure: Failure { Failure(line: ForeignText.line(bytes: line, longest: 80)) }

    private mutating func take() throws(Failure) {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("#") {
            try takeHead(text)
            return
        }
        let fields = text.split(separator: ",").map { $0.filter { $0 != " " } }
        guard fields.count >= 5, let step, size != nil, let time = Int64(fields[2]) else { throw failure }
        if owed > 0 { owed -= 1 } else { waiting.append(Double(time) * step) }
    }

    private mutating func takeHead(_ text: String) throws(Failure) {
        if text.hasPrefix("#tb 0: ") {
            let parts = text.dropFirst(7).split(separator: "/").compactMap { Int($0) }
            guard parts.count == 2, parts[0] > 0, parts[1] > 0 else { throw failure }
            step = Double(parts[0]) / Double(parts[1])
        } else if text.hasPrefix("#dimensions 0: ") {
            let parts = text.dropFirst(15).split(separator: "x").compactMap { Int($0) }
            guard parts.count == 2, parts.allSatisfy({ (1...Self.largest).contains($0) }) else { throw failure }
            size = (parts[0], parts[1])
        }
    }

    static func == (a: FrameTimes, b: FrameTimes) -> Bool {
        a.size?.width == b.size?.width && a.size?.height == b.size?.height && a.step == b.step && a.waiting == b.waiting
            && a.line == b.line
    }
}
