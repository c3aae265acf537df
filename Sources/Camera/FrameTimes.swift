internal import Geometry
internal import PlainText

/// Parses the lines with each frame's time (ffmpeg's `framecrc` format): a header with the size and the time base, then
/// one line per frame: stream, decoding time, presentation time, duration, size, checksum.
struct FrameTimes: Sendable, Equatable {
    /// Describes an invalid line.
    struct Failure: Error, Equatable {
        var line: String
    }

    /// The size of a frame, in pixels, or nil if unknown.
    private(set) var size: (width: Int, height: Int)?
    /// Seconds per step of the clock, or nil if unknown.
    private(set) var step: Seconds?
    /// Times of frames whose pixels have not arrived yet, seconds, oldest first.
    private(set) var waiting: [Seconds] = []
    private var line: [UInt8] = []
    /// The number of times that are still to be dropped because their frames were dropped.
    private var owed = 0

    /// The largest frame dimension and the longest line; anything larger is invalid.
    private static let largest = 16_384, longest = 512

    /// Processes the bytes that were read.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        for byte in bytes {
            if byte == 0x0A {
                try readLine()
                line.removeAll(keepingCapacity: true)
            } else {
                guard line.count < Self.longest else { throw failure }
                line.append(byte)
            }
        }
    }

    /// Skips the time of a dropped frame, now or when it arrives.
    mutating func skip() { if waiting.isEmpty { owed += 1 } else { waiting.removeFirst() } }

    /// Returns the time of the next frame, or nil if it has not arrived.
    mutating func next() -> Seconds? { waiting.isEmpty ? nil : waiting.removeFirst() }

    private var failure: Failure { Failure(line: ForeignText.line(bytes: line, longest: 80)) }

    private mutating func readLine() throws(Failure) {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("#") {
            try readHeader(text)
            return
        }
        let fields = text.split(separator: ",").map { $0.filter { $0 != " " } }
        guard fields.count >= 5, let step, size != nil, let time = Int64(fields[2]) else { throw failure }
        if owed > 0 { owed -= 1 } else { waiting.append(Double(time) * step) }
    }

    private mutating func readHeader(_ text: String) throws(Failure) {
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
